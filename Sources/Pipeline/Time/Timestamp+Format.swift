/// A pattern of ``Timestamp/formatted(_:in:)`` that has an unknown part, in one sentence.
package struct InvalidTimePattern: Error, Hashable, CustomStringConvertible {
  package let description: String
}

extension Timestamp {
  /// The local time as a pattern says, with the conversions of strftime(3) that need no language but English:
  /// `%Y %m %d %e %j %H %I %M %S %p %a %A %b %B %u %F %T %R %z %Z %s %%`, and `%L` for milliseconds.
  ///
  /// - Throws: ``InvalidTimePattern`` for any other.
  package func formatted(_ pattern: String, in zone: TimeZone) throws(InvalidTimePattern) -> String {
    let civil = zone.civil(at: self)
    var text = ""
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      guard let conversion = rest.popFirst() else {
        throw InvalidTimePattern(
          description: "the pattern ends with a '%'; write '%%' for the character itself")
      }
      text += try part(conversion, civil, zone)
    }
    return text
  }

  private func part(
    _ conversion: Unicode.Scalar, _ civil: CivilTime, _ zone: TimeZone
  ) throws(InvalidTimePattern) -> String {
    switch conversion {
    case "Y": return padded(Int(clamping: civil.year), 4)
    case "m": return padded(civil.month, 2)
    case "d": return padded(civil.day, 2)
    case "e": return civil.day < 10 ? " \(civil.day)" : "\(civil.day)"
    case "j": return padded(civil.yearDay, 3)
    case "H": return padded(civil.hour, 2)
    case "I": return padded((civil.hour + 11) % 12 + 1, 2)
    case "M": return padded(civil.minute, 2)
    case "S": return padded(civil.second, 2)
    case "L": return padded(Int(milliseconds - seconds * 1_000), 3)
    case "p": return civil.hour < 12 ? "AM" : "PM"
    case "A": return Self.weekdays[civil.weekday - 1]
    case "a": return String(Self.weekdays[civil.weekday - 1].prefix(3))
    case "B": return Self.months[civil.month - 1]
    case "b": return String(Self.months[civil.month - 1].prefix(3))
    case "u": return "\(civil.weekday)"
    case "F": return try formatted("%Y-%m-%d", in: zone)
    case "T": return try formatted("%H:%M:%S", in: zone)
    case "R": return try formatted("%H:%M", in: zone)
    case "s": return "\(seconds)"
    case "z":
      let minutes = abs(civil.offset) / 60
      return (civil.offset < 0 ? "-" : "+") + padded(minutes / 60, 2) + padded(minutes % 60, 2)
    case "Z": return zone.abbreviation(at: self)
    case "%": return "%"
    default:
      throw InvalidTimePattern(
        description:
          "the pattern has an unknown '%\(conversion)'; there is %Y %m %d %e %j %H %I %M %S %L %p %a %A "
          + "%b %B %u %F %T %R %z %Z %s %%")
    }
  }

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(abs(number))
  return (number < 0 ? "-" : "") + String(repeating: "0", count: max(width - digits.count, 0)) + digits
}
