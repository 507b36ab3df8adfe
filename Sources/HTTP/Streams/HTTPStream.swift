internal import CCurl
package import Composable
internal import Glibc

/// HTTP requests one after the other, whose answers are handed on as they come.
///
/// It never blocks and has no thread: the owner watches ``fileDescriptor`` for readability, level-triggered, and
/// calls ``process(now:into:)`` when it is readable or ``nextDeadline`` has come. What isn't processed stays in the
/// socket, so a slow owner slows the server down. Connections are kept for the next request. Redirects are followed
/// as by ``HTTPTransport``. Any thread may own it, one at a time.
package final class HTTPStream {
  /// The most bytes that one call keeps before it hands them on; libcurl reads far less at once.
  private static let maximumPieceBytes = 32 << 20

  private let options: HTTPTransport.Options
  private let multi: SocketMulti
  private var request: HTTPClient.Request?
  private var transfer: Transfer?
  private var redirectCount = 0
  private var isAnswered = false
  private var piece: [UInt8] = []

  /// Makes a stream without a request yet.
  ///
  /// - Throws: ``TransferFailure`` of kind `resources`.
  package init(options: HTTPTransport.Options) throws(TransferFailure) {
    self.options = options
    multi = try SocketMulti()
  }

  deinit { cancel() }

  /// The one descriptor to watch.
  package var fileDescriptor: Int32 { multi.descriptor }

  /// When to call ``process(now:into:)`` even if nothing is readable, in monotonic nanoseconds; nil for never.
  package var nextDeadline: UInt64? { transfer == nil ? nil : multi.deadline }

  /// Whether a request is under way.
  package var isActive: Bool { transfer != nil }

  /// Begins a request, in place of one that is under way.
  ///
  /// A time-out of 45 days or more is none.
  ///
  /// - Throws: ``TransferFailure`` for a request that can't be made.
  package func start(_ request: HTTPClient.Request) throws(TransferFailure) {
    cancel()
    redirectCount = 0
    try begin(request)
  }

  /// Ends the request under way; nothing is reported of it any more.
  package func cancel() {
    guard let transfer else { return }
    curl_multi_remove_handle(multi.pointer, transfer.handle.pointer)
    self.transfer = nil
  }

  /// Does what can be done without waiting, and reports it.
  package func process(now: UInt64, into sink: inout some HTTPStreamSink) {
    guard transfer != nil else { return }
    multi.perform(now: now)
    report(into: &sink)
    guard let transfer, let result = multi.nextResult() else { return }
    curl_multi_remove_handle(multi.pointer, transfer.handle.pointer)
    self.transfer = nil
    do throws(TransferFailure) {
      let answer = try transfer.answer(result)
      if let target = answer.redirect, let request, try follow(request, answer.status, to: target) { return }
      if !isAnswered { sink.answered(status: answer.status, headers: answer.headers) }
      sink.finished()
    } catch {
      sink.failed(error)
    }
  }

  private func begin(_ request: HTTPClient.Request) throws(TransferFailure) {
    var work = try options.transfer(request)
    work.maximumBodyBytes = Self.maximumPieceBytes
    let transfer = try Transfer(work)
    // All that this libcurl can unpack; the bounds are those of what comes out of it.
    try transfer.handle.set(CURLOPT_ACCEPT_ENCODING, "")
    guard curl_multi_add_handle(multi.pointer, transfer.handle.pointer) == CURLM_OK else {
      throw .outOfMemory
    }
    self.transfer = transfer
    self.request = request
    isAnswered = false
  }

  private func follow(
    _ request: HTTPClient.Request, _ status: Int, to target: String
  ) throws(TransferFailure) -> Bool {
    guard let next = try request.redirected(status, to: target) else { return false }
    redirectCount += 1
    guard redirectCount <= options.maximumRedirects else {
      let origin = try Origin(request.url)
      throw TransferFailure(.redirect, "\(origin) redirects more than \(options.maximumRedirects) times")
    }
    try begin(next)
    return true
  }

  private func report(into sink: inout some HTTPStreamSink) {
    guard let transfer, transfer.collector.hasHead else { return }
    transfer.collector.drainBody(into: &piece)
    // Whether a redirect is followed shows at its end; its body is nobody's.
    guard !(300..<400).contains(transfer.status) || transfer.status == 304 else { return }
    if !isAnswered {
      isAnswered = true
      sink.answered(status: transfer.status, headers: transfer.collector.headers)
    }
    if !piece.isEmpty { piece.withUnsafeBytes { sink.received($0) } }
    // One huge piece must not hold its memory for ever.
    if piece.capacity > 4 << 20 { piece = [] }
  }
}
