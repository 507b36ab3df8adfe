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
    /// The URL of the proxy to go through; nil for the one that the environment names.
    package var proxy: String?

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
      let answer = try await loop.perform(try options.transfer(request))
      guard let target = answer.redirect, let next = try request.redirected(answer.status, to: target)
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
}
