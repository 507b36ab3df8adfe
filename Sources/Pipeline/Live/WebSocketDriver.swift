import HTTP
import Scripting
import WebSocket

/// Drives `source.websocket`: one connection at a time.
final class WebSocketDriver: SourceDriver {
  private let settings: WebSocketSettings
  private let makingHeaders: HeaderFunction?
  private var connection: WebSocketConnection?
  private var failure: ConnectionFailure?
  private(set) var host: String?
  /// The position of the last message handed on, so that one that comes again is passed over.
  private var lastPosition: UInt64?
  private var session: SessionMachine
  private let inflater: MessageInflater?
  /// Where the connection resumed, for messages of the session.
  private var position: String?
  /// What a session asked for outside of ``process(now:into:)`` and has to be told there.
  private var untold: [SessionMachine.Request] = []

  init(_ settings: WebSocketSettings, makingHeaders: HeaderFunction? = nil) {
    self.settings = settings
    self.makingHeaders = makingHeaders
    session = SessionMachine(settings.session)
    inflater = settings.decompress.map {
      MessageInflater($0, maximumBytes: settings.maximumMessageBytes)
    }
  }

  var descriptor: Int32? { connection?.fileDescriptor }

  /// Pings and heartbeats of ours go on.
  var worksUnread: Bool { true }

  var nextDeadline: UInt64? {
    guard failure == nil, untold.isEmpty else { return 0 }
    guard let due = session.nextDue else { return connection?.nextDeadline }
    // A session's time is that of the monotonic clock in milliseconds.
    let session = UInt64(max(due.milliseconds, 0)) * 1_000_000
    return connection?.nextDeadline.map { min($0, session) } ?? session
  }

  func connect(_ number: Int, position: String?) {
    failure = nil
    connection = nil
    session.close()
    untold = []
    self.position = position
    lastPosition = position.flatMap { UInt64($0) }
    do {
      var configuration = try configuration(resumingAt: position)
      try addHeaders(of: number, to: &configuration)
      host = try configuration.check().host
      connection = try WebSocketConnection(configuration: configuration)
    } catch let failure as ConnectionFailure {
      self.failure = failure
    } catch {
      failure = ConnectionFailure(.configuration(option: "url"), "\(error)")
    }
  }

  /// Takes the headers of a function, if there is one, in place of given ones; its next ones may be good.
  private func addHeaders(
    of connection: Int, to configuration: inout WebSocket.Configuration
  ) throws(ConnectionFailure) {
    guard let makingHeaders else { return }
    do throws(ScriptFailure) {
      let fields = try makingHeaders.fields(connection: connection, at: .systemClock())
      configuration.headers = fields.map { HeaderField($0.name, $0.value) }
    } catch {
      throw ConnectionFailure(.handshake, error.reason)
    }
    do throws(ConnectionFailure) {
      try configuration.check()
    } catch {
      guard error.kind == .configuration(option: "headers") else { throw error }
      throw ConnectionFailure(.handshake, error.description)
    }
  }

  private func configuration(resumingAt position: String?) throws -> WebSocket.Configuration {
    var configuration = WebSocket.Configuration(url: try settings.address(resumingAt: position))
    for (name, value) in settings.headers.sorted(by: { $0.key < $1.key }) {
      configuration.headers.append(HeaderField(name, try value.resolve()))
    }
    configuration.subprotocols = settings.subprotocols
    configuration.connectTimeout = .milliseconds(settings.connectTimeout.count)
    configuration.pingInterval = settings.ping.map { .milliseconds($0.count) }
    configuration.pingTimeout = .milliseconds(settings.pingTimeout.count)
    configuration.maximumMessageBytes = settings.maximumMessageBytes
    if !settings.offersCompression { configuration.compression = nil }
    configuration.tls.isVerified = !settings.skipsVerification
    configuration.tls.caFile = settings.certificateAuthorityFile
    configuration.tls.clientCertificate = settings.clientCertificate
    configuration.tls.clientKey = settings.clientKey
    if let proxy = settings.proxy { configuration.proxy = .url(try proxy.resolve()) }
    return configuration
  }

  /// The session has begun when the connection opened.
  func sendOpening() {}

  func send(_ text: String) throws {
    guard let connection, connection.state == .open else { throw NotConnected() }
    guard settings.session.pace > .zero else { return try connection.send(text: text) }
    session.send(text, at: Self.time(monotonicNanoseconds()))
    carryOut(session.takeRequests())
  }

  func change(_ change: SubscriptionChange) {
    session.change(change, at: Self.time(monotonicNanoseconds()))
    carryOut(session.takeRequests())
  }

  private static func time(_ now: UInt64) -> Timestamp { Timestamp(milliseconds: Int64(now / 1_000_000)) }

  /// Sends what a session wants sent; the rest is told with the next output.
  private func carryOut(_ requests: [SessionMachine.Request]) {
    for request in requests {
      guard case .send(let text) = request else {
        untold.append(request)
        continue
      }
      guard let connection, connection.state == .open else { continue }
      do throws(SendError) {
        try connection.send(text: text)
      } catch {
        untold.append(.fail(error.description))
      }
    }
  }

