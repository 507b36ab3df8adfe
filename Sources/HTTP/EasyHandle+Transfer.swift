internal import CCurl

extension EasyHandle {
  /// Applies a URL, its bounds, and what all transfers share.
  func configure(_ request: TransferRequest) throws(TransferFailure) {
    try set(CURLOPT_URL, request.url)
    try set(CURLOPT_PROTOCOLS_STR, request.schemes.joined(separator: ","))
    // Signals would reach other threads of the host.
    try set(CURLOPT_NOSIGNAL, 1)
    // Otherwise the end of a request waits for a name lookup that hangs.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    try set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectTimeout))
    // Zero is no bound; libcurl doesn't count beyond 49 days.
    let isBounded = request.timeout < .seconds(86_400 * 45)
    try set(CURLOPT_TIMEOUT_MS, isBounded ? Self.milliseconds(request.timeout) : 0)
    try set(request.tls)
  }

  /// Lets a collector take what comes; it must live as long as the handle.
  func collect(into collector: AnswerCollector) {
    let collector = Unmanaged.passUnretained(collector).toOpaque()
    curl_easy_setopt_write_function(pointer, CURLOPT_HEADERFUNCTION, takeHeaderLine)
    curl_easy_setopt_pointer(pointer, CURLOPT_HEADERDATA, collector)
    curl_easy_setopt_write_function(pointer, CURLOPT_WRITEFUNCTION, takeBody)
    curl_easy_setopt_pointer(pointer, CURLOPT_WRITEDATA, collector)
  }

  /// At least one millisecond: to libcurl zero is its own default.
  private static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds < 86_400 * 45 else { return 86_400 * 45 * 1_000 }
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
