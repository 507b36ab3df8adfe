internal import CCurl

/// What a server's certificate says of itself.
package struct CertificateFacts: Sendable, Hashable {
  package var subject = ""
  package var issuer = ""
  /// The names and addresses it is for.
  package var hosts: [String] = []
  /// From when on it is valid, in seconds since 1970-01-01 UTC.
  package var begin: Int64?
  /// Until when it is valid, in seconds since 1970-01-01 UTC.
  package var end: Int64?

  /// Makes facts from their parts.
  package init(
    subject: String = "", issuer: String = "", hosts: [String] = [], begin: Int64? = nil, end: Int64? = nil
  ) {
    self.subject = subject
    self.issuer = issuer
    self.hosts = hosts
    self.begin = begin
    self.end = end
  }

  /// Reads the lines in which libcurl describes a certificate, such as `Subject:CN = example.org`.
  init(lines: [String]) {
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = String(line[line.index(after: colon)...])
      switch line[..<colon] {
      case "Subject": subject = Self.commonName(value)
      case "Issuer": issuer = Self.commonName(value)
      case "Start date": begin = Self.time(value)
      case "Expire date": end = Self.time(value)
      case "X509v3 Subject Alternative Name":
        for part in value.split(separator: ",") {
          let part = part.drop { $0 == " " }
          if let host = part.firstIndex(of: ":").map({ part[part.index(after: $0)...] }) {
            hosts.append(String(host))
          }
        }
      default: break
      }
    }
  }

  private static func commonName(_ name: String) -> String {
    let parts = name.split(separator: ",").map { $0.drop { $0 == " " } }
    for prefix in ["CN = ", "CN="] {
      if let part = parts.first(where: { $0.hasPrefix(prefix) }) {
        return String(part.dropFirst(prefix.count))
      }
    }
    return name
  }

  private static func time(_ text: String) -> Int64? {
    let time = curl_getdate(text, nil)
    return time < 0 ? nil : Int64(time)
  }
}
