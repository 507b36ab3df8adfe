/// Where a connection goes, and what it may bring along: changes with each redirect.
package struct Destination: Equatable, Sendable {
  /// The most redirects followed in a row.
  package static let maximumRedirects = 5

  /// The server to connect to.
  package var endpoint: Endpoint
  /// The caller's header fields, less those that a redirect took away.
  package var headers: [HeaderField]
  /// Redirects followed so far.
  package var redirects = 0

  package init(endpoint: Endpoint, headers: [HeaderField]) {
    self.endpoint = endpoint
    self.headers = headers
  }

  /// The destination that a redirect leads to.
  ///
  /// On a new origin `Authorization`, `Cookie`, `Proxy-Authorization`, a `Host` of one's own and the credentials
  /// of the URL stay behind.
  /// - Throws: a failure of kind `redirect` after five in a row, for a location that is no URL, or from wss to ws.
  package func following(location: String) throws(ConnectionFailure) -> Destination {
    guard redirects < Self.maximumRedirects else {
      throw ConnectionFailure(
        .redirect,
        "gave up after \(Self.maximumRedirects) redirects in a row, the last from \(endpoint.description)")
    }
    guard var target = endpoint.resolving(location: location) else {
      throw ConnectionFailure(.redirect, "\(endpoint.description) redirects to something that is not a URL")
    }
    guard target.isSecure || !endpoint.isSecure else {
      throw ConnectionFailure(
        .redirect, "\(endpoint.description) redirects from wss to ws, which would give up encryption")
    }
    var next = self
    next.redirects += 1
    if target.hasOrigin(of: endpoint) {
      if target.credentials == nil { target.credentials = endpoint.credentials }
    } else {
      target.credentials = nil
      next.headers.removeAll { field in Self.bound.contains { field.isNamed($0) } }
    }
    next.endpoint = target
    return next
  }

  private static let bound = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]
}
