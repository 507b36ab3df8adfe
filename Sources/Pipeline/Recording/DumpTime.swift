/// Where a message carries its time, and what a number there counts.
package struct DumpTime: Sendable {
  /// What a number counts since 1970 UTC.
  package enum Unit: String, Sendable, CaseIterable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"

    fileprivate var perSecond: Int64 {
      switch self {
      case .seconds: 1
      case .milliseconds: 1_000
      case .microseconds: 1_000_000
      case .nanoseconds: 1_000_000_000
      }
    }
  }

  private let field: String
  private let path: [[UInt8]]
  private let unit: Unit?

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - field: the names of members, and positions in lists from 1, with dots in between: `data.T`, `1`.
  ///   - unit: nil tells by the size of each number: seconds up to the year 5138, and so on.
  package init(field: String, unit: Unit? = nil) {
    self.field = field
    path = field.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
    self.unit = unit
  }

  /// The time that a message carries, in milliseconds.
  ///
  /// - Throws: ``RecordedLineFault`` where there is none.
  func read(from message: UnsafeRawBufferPointer) throws(RecordedLineFault) -> Int64 {
    var scanner = JSONScanner(message)
    for name in path {
      guard let value = scanner.member(name) else {
        throw RecordedLineFault("there is no time: the message has no '\(field.printable)'")
      }
      scanner = JSONScanner(value)
    }
    var rest = scanner
    let text =
      if let string = rest.string() { string.content } else { scanner.value() ?? scanner.remainder }
    if let time = Self.number(text, unit) { return time }
    let words = String(decoding: text.prefix(64), as: UTF8.self)
    if let time = Timestamp(parsing: words, in: .utc) { return time.milliseconds }
    throw RecordedLineFault(
      "'\(field.printable)': expected a time as a number or such as \"2026-12-31T18:30:00Z\", "
        + "got \(String(words.prefix(40)).printable)")
  }

  /// A decimal number in milliseconds, without a detour through binary fractions; nil for any other text.
  private static func number(_ text: UnsafeRawBufferPointer, _ unit: Unit?) -> Int64? {
    var scanner = JSONScanner(text)
    let isNegative = text.first == UInt8(ascii: "-")
    guard let whole = scanner.digits() else { return nil }
    var thousandths: Int64 = 0
    if scanner.take("."), let fraction = scanner.fraction(digits: 3) { thousandths = fraction }
    guard scanner.isAtEnd else { return nil }
    let unit = unit ?? Self.unit(of: whole)
    if unit == .seconds {
      let (product, isOver) = whole.multipliedReportingOverflow(by: 1_000)
      let (sum, isOverToo) = product.addingReportingOverflow(isNegative ? -thousandths : thousandths)
      return isOver || isOverToo ? nil : sum
    }
    return whole / (unit.perSecond / 1_000)
  }

  private static func unit(of number: Int64) -> Unit {
    switch number.magnitude {
    case ..<100_000_000_000: .seconds
    case ..<100_000_000_000_000: .milliseconds
    case ..<100_000_000_000_000_000: .microseconds
    default: .nanoseconds
    }
  }
}
