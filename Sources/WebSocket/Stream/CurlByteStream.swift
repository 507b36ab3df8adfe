import CCurl
import Glibc
import HTTP

/// A TCP or TLS stream made by libcurl (`CURLOPT_CONNECT_ONLY`), which does DNS, proxies, TLS and its checks.
///
/// One multi handle a stream, because libcurl searches a multi's connections linearly at each read; the easy
/// handle stays in it for life. All sockets are watched through the epoll descriptor given at the start.
package final class CurlByteStream: ByteStream {
  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  private let epoll: Int32
  private let endpoint: Endpoint
  /// Where libcurl writes its reasons; it wants the memory for the handle's life.
  private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var isAdded = false
  private var isClosed = false
  /// The connected socket, watched for reading from then on.
  private var socket: Int32 = -1
  private var isWatchedForWriting = false
  /// True when libcurl last asked for something to read, not for room to write.
  private var isAwaitingWords = false
  /// When libcurl wants to be called without an event.
  package private(set) var connectDeadline: UInt64? = 0

  /// Prepares a stream; nothing is connected before `connect`.
  ///
  /// - Parameters:
  ///   - epoll: the descriptor in which the stream's sockets are registered while it lives.
  /// - Throws: a failure of kind `configuration` or `tls` for files that cannot be used, `resources` for memory.
  package init(
    endpoint: Endpoint, configuration: Configuration, epoll: Int32
  ) throws(ConnectionFailure) {
    guard Self.globalStatus == CURLE_OK, let easy = curl_easy_init() else { throw Self.outOfMemory }
    guard let multi = curl_multi_init() else {
      curl_easy_cleanup(easy)
      throw Self.outOfMemory
    }
    self.easy = easy
    self.multi = multi
    self.epoll = epoll
    self.endpoint = endpoint
    reason[0] = 0
    try configure(configuration)
    guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw Self.outOfMemory }
    isAdded = true
  }

  deinit {
    close()
    curl_easy_cleanup(easy)
    curl_multi_cleanup(multi)
    reason.deallocate()
  }

  private static let globalStatus = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  private static let outOfMemory = ConnectionFailure(.resources, "no memory for a connection")

  // MARK: Connecting

  package var phase: ConnectPhase {
    var microseconds: curl_off_t = 0
    curl_easy_getinfo_offset(easy, CURLINFO_NAMELOOKUP_TIME_T, &microseconds)
    if microseconds == 0 { return .resolving }
    // A TCP connect waits for room to write; what follows waits for the other side's words.
    return isAwaitingWords ? .securing : .connecting
  }

  package func connect(now: UInt64) throws(ConnectionFailure) -> Bool {
    if socket >= 0 { return true }
    var running: Int32 = 0
    try withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 16) {
      events throws(ConnectionFailure) in
      let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), 0)
      for event in events.prefix(Int(max(count, 0))) {
        var what: Int32 = 0
        if event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { what |= CURL_CSELECT_IN }
        if event.events & EPOLLOUT.rawValue != 0 { what |= CURL_CSELECT_OUT }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { what |= CURL_CSELECT_ERR }
        curl_multi_socket_action(multi, event.data.fd, what, &running)
      }
    }
    if let due = connectDeadline, now >= due {
      connectDeadline = nil
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
    }
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let status = message.pointee.data.result
      guard status == CURLE_OK else { throw failure(status) }
      connectDeadline = nil
      try adoptSocket()
      return true
    }
    return false
  }

  /// libcurl is done with events; the socket is ours to watch.
  private func adoptSocket() throws(ConnectionFailure) {
    var connected: curl_socket_t = -1
    guard curl_easy_getinfo_socket(easy, CURLINFO_ACTIVESOCKET, &connected) == CURLE_OK, connected >= 0 else {
      throw ConnectionFailure(.connect, "\(endpoint.description) closed the connection at once")
    }
    guard register(connected, EPOLLIN.rawValue | EPOLLRDHUP.rawValue) else {
      throw ConnectionFailure(
        .resources, "cannot watch the socket of \(endpoint.description): \(errnoText())")
    }
    socket = connected
  }

  private func register(_ descriptor: Int32, _ events: UInt32) -> Bool {
    var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
    if epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0 { return true }
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
  }

  // MARK: Reading and writing

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionFailure) -> StreamRead {
    var count = 0
    reason[0] = 0
    switch curl_easy_recv(easy, buffer.baseAddress, buffer.count, &count) {
    case CURLE_OK where count == 0: return .end
    // A short read empties a plain socket; TLS may hold another record that no event will tell of.
    case CURLE_OK: return .bytes(count, isDrained: !endpoint.isSecure && count < buffer.count)
    case CURLE_AGAIN: return .wouldBlock
    case let status: throw broken(status)
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(ConnectionFailure) -> Int {
    var count = 0
    reason[0] = 0
    switch curl_easy_send(easy, bytes.baseAddress, bytes.count, &count) {
    case CURLE_OK: return count
    case CURLE_AGAIN: return 0
    case let status: throw broken(status)
    }
  }

  package func watch(forWriting wanted: Bool) {
    guard socket >= 0, wanted != isWatchedForWriting else { return }
    isWatchedForWriting = wanted
    let events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | (wanted ? EPOLLOUT.rawValue : 0)
    // Fails only for a descriptor that is gone, which the next read reports.
    _ = register(socket, events)
  }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    if socket >= 0 { _ = epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil) }
    socket = -1
    // Closes the connection of a connect-only handle.
    if isAdded { curl_multi_remove_handle(multi, easy) }
  }

  // MARK: Options

  private func configure(_ configuration: Configuration) throws(ConnectionFailure) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    curl_multi_setopt_socket_function(multi, watchCurlSocket)
    curl_multi_setopt_pointer(multi, CURLMOPT_SOCKETDATA, me)
    curl_multi_setopt_timer_function(multi, setCurlTimer)
    curl_multi_setopt_pointer(multi, CURLMOPT_TIMERDATA, me)
    curl_easy_setopt_pointer(easy, CURLOPT_ERRORBUFFER, reason)
    curl_easy_setopt_private_sockets(easy)
    // Signals would reach other threads of the host.
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_CONNECT_ONLY, 1)
    // Otherwise HTTP/2 is agreed on in TLS and the upgrade fails.
    try set(CURLOPT_HTTP_VERSION, UInt32(CURL_HTTP_VERSION_1_1))
    // Otherwise a proxy gets ws:// as a plain GET.
    try set(CURLOPT_HTTPPROXYTUNNEL, 1)
    // Otherwise closing waits for a name lookup that hangs.
    try set(CURLOPT_QUICK_EXIT, 1)
    // Caps a single read; touched only as far as used.
    try set(CURLOPT_BUFFERSIZE, 262_144)
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    // The machine's deadline governs; libcurl's own default of 300 s must not come before it.
    let timeout = configuration.connectTimeout.nanoseconds / 1_000_000
    try set(CURLOPT_CONNECTTIMEOUT_MS, UInt32(min(timeout + 60_000, UInt64(Int32.max))))
    try set(CURLOPT_URL, endpoint.httpURL)
    switch configuration.proxy {
    case .environment: break
    case .none: try set(CURLOPT_PROXY, "")
    case .url(let url): try set(CURLOPT_PROXY, url)
    }
    let tls = configuration.tls
    for (peer, host) in [
      (CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST),
      (CURLOPT_PROXY_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYHOST),
    ] {
      try set(peer, tls.isVerified ? 1 : 0)
      try set(host, tls.isVerified ? 2 : 0)
    }
    if let file = tls.caFile {
      try checkReadable(file, "ca_file")
      try set(CURLOPT_CAINFO, file)
      try set(CURLOPT_PROXY_CAINFO, file)
      // Otherwise the system's authorities are trusted beside the file's.
      curl_easy_setopt_string(easy, CURLOPT_CAPATH, nil)
      curl_easy_setopt_string(easy, CURLOPT_PROXY_CAPATH, nil)
    } else if SystemAuthorities.areIndexed {
      curl_easy_setopt_string(easy, CURLOPT_CAINFO, nil)
      curl_easy_setopt_string(easy, CURLOPT_PROXY_CAINFO, nil)
    }
    if let file = tls.clientCertificate {
      try checkReadable(file, "client_certificate")
      try set(CURLOPT_SSLCERT, file)
    }
    if let file = tls.clientKey {
      try checkReadable(file, "client_key")
      try set(CURLOPT_SSLKEY, file)
    }
  }

  private func set(_ option: CURLoption, _ value: UInt32) throws(ConnectionFailure) {
    guard curl_easy_setopt_long(easy, option, Int(value)) == CURLE_OK else { throw Self.outOfMemory }
  }

  private func set(_ option: CURLoption, _ value: String) throws(ConnectionFailure) {
    guard curl_easy_setopt_string(easy, option, value) == CURLE_OK else { throw Self.outOfMemory }
  }

  private func checkReadable(_ file: String, _ option: String) throws(ConnectionFailure) {
    guard access(file, R_OK) == 0 else {
      throw ConnectionFailure(
        .configuration(option: option), "invalid '\(option)': cannot read \(file): \(errnoText())")
    }
  }

  // MARK: Failures

  /// libcurl's own words for what went wrong last; empty when it had none.
  private var reasonText: String { String(cString: reason) }

  private func failure(_ status: CURLcode) -> ConnectionFailure {
    var systemError = 0
    var proxyStatus = 0
    curl_easy_getinfo_long(easy, CURLINFO_OS_ERRNO, &systemError)
    curl_easy_getinfo_long(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
    return CurlFailure(
      status: status, reason: reasonText, systemError: Int32(truncatingIfNeeded: systemError),
      proxyStatus: proxyStatus
    ).connectFailure(to: endpoint)
  }

  private func broken(_ status: CURLcode) -> ConnectionFailure {
    CurlFailure(status: status, reason: reasonText, systemError: 0, proxyStatus: 0)
      .streamFailure(of: endpoint)
  }

  // MARK: Calls from libcurl

  fileprivate func watch(_ descriptor: Int32, _ what: Int32) {
    if what == CURL_POLL_REMOVE {
      // Fails when libcurl has closed the socket already: then the kernel has forgotten it too.
      _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
      return
    }
    isAwaitingWords = what & CURL_POLL_OUT == 0
    var events: UInt32 = 0
    if what & CURL_POLL_IN != 0 { events |= EPOLLIN.rawValue }
    if what & CURL_POLL_OUT != 0 { events |= EPOLLOUT.rawValue }
    // A descriptor that cannot be watched makes the connect run into its deadline.
    _ = register(descriptor, events)
  }

  fileprivate func setTimer(milliseconds: Int) {
    connectDeadline = milliseconds < 0 ? nil : monotonicNanoseconds() + UInt64(milliseconds) * 1_000_000
  }
}

private func watchCurlSocket(
  easy: UnsafeMutableRawPointer?, descriptor: curl_socket_t, what: Int32, stream: UnsafeMutableRawPointer?,
  socketData: UnsafeMutableRawPointer?
) -> Int32 {
  guard let stream else { return -1 }
  Unmanaged<CurlByteStream>.fromOpaque(stream).takeUnretainedValue().watch(descriptor, what)
  return 0
}

private func setCurlTimer(
  multi: UnsafeMutableRawPointer?, milliseconds: Int, stream: UnsafeMutableRawPointer?
) -> Int32 {
  guard let stream else { return -1 }
  Unmanaged<CurlByteStream>.fromOpaque(stream).takeUnretainedValue().setTimer(milliseconds: milliseconds)
  return 0
}
