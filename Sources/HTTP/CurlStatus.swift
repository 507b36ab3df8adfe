internal import CCurl
internal import Glibc

/// What libcurl says went wrong, and its translation into one sentence without secrets.
struct CurlStatus {
  var status: CURLcode
  /// The error buffer's text; may be empty.
  var reason: String
  var origin: Origin
  /// The errno of a failed connect, zero for none.
  var systemError: Int32
  /// The status of a proxy's answer to CONNECT, zero for none.
  var proxyStatus: Int
  /// The last code that the server answered, zero for none.
  var code: Int
  var hasConnected: Bool
  var connectTimeout: Duration
  var timeout: Duration

  var failure: TransferFailure {
    if proxyStatus != 0, proxyStatus / 100 != 2 {
      let hint = proxyStatus == 407 ? "; it wants a user and a password in the proxy's URL" : ""
      return TransferFailure(
        .proxy, "the proxy refused the way to \(origin) with the status \(proxyStatus)\(hint)")
    }
    if status == CURLE_PROXY || reason.contains("Unsupported proxy") {
      return TransferFailure(.proxy, "the proxy on the way to \(origin) failed")
    }
    if status == CURLE_LOGIN_DENIED {
      return TransferFailure(
        .refused(code: code), "\(origin) refused the user or the password, with the code \(code)")
    }
    if !origin.scheme.hasPrefix("http"), code >= 400 {
      return TransferFailure(.refused(code: code), "\(origin) refused the message with the code \(code)")
    }
    return connectFailure ?? securityFailure ?? laterFailure
  }

  private var connectFailure: TransferFailure? {
    switch status {
    case CURLE_COULDNT_RESOLVE_HOST:
      TransferFailure(
        .nameResolution,
        "cannot resolve the name \(origin.host) of \(origin) (DNS); check the spelling and the network")
    case CURLE_COULDNT_RESOLVE_PROXY:
      TransferFailure(.nameResolution, "cannot resolve the name of the proxy on the way to \(origin) (DNS)")
    case CURLE_COULDNT_CONNECT:
      TransferFailure(
        .connect,
        "cannot connect to \(origin) (port \(origin.port)): "
          + (systemError != 0 ? String(cString: strerror(systemError)) : "nobody answered"))
    case CURLE_OPERATION_TIMEDOUT where !hasConnected:
      TransferFailure(
        .timeout, "no connection to \(origin) within \(Self.text(min(connectTimeout, timeout)))")
    case CURLE_OPERATION_TIMEDOUT:
      TransferFailure(.timeout, "no answer from \(origin) within \(Self.text(timeout))")
    default: nil
    }
  }

  private var securityFailure: TransferFailure? {
    switch status {
    case CURLE_PEER_FAILED_VERIFICATION:
      return TransferFailure(
        .tls, "the certificate of \(origin) was refused: \(detail); check the host name and ca_file")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      let isPlain = reason.contains("wrong version number") || reason.contains("SSL_ERROR_SYSCALL")
      let hint = isPlain ? "; the port may not speak TLS" : ""
      return TransferFailure(.tls, "the TLS handshake with \(origin) failed: \(detail)\(hint)")
    case CURLE_USE_SSL_FAILED:
      return TransferFailure(.tls, "\(origin) doesn't offer STARTTLS, which the settings demand")
    case CURLE_SSL_CACERT_BADFILE:
      return TransferFailure(.tls, "the file of authorities for \(origin) cannot be used: \(detail)")
    case CURLE_SSL_CERTPROBLEM:
      return TransferFailure(.tls, "the client certificate or key for \(origin) cannot be used: \(detail)")
    default: return nil
    }
  }

  private var laterFailure: TransferFailure {
    switch status {
    case CURLE_OUT_OF_MEMORY: TransferFailure(.resources, "no memory for a request to \(origin)")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_NOT_BUILT_IN:
      TransferFailure(.invalid, "\(origin) can't be used: \(detail)")
    default: TransferFailure(.dropped, "the connection to \(origin) broke: \(detail)")
    }
  }

  /// libcurl's reason, or its name for the status where the reason may show a URL or an address of mail.
  private var detail: String {
    let text = reason.isEmpty ? String(cString: curl_easy_strerror(status)) : reason
    let isPrivate = ["://", "@", "?"].contains { text.contains($0) }
    return isPrivate ? String(cString: curl_easy_strerror(status)) : text.trimmingBlanks
  }

  private static func text(_ duration: Duration) -> String {
    let milliseconds = duration / .milliseconds(1)
    return milliseconds >= 1_000 && milliseconds.truncatingRemainder(dividingBy: 1_000) == 0
      ? "\(Int(milliseconds / 1_000)) s" : "\(Int(milliseconds)) ms"
  }
}

extension String {
  /// The text without white space at its end, where libcurl's reasons have some.
  fileprivate var trimmingBlanks: String {
    String(self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)])
  }
}
