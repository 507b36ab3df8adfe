internal import LuaShim

/// Values of a rule's key that are nothing new to the host: a machine notes one that lies in the band and asks nobody.
///
/// Shared with the machine, which changes the last value and its time. A run that fails takes that back.
package struct QuietBand {
  private var raw: script_band

  /// A band that no value lies in.
  package static let none = Self(in: (.infinity, -.infinity), value: 0, time: .min, source: 0)

  /// Makes a band.
  ///
  /// - Parameters:
  ///   - range: the lowest and the highest value of the band.
  ///   - value: the last value.
  ///   - time: the time of the last value in milliseconds since 1970 UTC; an earlier value is judged.
  ///   - source: the number of the source of the last value; a value from another one is judged.
  package init(in range: (low: Double, high: Double), value: Double, time: Int64, source: UInt16) {
    raw = script_band(low: range.low, high: range.high, value: value, time: time, source: UInt32(source))
  }

  /// Whether there are values in the band.
  package var isOpen: Bool { raw.low <= raw.high }

  /// The last value, and its time in milliseconds since 1970 UTC.
  package var last: (value: Double, time: Int64) { (raw.value, raw.time) }
}
