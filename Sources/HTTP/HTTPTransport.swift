internal import CCurl
package import Composable

/// Makes HTTP requests through a ``TransferLoop``, with bounds on everything.
///
/// Redirects are followed for GET and HEAD, and for other methods only where the answer keeps the method (307,
/// 308) and the origin: nothing is ever sent again that the server could take for something else. None leads to
/// another scheme. On the way to another origin the request's own headers are left behind, as they may be secret.
package struct HTTPTransport: Sendable {
  /// Bounds and proofs.
  package struct Options: Sendable, Hashable {
    package var tls = TLSOptions()
    /// From the start to a connection that can be used.
    package var connectTimeout = Duration.seconds(10)
    package var maximumRequestBytes = 1 << 20
    package var maximumResponseBytes = 1 << 20
    /// Whether an answer beyond the bound is cut there, and one that breaks off behind its head taken as it is,
    /// in place of a failure: for those who only ask whether the server has accepted something.
    package var cutsLongBodies = false
    package var maximumRedirects = 5
    package var userAgent = "pipeline"

    /// The defaults.
    package init() {}
  }

  private let loop: TransferLoop
  private let options: Options

  /// Makes a transport on a loop.
  package init(_ loop: TransferLoop, options: Options = Options()) {
    self.loop = loop
    self.options = options
  }

  /// The transport as the dependency that features and channels ask for.
  package var client: HTTPClient { HTTPClient { try await send($0) } }

  /// Makes a request and returns its response, whatever its status.
  ///
  /// - Throws: ``TransferFailure``, or `CancellationError`.
  package func send(_ first: HTTPClient.Request) async throws -> HTTPClient.Response {
    var request = first
    let deadline = ContinuousClock.now + first.timeout
    var redirects = 0
    while true {
      let answer = try await loop.perform(try transfer(request))
      guard let target = answer.redirect, let next = try Self.redirected(request, answer.status, to: target)
      else {
        return HTTPClient.Response(status: answer.status, headers: answer.headers, body: answer.body)
      }
      let origin = try Origin(first.url)
      redirects += 1
      guard redirects <= options.maximumRedirects else {
        throw TransferFailure(.redirect, "\(origin) redirects more than \(options.maximumRedirects) times")
      }
      request = next
      request.timeout = deadline - ContinuousClock.now
      guard request.timeout > .zero else {
        throw TransferFailure(
          .timeout, "no answer from \(origin) within \(first.timeout), redirects included")
      }
    }
  }

  private func transfer(_ request: HTTPClient.Request) throws(TransferFailure) -> TransferRequest {
    let origin = try Origin(request.url)
    guard request.method.isHTTPToken else {
      throw TransferFailure(
        .invalid, "the method of a request to \(origin) is none: expected one as GET or POST")
    }
    for field in request.headers where !field.name.isHTTPToken || !field.value.isHeaderValue {
      let shown = field.name.isHTTPToken ? "the value of '\(field.name)'" : "the name of one"
      throw TransferFailure(.invalid, "a header of a request to \(origin) can't be sent: \(shown) is invalid")
    }
    guard request.body.count <= options.maximumRequestBytes else {
      throw TransferFailure(
        .invalid,
        "the body for \(origin) has \(request.body.count) bytes, more than \(options.maximumRequestBytes)")
    }
    // A header without a value is written with a semicolon for libcurl.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // Not asked before a body is sent: many servers don't answer.
    lines.append("Expect:")
    // Otherwise libcurl calls every body a form.
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    let userAgent = options.userAgent
    var transfer = TransferRequest(url: request.url, schemes: ["http", "https"]) {
      [lines] handle throws(TransferFailure) in
      try handle.set(CURLOPT_USERAGENT, userAgent)
      if request.method == "HEAD" {
        try handle.set(CURLOPT_NOBODY, 1)
      } else if request.method != "GET" || !request.body.isEmpty {
        try handle.setBody(request.body)
      }
      try handle.set(CURLOPT_CUSTOMREQUEST, request.method)
      try handle.set(CURLOPT_HTTPHEADER, lines)
    }
    transfer.tls = options.tls
    transfer.connectTimeout = min(options.connectTimeout, request.timeout)
    transfer.timeout = request.timeout
    transfer.maximumBodyBytes = options.maximumResponseBytes
    transfer.cutsBody = options.cutsLongBodies
    return transfer
  }

  /// The request that a redirect leads to; nil where it is not followed and the answer stands.
  private static func redirected(
    _ request: HTTPClient.Request, _ status: Int, to target: String
  ) throws(TransferFailure) -> HTTPClient.Request? {
    let old = try Origin(request.url)
    let new: Origin
    do {
      new = try Origin(target)
    } catch {
      throw TransferFailure(.redirect, "\(old) redirects to something that is no URL with a host")
    }
    guard old.scheme == new.scheme else {
      throw TransferFailure(
        .redirect, "\(old) redirects to \(new), with another scheme; write the new URL if you trust it")
    }
    let isRead = request.method == "GET" || request.method == "HEAD"
    guard isRead || (old == new && (status == 307 || status == 308)) else { return nil }
    var next = request
    next.url = target
    if old != new { next.headers = request.headers.filter { $0.name.lowercased() == "accept" } }
    return next
  }
}
