internal import CMosquitto
internal import Glibc
internal import HTTP

/// The thread's side of a ``MQTTConnection``: it alone touches libmosquitto's client.
final class MQTTThread {
  private let connection: MQTTConnection
  private let configuration: MQTTConfiguration
  /// The filters by the number of the request that asked for them.
  private var subscribing: [Int32: String] = [:]
  private var isOpen = false
  private var isOver = false
  private var refusal: Int32?
  /// What the library said last of an error; its codes alone say little of TLS.
  private var complaint = ""
  private var outgoing: [MQTTConfiguration.Publication] = []

  private static let isPrepared: Bool = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

  init(_ connection: MQTTConnection) {
    self.connection = connection
    configuration = connection.configuration
  }

  func run() {
    guard Self.isPrepared, let client = makeClient() else { return end("no memory for \(address)") }
    defer { mosquitto_destroy(client) }
    do throws(MQTTFailure) {
      try configure(client)
    } catch {
      return connection.report(.failed(error))
    }
    // It waits for names and TCP, which is what the thread is for: it tries all addresses of a name.
    let status = mosquitto_connect(
      client, configuration.host, Int32(configuration.port), Int32(configuration.keepaliveSeconds))
    guard !connection.isClosed else { return }
    guard status == MOSQ_ERR_SUCCESS.code else { return end(status, systemError: errno) }
    while !isOver, !connection.isClosed { turn(client) }
    if !isOver {
      mosquitto_disconnect(client)
      mosquitto_loop_write(client, 1)
    }
  }

  private var address: String { configuration.address }

  private func makeClient() -> OpaquePointer? {
    mosquitto_new(configuration.clientID, configuration.isClean, Unmanaged.passUnretained(self).toOpaque())
  }

  private func configure(_ client: OpaquePointer) throws(MQTTFailure) {
    mosquitto_connect_with_flags_callback_set(client, takeConnect)
    mosquitto_disconnect_callback_set(client, takeDisconnect)
    mosquitto_message_callback_set(client, takeMessage)
    mosquitto_subscribe_callback_set(client, takeSubscribe)
    mosquitto_log_callback_set(client, takeLog)
    if let user = configuration.user {
      try check(mosquitto_username_pw_set(client, user, configuration.password), "the user or the password")
    }
    if let will = configuration.will {
      try check(
        mosquitto_will_set(
          client, will.topic, Int32(will.payload.count), will.payload, will.quality.rawValue, will.isRetained),
        "the will")
    }
    guard configuration.isSecure else { return }
    let tls = configuration.tls
    let file = tls.authoritiesFile
    try check(
      mosquitto_tls_set(
        client, file, file == nil ? "/etc/ssl/certs" : nil, tls.clientCertificate, tls.clientKey, nil),
      "the files of certificates")
    if !tls.isVerified {
      try check(mosquitto_tls_opts_set(client, 0, nil, nil), "insecure_skip_verify")
      try check(mosquitto_tls_insecure_set(client, true), "insecure_skip_verify")
    }
  }

  private func check(_ status: Int32, _ what: String) throws(MQTTFailure) {
    guard status != MOSQ_ERR_SUCCESS.code else { return }
    let reason = String(cString: mosquitto_strerror(status))
    throw MQTTFailure("\(what) for \(address) can't be used: \(reason)", isPermanent: true)
  }

  /// Waits for something to do, and does it.
  private func turn(_ client: OpaquePointer) {
    let socket = mosquitto_socket(client)
    guard socket >= 0 else { return end("the connection to \(address) broke\(detail)") }
    var events = Int16(connection.isFull ? 0 : POLLIN)
    if mosquitto_want_write(client) { events |= Int16(POLLOUT) }
    var polled = [
      pollfd(fd: socket, events: events, revents: 0),
      pollfd(fd: connection.wakeUp, events: Int16(POLLIN), revents: 0),
    ]
    // A second is the grain of the keepalive.
    poll(&polled, 2, 1_000)
    if polled[1].revents != 0 {
      var value: UInt64 = 0
      _ = read(connection.wakeUp, &value, 8)
    }
    send(client)
    var status = MOSQ_ERR_SUCCESS.code
    if polled[0].revents & Int16(POLLOUT) != 0 { status = mosquitto_loop_write(client, 1) }
    let isReadable = polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
    if status == MOSQ_ERR_SUCCESS.code, isReadable { status = mosquitto_loop_read(client, 1) }
    if status == MOSQ_ERR_SUCCESS.code { status = mosquitto_loop_misc(client) }
    guard status != MOSQ_ERR_SUCCESS.code, !isOver else { return }
    end(status, systemError: errno)
  }

