package import CCurl

/// One transfer of libcurl with everything that must live as long as it.
///
/// Confined to the thread of the ``TransferLoop``.
package final class EasyHandle {
  /// libcurl's handle, for functions that have no method here.
  package let pointer: UnsafeMutableRawPointer
  /// Where libcurl writes its reasons; it wants the memory for the handle's life.
  private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  private var mime: OpaquePointer?

  init() throws(TransferFailure) {
    guard let pointer = curl_easy_init() else { throw .outOfMemory }
    self.pointer = pointer
    reason[0] = 0
    curl_easy_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, reason)
    curl_easy_setopt_private_sockets(pointer)
  }

  deinit {
    curl_easy_cleanup(pointer)
    for list in lists { curl_slist_free_all(list) }
    if let mime { curl_mime_free(mime) }
    reason.deallocate()
  }

  /// libcurl's own words for what went wrong last; empty when it had none.
  var reasonText: String { String(cString: reason) }

  /// Sets a number or a switch.
  package func set(_ option: CURLoption, _ value: Int) throws(TransferFailure) {
    guard curl_easy_setopt_long(pointer, option, value) == CURLE_OK else { throw .outOfMemory }
  }

  /// Sets a text, which libcurl copies.
  package func set(_ option: CURLoption, _ value: String) throws(TransferFailure) {
    guard curl_easy_setopt_string(pointer, option, value) == CURLE_OK else { throw .outOfMemory }
  }

  /// Sets a list of texts.
  package func set(_ option: CURLoption, _ values: [String]) throws(TransferFailure) {
    guard !values.isEmpty else { return }
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values {
      guard let longer = curl_slist_append(list, value) else {
        if let list { curl_slist_free_all(list) }
        throw .outOfMemory
      }
      list = longer
    }
    guard let list else { return }
    lists.append(list)
    guard curl_easy_setopt_list(pointer, option, list) == CURLE_OK else { throw .outOfMemory }
  }

  /// Sends bytes as the request's body.
  func setBody(_ bytes: [UInt8]) throws(TransferFailure) {
    let status = bytes.withUnsafeBytes { buffer in
      curl_easy_setopt_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(buffer.count))
      // The size comes first: the bytes are copied at once.
      let base = buffer.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
      return curl_easy_setopt_pointer(pointer, CURLOPT_COPYPOSTFIELDS, base)
    }
    guard status == CURLE_OK else { throw .outOfMemory }
  }

  /// Sends a text in parts of MIME, made by the closure.
  package func setMIME(_ build: (OpaquePointer) throws(TransferFailure) -> Void) throws(TransferFailure) {
    guard mime == nil, let made = curl_mime_init(pointer) else { throw .outOfMemory }
    mime = made
    try build(made)
    guard curl_easy_setopt_mime(pointer, CURLOPT_MIMEPOST, made) == CURLE_OK else { throw .outOfMemory }
  }

  /// Applies how the server proves who it is, to proxies as well.
  func set(_ tls: TLSOptions) throws(TransferFailure) {
    for (peer, host) in [
      (CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST),
      (CURLOPT_PROXY_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYHOST),
    ] {
      try set(peer, tls.isVerified ? 1 : 0)
      try set(host, tls.isVerified ? 2 : 0)
    }
    if let file = tls.authoritiesFile {
      try set(CURLOPT_CAINFO, file)
      try set(CURLOPT_PROXY_CAINFO, file)
      // Otherwise the system's authorities are trusted beside the file's.
      curl_easy_setopt_string(pointer, CURLOPT_CAPATH, nil)
      curl_easy_setopt_string(pointer, CURLOPT_PROXY_CAPATH, nil)
    } else if SystemAuthorities.areIndexed {
      curl_easy_setopt_string(pointer, CURLOPT_CAINFO, nil)
      curl_easy_setopt_string(pointer, CURLOPT_PROXY_CAINFO, nil)
    }
    if let file = tls.clientCertificate { try set(CURLOPT_SSLCERT, file) }
    if let file = tls.clientKey { try set(CURLOPT_SSLKEY, file) }
  }

  /// A number that libcurl knows about the transfer; zero if it doesn't.
  func number(_ info: CURLINFO) -> Int {
    var value = 0
    curl_easy_getinfo_long(pointer, info, &value)
    return value
  }

  /// A text that libcurl knows about the transfer.
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard curl_easy_getinfo_string(pointer, info, &value) == CURLE_OK, let value else { return nil }
    return String(cString: value)
  }

  /// Whether a point of the transfer was reached, by the info that tells its time.
  func hasReached(_ point: CURLINFO) -> Bool {
    var microseconds: curl_off_t = 0
    curl_easy_getinfo_offset(pointer, point, &microseconds)
    return microseconds > 0
  }
}

extension TransferFailure {
  static var outOfMemory: Self { Self(.resources, "no memory for a request") }
}
