/// Numbers of bytes as a configuration writes them: a whole number and `B`, a decimal or a binary unit.
package enum SizeText {
  private static let units: [(name: String, bytes: Int64)] = [
    ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10),
    ("KB", 1_000), ("kB", 1_000), ("B", 1),
  ]

  /// Reads a number of bytes; nil for any other text and for numbers beyond `Int64`.
  package static func read(_ text: String) -> Int64? {
    guard let (count, unit) = splitQuantity(text),
      let factor = units.first(where: { $0.name == unit })?.bytes
    else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }

  /// Writes a number of bytes in the largest unit that holds it exactly.
  static func write(_ bytes: Int64) -> String {
    guard bytes != 0 else { return "0B" }
    let unit = units.first { bytes % $0.bytes == 0 } ?? ("B", 1)
    return "\(bytes / unit.bytes)\(unit.name)"
  }
}

/// Splits `16MB` into 16 and `MB`; nil without digits in front or beyond `Int64`.
private func splitQuantity(_ text: String) -> (count: Int64, unit: String)? {
  let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  guard let count = Int64(Substring(digits)) else { return nil }
  return (count, String(text[digits.endIndex...]))
}
