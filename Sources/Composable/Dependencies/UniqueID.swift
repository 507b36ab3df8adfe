/// A universally unique identifier of 128 bits (RFC 9562).
public struct UniqueID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The first 64 bits.
  public let high: UInt64
  /// The last 64 bits.
  public let low: UInt64

  /// Makes an identifier of its bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes the identifier `00000000-0000-0000-0000-…` of a number, for tests.
  public init(_ number: UInt64) { self.init(high: 0, low: number) }

  /// Makes a random identifier (version 4).
  public static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(
      high: generator.next() & ~0xF000 | 0x4000,
      low: generator.next() & ~(0b11 << 62) | 0b10 << 62)
  }

  /// 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  public var description: String {
    let digits = [high, low].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  /// Whether the first comes before the second.
  public static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
