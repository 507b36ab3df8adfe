public import Composable
internal import HTTP

extension HTTPClient {
  /// A client over libcurl, on a thread of its own; connections are kept open and used again.
  ///
  /// Redirects that keep the request as it is are followed. Cancelling the task ends the request. Failures are
  /// ``HTTPError``s, without what may be secret in a URL.
  ///
  /// - Parameters:
  ///   - maximumBytes: The longest body, of a request and of a response.
  ///   - authorities: A PEM file of authorities to trust instead of the system's.
  ///   - userAgent: How the client calls itself.
  public static func curl(
    maximumBytes: Int = 64 << 20, authorities: String? = nil, userAgent: String = "composable"
  ) -> Self {
    var options = HTTPTransport.Options()
    options.maximumRequestBytes = maximumBytes
    options.maximumResponseBytes = maximumBytes
    options.tls.authoritiesFile = authorities
    options.userAgent = userAgent
    let transport = HTTPTransport(TransferLoop(), options: options)
    return Self { request in
      do {
        return try await transport.send(request)
      } catch let failure as TransferFailure {
        throw HTTPError(HTTPError.Kind(failure.kind), failure.description)
      }
    }
  }
}

extension HTTPError.Kind {
  init(_ kind: TransferFailure.Kind) {
    self =
      switch kind {
      case .invalid: .invalidRequest
      case .nameResolution, .connect, .proxy: .unreachable
      case .tls: .security
      case .timeout: .timeout
      case .tooLarge: .tooLong
      case .dropped, .redirect, .refused, .resources: .broken
      }
  }
}