  func close(code: UInt16, reason: String) {
    session.close()
    untold = []
    guard let connection else { return }
    // A connection that can't say goodbye any more is simply dropped.
    if connection.state == .open, (try? connection.close(code: code, reason: reason)) != nil {
      var farewell = Sink(output: nil, inflater: nil)
      _ = connection.process(now: monotonicNanoseconds(), readLimit: 0, into: &farewell)
    }
    self.connection = nil
  }

  func process(now: UInt64, into output: inout SourceOutput) {
    if let failure {
      self.failure = nil
      output.events.append(.closed(SourceMachine.End(failure, at: output.time)))
      return
    }
    guard let connection else { return }
    let first = output.batch.count
    var sink = Sink(output: output, inflater: inflater)
    let progress = connection.process(now: now, readLimit: output.readLimit, into: &sink)
    if let result = sink.output { output = result }
    let isDrained = progress != .moreWaiting && output.readLimit > 0
    mindSession(now, from: first, isDrained: isDrained, &output)
    if progress == .finished {
      self.connection = nil
      session.close()
    }
    if let path = settings.position, output.batch.count > first { notePositions(path, from: first, &output) }
  }

  /// Shows the session what came and the time, and carries out what it asks for.
  ///
  /// - Parameter isDrained: whether all that has arrived was read. What is awaited may be among the rest.
  private func mindSession(
    _ now: UInt64, from first: Int, isDrained: Bool, _ output: inout SourceOutput
  ) {
    let time = Self.time(now)
    if output.events.contains(.opened) {
      do throws(SecretError) {
        try session.open(at: time, position: position ?? settings.firstPosition)
      } catch {
        output.events.append(.closed(SourceMachine.End(reason: error.description, isPermanent: true)))
        return
      }
    }
    if output.batch.count > first, session.watchesMessages {
      // Decoding again in the engine costs nothing: what is decoded stays decoded.
      _ = output.batch.decode()
      for index in first..<output.batch.count where session.take(output.batch, at: index, now: time) {
        output.batch.skip(at: index)
        output.answerCount += 1
      }
    }
    if let due = session.nextDue, due <= time || !isDrained {
      session.advance(
        to: time, isQuiet: settings.quietHours.contains(output.time), isDrained: isDrained)
    }
    carryOut(session.takeRequests())
    for request in untold {
      switch request {
      case .send: break
      case .report(let report): output.reports.append(report)
      case .fail(let reason):
        output.events.append(.closed(SourceMachine.End(code: 1006, reason: reason)))
        close(code: 1000, reason: "")
      }
    }
    untold = []
  }

  /// Finds where the source resumes; a message at or before the last position was sent again.
  private func notePositions(_ path: [String], from first: Int, _ output: inout SourceOutput) {
    let path = path.joined(separator: ".")
    output.positionPath = path
    // Decoding again in the engine costs nothing: what is decoded stays decoded.
    _ = output.batch.decode()
    for index in (first..<output.batch.count).reversed() {
      if let position = output.batch.field(path, at: index) {
        output.position = position
        break
      }
    }
    guard let last = lastPosition else {
      lastPosition = output.position.flatMap { UInt64($0) }
      return
    }
    for index in first..<output.batch.count {
      if let position = output.batch.field(path, at: index).flatMap({ UInt64($0) }), position <= last {
        output.batch.skip(at: index)
      }
    }
    if let position = output.position.flatMap({ UInt64($0) }) {
      if position > last { lastPosition = position } else { output.position = nil }
    }
  }

  private struct Sink: MessageSink {
    var output: SourceOutput?
    let inflater: MessageInflater?

    mutating func opened(subprotocol: String?, headers: [HeaderField]) { output?.events.append(.opened) }

    mutating func message(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
      guard let inflater, !isText else { return add(bytes) }
      do throws(InflationError) {
        try inflater.inflate(bytes) { output?.add($0) }
      } catch {
        output?.refused.append("a message of \(bytes.count) bytes \(error)")
        // As it came, so that it goes to the quarantine.
        add(bytes)
      }
    }

    private func add(_ bytes: UnsafeRawBufferPointer) { output?.add(bytes) }

    mutating func pong(latency: UInt64) {}

    mutating func closed(code: UInt16, reason: String, clean: Bool) {
      output?.events.append(
        .closed(SourceMachine.End(code: Int(code), reason: reason.isEmpty ? "closed by the server" : reason)))
    }

    mutating func failed(_ failure: ConnectionFailure) {
      guard let time = output?.time else { return }
      output?.events.append(.closed(SourceMachine.End(failure, at: time)))
    }
  }
}

extension SourceMachine.End {
  /// The end that a failure means.
  init(_ failure: ConnectionFailure, at now: Timestamp) {
    var code = 1006
    var isPermanent = false
    switch failure.kind {
    case .httpStatus(let status): code = status
    case .protocolViolation(let closeCode): code = Int(closeCode)
    case .configuration: isPermanent = true
    default: break
    }
    let wait = failure.retryAfter.map { Milliseconds.seconds($0.seconds(from: now.milliseconds / 1_000)) }
    self.init(code: code, reason: failure.description, retryAfter: wait, isPermanent: isPermanent)
  }
}
