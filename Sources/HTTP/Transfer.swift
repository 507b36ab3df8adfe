internal import CCurl

/// One request on its way through libcurl: the handle, and what has come so far.
final class Transfer {
  let handle: EasyHandle
  let collector: AnswerCollector
  private let origin: Origin
  private let request: TransferRequest

  init(_ request: TransferRequest) throws(TransferFailure) {
    self.request = request
    origin = try Origin(request.url)
    guard request.schemes.contains(origin.scheme) else {
      throw TransferFailure(
        .invalid, "\(origin) can't be used: expected \(request.schemes.joined(separator: " or "))")
    }
    handle = try EasyHandle()
    collector = AnswerCollector(maximumBodyBytes: request.maximumBodyBytes)
    try handle.configure(request)
    handle.collect(into: collector)
    try request.configure(handle)
  }

  /// The answer behind the end of the transfer.
  func answer(_ status: CURLcode) throws(TransferFailure) -> TransferAnswer {
    guard status == CURLE_OK || (request.cutsBody && collector.hasHead) else { throw failure(status) }
    return TransferAnswer(
      status: self.status, headers: collector.headers, body: collector.body,
      redirect: handle.text(CURLINFO_REDIRECT_URL))
  }

  /// The status of the last head; zero before there is one.
  var status: Int { handle.number(CURLINFO_RESPONSE_CODE) }

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
}
