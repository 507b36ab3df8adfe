/// An hour and a minute of any day, such as `08:00`.
package struct TimeOfDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// 0 to 23.
  package let hour: Int
  /// 0 to 59.
  package let minute: Int

  /// Reads `08:00`; nil for anything but two digits each.
  package init?(parsing text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    hour = digits[0] * 10 + digits[1]
    minute = digits[2] * 10 + digits[3]
    guard hour < 24, minute < 60 else { return nil }
  }

  /// The time as it is written.
  package var description: String {
    "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  package static func < (a: Self, b: Self) -> Bool { (a.hour, a.minute) < (b.hour, b.minute) }
}
