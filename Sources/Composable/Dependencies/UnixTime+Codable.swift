extension UnixTime: Codable {
  /// Makes a point in time from a number of nanoseconds since 1970-01-01 UTC.
  public init(from decoder: any Decoder) throws {
    self.init(sinceEpoch: .nanoseconds(try decoder.singleValueContainer().decode(Int64.self)))
  }

  /// Writes the nanoseconds since 1970-01-01 UTC; throws for a time before 1677 or after 2262.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let (seconds, attoseconds) = sinceEpoch.components
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !isTooLarge, !overflows else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "expected a time between 1678 and 2262, found \(self)"))
    }
    try container.encode(nanoseconds)
  }
}
