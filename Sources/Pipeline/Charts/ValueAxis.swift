import Glibc

/// A vertical axis: a range of values with round numbers to mark.
struct ValueAxis: Sendable {
  let range: ClosedRange<Double>
  let ticks: [Double]
  private let step: Double

  /// Makes an axis with some room around the values, and marks at multiples of 1, 2 or 5 times a power of ten.
  ///
  /// - Parameter count: about how many marks.
  init(_ values: ClosedRange<Double>, count: Int) {
    var (low, high) = (values.lowerBound, values.upperBound)
    if low == high {
      let room = low == 0 ? 1 : abs(low) * 0.01
      (low, high) = (low - room, high + room)
    }
    let room = (high - low) * 0.06
    (low, high) = (low - room, high + room)
    let step = Self.step(for: (high - low) / Double(max(count, 1)))
    var ticks: [Double] = []
    // Counted, since adding the step would not move a value that is large against it.
    let first = (low / step).rounded(.up)
    for index in 0..<64 where (first + Double(index)) * step <= high {
      ticks.append((first + Double(index)) * step)
    }
    range = low...high
    self.ticks = ticks
    self.step = step
  }

  private static func step(for raw: Double) -> Double {
    guard raw > 0, raw.isFinite else { return 1 }
    let power = pow(10, floor(log10(raw)))
    let factor = raw / power
    return (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10) * power
  }

  /// A value with as many digits as the marks need, in groups of three.
  func label(_ value: Double) -> String { Self.text(value, decimals: decimals) }

  /// A value with all its own digits, as one that somebody has written, and at least as many as the marks need.
  func exactLabel(_ value: Double) -> String {
    var decimals = decimals
    while decimals < 9, (value * pow(10, Double(decimals))).rounded() / pow(10, Double(decimals)) != value {
      decimals += 1
    }
    return Self.text(value, decimals: decimals)
  }

  private var decimals: Int { max(0, -Int(floor(log10(step) + 1e-9))) }

  /// A value with so many decimals, in groups of three; very large and small ones with an exponent.
  static func text(_ value: Double, decimals: Int) -> String {
    let scale = pow(10, Double(decimals))
    let scaled = (abs(value) * scale).rounded()
    guard decimals <= 9, scaled < 1e15, abs(value) < 1e12 else { return "\(value)" }
    let digits = String(Int64(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    var grouped = ""
    let whole = padded.dropLast(decimals)
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { grouped += "," }
      grouped.append(digit)
    }
    if decimals > 0 { grouped += "." + padded.suffix(decimals) }
    return (value < 0 && scaled > 0 ? "−" : "") + grouped
  }
}
