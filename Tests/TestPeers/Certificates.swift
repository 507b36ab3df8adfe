/// Certificates made for one run of the tests, in a folder of their own.
///
/// An authority `ca`, and signed by it `server` for the loopback, `wrong` for another host, and `me` for a client.
package struct Certificates: Sendable {
  /// The folder with a `.pem` and a `.key` for each name.
  package let directory: String

  /// The file of the authority that signed the others.
  package var authority: String { "\(directory)/ca.pem" }

  /// Makes them with openssl, in a folder that exists.
  package init(in directory: String) throws {
    self.directory = directory
    let signed = ["-CA", "\(directory)/ca.pem", "-CAkey", "\(directory)/ca.key"]
    try request("ca", [])
    try request("server", signed + ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"])
    try request("wrong", signed + ["-addext", "subjectAltName=DNS:elsewhere.example"])
    try request("me", signed)
  }

  private func request(_ name: String, _ more: [String]) throws {
    try ChildProcess.run(
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-keyout", "\(directory)/\(name).key", "-out", "\(directory)/\(name).pem",
        "-subj", "/CN=\(name)",
      ] + more)
  }
}
