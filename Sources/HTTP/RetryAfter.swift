internal import CCurl

/// The wait that an HTTP answer asks for (RFC 9110 section 10.2.3).
package enum RetryAfter: Equatable, Sendable {
  /// This many seconds from the receipt of the answer.
  case seconds(Int64)
  /// Until this time, in seconds since 1970-01-01 UTC.
  case time(Int64)

  /// Reads the value of a `Retry-After` header: seconds, an HTTP date, or (as some services send) an epoch in
  /// seconds or milliseconds, or seconds with a fraction, which are rounded up. Nil for anything else.
  package init?(_ value: String) {
    if let number = Int64(value) {
      self.init(number)
    } else if value.utf8.allSatisfy({ $0 == 0x2e || (0x30...0x39).contains($0) }), let number = Double(value),
      number < 1e15
    {
      self.init(Int64(number.rounded(.up)))
    } else {
      let time = curl_getdate(value, nil)
      guard time >= 0 else { return nil }
      self = .time(Int64(time))
    }
  }

  private init?(_ number: Int64) {
    switch number {
    case ..<0: return nil
    // Nobody asks for a pause of 30 years: it is a time.
    case 1_000_000_000_000...: self = .time(number / 1000)
    case 1_000_000_000...: self = .time(number)
    default: self = .seconds(number)
    }
  }

  /// How many seconds to wait from now, which is given in seconds since 1970-01-01 UTC; never negative.
  package func seconds(from now: Int64) -> Int64 {
    switch self {
    case .seconds(let seconds): seconds
    case .time(let time): max(time - now, 0)
    }
  }
}