  private func send(_ client: OpaquePointer) {
    outgoing += connection.takePublications()
    guard isOpen else { return }
    for publication in outgoing {
      let status = mosquitto_publish(
        client, nil, publication.topic, Int32(publication.payload.count), publication.payload,
        publication.quality.rawValue, publication.isRetained)
      if status != MOSQ_ERR_SUCCESS.code { return end(status, systemError: errno) }
    }
    outgoing = []
  }

  // MARK: - Ends

  private var detail: String { complaint.isEmpty ? "" : ": \(complaint)" }

  private func end(_ status: Int32, systemError: Int32) {
    guard !isOver else { return }
    if let refusal {
      isOver = true
      let reason = String(cString: mosquitto_connack_string(refusal))
      let hint =
        refusal == 4 || refusal == 5
        ? "; check username, password and client_id" : refusal == 2 ? "; give another client_id" : ""
      return connection.report(
        .failed(MQTTFailure("\(address) refused the client: \(reason)\(hint)", code: Int(refusal))))
    }
    switch status {
    case MOSQ_ERR_EAI.code:
      end(
        "cannot resolve the name \(configuration.host) of \(address) (DNS); check the spelling and the network"
      )
    case MOSQ_ERR_TLS.code:
      end(
        "the TLS handshake with \(address) failed\(detail); check the certificate's name and date, and ca_file"
      )
    case MOSQ_ERR_ERRNO.code where !isOpen:
      end("cannot connect to \(address): \(String(cString: strerror(systemError)))")
    case MOSQ_ERR_KEEPALIVE.code:
      end("\(address) answered no ping within the keepalive of \(configuration.keepaliveSeconds) s")
    case MOSQ_ERR_CONN_LOST.code where !isOpen:
      end("\(address) closed the connection without an answer; is it a broker, and does it speak TLS or not?")
    case MOSQ_ERR_CONN_LOST.code:
      end("\(address) closed the connection; another client with the same client_id causes that")
    default:
      end("the connection to \(address) broke: \(String(cString: mosquitto_strerror(status)))\(detail)")
    }
  }

  private func end(_ text: String) {
    guard !isOver else { return }
    isOver = true
    connection.report(.failed(MQTTFailure(text)))
  }

  // MARK: - Calls from libmosquitto

  fileprivate func connected(_ client: OpaquePointer, code: Int32, flags: Int32) {
    guard code == 0 else {
      refusal = code
      return
    }
    isOpen = true
    connection.report(.opened(isResumed: flags & 1 != 0))
    for subscription in configuration.subscriptions {
      var number: Int32 = 0
      let status = mosquitto_subscribe(client, &number, subscription.filter, subscription.quality.rawValue)
      guard status == MOSQ_ERR_SUCCESS.code else {
        connection.report(.refused(filter: subscription.filter))
        continue
      }
      subscribing[number] = subscription.filter
    }
  }

  fileprivate func subscribed(_ number: Int32, granted: UnsafeBufferPointer<Int32>) {
    guard let filter = subscribing.removeValue(forKey: number) else { return }
    if granted.contains(where: { $0 > 2 || $0 < 0 }) { connection.report(.refused(filter: filter)) }
  }

  fileprivate func disconnected(code: Int32) {
    guard code != 0 else { return }
    end(code, systemError: errno)
  }

  fileprivate func received(_ message: mosquitto_message) {
    let topic = message.topic.map { String(cString: $0) } ?? ""
    let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
    guard bytes.count <= configuration.maximumMessageBytes else {
      return connection.report(.tooLong(topic: topic, bytes: bytes.count))
    }
    connection.report(.message(topic: topic, payload: Array(bytes), isRetained: message.retain))
  }

  fileprivate func logged(_ text: String) { complaint = String(text.prefix(200)) }
}

extension mosq_err_t {
  fileprivate var code: Int32 { Int32(rawValue) }
}

private func thread(_ context: UnsafeMutableRawPointer?) -> MQTTThread? {
  context.map { Unmanaged<MQTTThread>.fromOpaque($0).takeUnretainedValue() }
}

private let takeConnect: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32) -> Void = {
  client, context, code, flags in
  if let client { thread(context)?.connected(client, code: code, flags: flags) }
}

private let takeDisconnect: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void = {
  _, context, code in
  thread(context)?.disconnected(code: code)
}

private let takeMessage:
  @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<mosquitto_message>?) -> Void = {
    _, context, message in
    if let message { thread(context)?.received(message.pointee) }
  }

private let takeSubscribe:
  @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, UnsafePointer<Int32>?) -> Void = {
    _, context, number, count, granted in
    thread(context)?.subscribed(number, granted: UnsafeBufferPointer(start: granted, count: Int(count)))
  }

private let takeLog:
  @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void = {
    _, context, level, text in
    guard level == MOSQ_LOG_ERR, let text else { return }
    thread(context)?.logged(String(cString: text))
  }
