internal import CCurl

/// A transfer under way: the handle, what has come so far, and who waits for it.
final class ActiveTransfer {
  let id: UInt64
  let handle: EasyHandle
  let waiter: CheckedContinuation<TransferAnswer, any Error>
  private let collector: AnswerCollector
  private let origin: Origin
  private let request: TransferRequest

  init(
    id: UInt64, _ request: TransferRequest, waiter: CheckedContinuation<TransferAnswer, any Error>
  ) throws(TransferFailure) {
    self.id = id
    self.waiter = waiter
    self.request = request
    origin = try Origin(request.url)
    guard request.schemes.contains(origin.scheme) else {
      throw TransferFailure(
        .invalid, "\(origin) can't be used: expected \(request.schemes.joined(separator: " or "))")
    }
    handle = try EasyHandle()
    collector = AnswerCollector(maximumBodyBytes: request.maximumBodyBytes)
    try configure()
    try request.configure(handle)
  }

  private func configure() throws(TransferFailure) {
    try handle.set(CURLOPT_URL, request.url)
    try handle.set(CURLOPT_PROTOCOLS_STR, request.schemes.joined(separator: ","))
    // Signals would reach other threads of the host.
    try handle.set(CURLOPT_NOSIGNAL, 1)
    // Otherwise the end of a request waits for a name lookup that hangs.
    try handle.set(CURLOPT_QUICK_EXIT, 1)
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectTimeout))
    try handle.set(CURLOPT_TIMEOUT_MS, Self.milliseconds(request.timeout))
    try handle.set(request.tls)
    let collector = Unmanaged.passUnretained(collector).toOpaque()
    curl_easy_setopt_write_function(handle.pointer, CURLOPT_HEADERFUNCTION, takeHeaderLine)
    curl_easy_setopt_pointer(handle.pointer, CURLOPT_HEADERDATA, collector)
    curl_easy_setopt_write_function(handle.pointer, CURLOPT_WRITEFUNCTION, takeBody)
    curl_easy_setopt_pointer(handle.pointer, CURLOPT_WRITEDATA, collector)
  }

  /// Gives the waiter what became of it; the last call.
  func finish(_ status: CURLcode) {
    guard status == CURLE_OK || (request.cutsBody && collector.hasHead) else {
      waiter.resume(throwing: failure(status))
      return
    }
    waiter.resume(
      returning: TransferAnswer(
        status: handle.number(CURLINFO_RESPONSE_CODE), headers: collector.headers, body: collector.body,
        redirect: handle.text(CURLINFO_REDIRECT_URL)))
  }

  private func failure(_ status: CURLcode) -> TransferFailure {
    if collector.isTooLarge {
      let bound = "\(request.maximumBodyBytes) bytes, or its head than \(AnswerCollector.maximumHeadBytes)"
      return TransferFailure(.tooLarge, "the answer of \(origin) is larger than \(bound)")
    }
    return CurlStatus(
      status: status, reason: handle.reasonText, origin: origin,
      systemError: Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO)),
      proxyStatus: handle.number(CURLINFO_HTTP_CONNECTCODE), code: handle.number(CURLINFO_RESPONSE_CODE),
      hasConnected: hasConnected, connectTimeout: request.connectTimeout, timeout: request.timeout
    ).failure
  }

  /// Whether what was missing is an answer, not a connection. Mail's dialogue begins before the transfer proper.
  private var hasConnected: Bool {
    handle.hasReached(origin.scheme.hasPrefix("http") ? CURLINFO_PRETRANSFER_TIME_T : CURLINFO_CONNECT_TIME_T)
  }

  /// At least one millisecond: to libcurl zero is its own default.
  private static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds < 86_400 * 365 else { return 86_400 * 365 * 1_000 }
    return max(Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000), 1)
  }
}

private let takeHeaderLine: curl_write_callback = { bytes, size, count, collector in
  guard let bytes, let collector else { return 0 }
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return Unmanaged<AnswerCollector>.fromOpaque(collector).takeUnretainedValue().add(headerLine: line)
    ? line.count : 0
}

private let takeBody: curl_write_callback = { bytes, size, count, collector in
  guard let collector else { return 0 }
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return Unmanaged<AnswerCollector>.fromOpaque(collector).takeUnretainedValue().add(body: piece)
    ? piece.count : 0
}
