/// The form of a URL, checked as far as a mistake in a configuration can be told from it.
enum URLText {
  /// Whether the text has one of the schemes, a host, a possible port, and no blanks or control characters.
  static func isValid(_ text: String, schemes: [String]) -> Bool {
    guard let separator = firstRange(of: "://", in: text),
      schemes.contains(text[..<separator.lowerBound].lowercased()),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { return false }
    let rest = text[separator.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let hostAndPort =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    if hostAndPort.hasPrefix("[") {
      guard let end = hostAndPort.firstIndex(of: "]"),
        hostAndPort.index(after: hostAndPort.startIndex) < end
      else { return false }
      return isPort(hostAndPort[hostAndPort.index(after: end)...])
    }
    let host = hostAndPort.prefix { $0 != ":" }
    return !host.isEmpty && isPort(hostAndPort[host.endIndex...])
  }

  /// The URL without what may be secret in it: user, password and query.
  static func redacted(_ text: String) -> String {
    var shown = text[...]
    if let query = shown.firstIndex(of: "?") { shown = shown[..<query] + "?…" }
    guard let separator = firstRange(of: "://", in: String(shown)) else { return String(shown) }
    let full = String(shown)
    let rest = full[separator.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return full }
    return full[..<separator.upperBound] + "…" + full[at...]
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || (text.first == ":" && UInt16(text.dropFirst()) != nil)
  }

  private static func firstRange(of part: String, in text: String) -> Range<String.Index>? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(part) {
        return start..<text.index(start, offsetBy: part.count)
      }
      start = text.index(after: start)
    }
    return nil
  }
}
