internal import CCurl
internal import Composable

extension HTTPTransport.Options {
  /// What libcurl is to do for a request.
  ///
  /// - Throws: ``TransferFailure`` of kind `invalid` for a request that can't be sent.
  func transfer(_ request: HTTPClient.Request) throws(TransferFailure) -> TransferRequest {
    let origin = try Origin(request.url)
    guard request.method.isHTTPToken else {
      throw TransferFailure(
        .invalid, "the method of a request to \(origin) is none: expected one as GET or POST")
    }
    for field in request.headers where !field.name.isHTTPToken || !field.value.isHeaderValue {
      let shown = field.name.isHTTPToken ? "the value of '\(field.name)'" : "the name of one"
      throw TransferFailure(.invalid, "a header of a request to \(origin) can't be sent: \(shown) is invalid")
    }
    guard request.body.count <= maximumRequestBytes else {
      throw TransferFailure(
        .invalid,
        "the body for \(origin) has \(request.body.count) bytes, more than \(maximumRequestBytes)")
    }
    // A header without a value is written with a semicolon for libcurl.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // Not asked before a body is sent: many servers don't answer.
    lines.append("Expect:")
    // Otherwise libcurl calls every body a form.
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    let (userAgent, proxy) = (userAgent, proxy)
    var transfer = TransferRequest(url: request.url, schemes: ["http", "https"]) {
      [lines] handle throws(TransferFailure) in
      try handle.set(CURLOPT_USERAGENT, userAgent)
      if let proxy { try handle.set(CURLOPT_PROXY, proxy) }
      if request.method == "HEAD" {
        try handle.set(CURLOPT_NOBODY, 1)
      } else if request.method != "GET" || !request.body.isEmpty {
        try handle.setBody(request.body)
      }
      try handle.set(CURLOPT_CUSTOMREQUEST, request.method)
      try handle.set(CURLOPT_HTTPHEADER, lines)
    }
    transfer.tls = tls
    transfer.connectTimeout = min(connectTimeout, request.timeout)
    transfer.timeout = request.timeout
    transfer.maximumBodyBytes = maximumResponseBytes
    transfer.cutsBody = cutsLongBodies
    return transfer
  }
}

extension HTTPClient.Request {
  /// The request that a redirect leads to; nil where it is not followed and the answer stands.
  func redirected(_ status: Int, to target: String) throws(TransferFailure) -> HTTPClient.Request? {
    let old = try Origin(url)
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
    let isRead = method == "GET" || method == "HEAD"
    guard isRead || (old == new && (status == 307 || status == 308)) else { return nil }
    var next = self
    next.url = target
    if old != new { next.headers = headers.filter { $0.name.lowercased() == "accept" } }
    return next
  }
}
