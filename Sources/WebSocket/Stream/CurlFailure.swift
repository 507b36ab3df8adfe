import CCurl
import Glibc

/// What libcurl says went wrong, and its translation into one sentence without secrets.
struct CurlFailure {
  var status: CURLcode
  /// The error buffer's text; may be empty.
  var reason: String
  /// The errno of a failed connect, zero for none.
  var systemError: Int32
  /// The status of a proxy's answer to CONNECT, zero for none.
  var proxyStatus: Int

  /// The failure of a connect.
  func connectFailure(to endpoint: Endpoint) -> ConnectionFailure {
    let name = endpoint.description
    if proxyStatus != 0, proxyStatus / 100 != 2 {
      let hint = proxyStatus == 407 ? "; it wants a user and a password in the proxy's URL" : ""
      return ConnectionFailure(
        .proxy, "the proxy refused the way to \(name) with the status \(proxyStatus)\(hint)")
    }
    // libcurl's words for it may repeat the proxy's URL with its password.
    if status == CURLE_PROXY || status == CURLE_UNSUPPORTED_PROTOCOL || reason.contains("Unsupported proxy") {
      return ConnectionFailure(
        .proxy, "the proxy on the way to \(name) failed or its URL has a scheme that is not supported")
    }
    switch status {
    case CURLE_COULDNT_RESOLVE_HOST:
      return ConnectionFailure(
        .nameResolution,
        "cannot resolve the name \(endpoint.host) of \(name) (DNS); check the spelling and the network")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return ConnectionFailure(
        .nameResolution, "cannot resolve the name of the proxy on the way to \(name) (DNS)")
    case CURLE_COULDNT_CONNECT:
      let why = systemError != 0 ? errnoText(systemError) : "nobody answered"
      return ConnectionFailure(.connect, "cannot connect to \(name) (port \(endpoint.port)): \(why)")
    case CURLE_OPERATION_TIMEDOUT:
      return ConnectionFailure(.connectTimeout, "no connection to \(name) in time")
    case CURLE_PEER_FAILED_VERIFICATION:
      return ConnectionFailure(
        .tls, "the certificate of \(name) was refused: \(detail); check the host name and ca_file")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_USE_SSL_FAILED, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      let isPlain = reason.contains("wrong version number") || reason.contains("SSL_ERROR_SYSCALL")
      let hint = isPlain ? "; the port may not speak TLS" : ""
      return ConnectionFailure(.tls, "the TLS handshake with \(name) failed: \(detail)\(hint)")
    case CURLE_SSL_CACERT_BADFILE:
      return ConnectionFailure(.tls, "the file of authorities for \(name) cannot be used: \(detail)")
    case CURLE_SSL_CERTPROBLEM:
      return ConnectionFailure(.tls, "the client certificate or key for \(name) cannot be used: \(detail)")
    case CURLE_OUT_OF_MEMORY:
      return ConnectionFailure(.resources, "no memory for a connection to \(name)")
    default:
      return ConnectionFailure(.connect, "cannot connect to \(name): \(detail)")
    }
  }

  /// The failure of a stream that had been connected.
  func streamFailure(of endpoint: Endpoint) -> ConnectionFailure {
    let isAlert = endpoint.isSecure && reason.contains("alert")
    return ConnectionFailure(
      isAlert ? .tls : .dropped, "the connection to \(endpoint.description) broke: \(detail)")
  }

  /// libcurl's reason, or its name for the status; without a proxy's URL.
  private var detail: String {
    let text = reason.isEmpty ? String(cString: curl_easy_strerror(status)) : reason
    let isPrivate = text.contains("://") || text.contains("@")
    return isPrivate ? String(cString: curl_easy_strerror(status)) : text.trimmingWhitespace()
  }
}
