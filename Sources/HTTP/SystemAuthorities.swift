internal import CCurl
internal import Glibc

/// The system's certificate authorities, of which libcurl knows a bundle and a directory.
///
/// Reading the bundle costs some 20 ms of processor time at each connect, in the owner's thread; from an indexed
/// directory OpenSSL takes just the one file it needs.
package enum SystemAuthorities {
  /// True when libcurl's default directory holds files named by hash, as `openssl rehash` makes them.
  package static let areIndexed: Bool = {
    guard let easy = curl_easy_init() else { return false }
    defer { curl_easy_cleanup(easy) }
    var path: UnsafeMutablePointer<CChar>?
    guard curl_easy_getinfo_string(easy, CURLINFO_CAPATH, &path) == CURLE_OK, let path,
      let directory = opendir(path)
    else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.utf8.count == 10, name.hasSuffix(".0") { return true }
    }
    return false
  }()
}
