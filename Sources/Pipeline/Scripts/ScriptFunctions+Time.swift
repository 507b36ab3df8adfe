import Scripting

extension ScriptFunctions {
  /// Dates, zones, and what recurs by them.
  var times: [HostFunction] { [parse, format, parts, daily, every] }

  private var parse: HostFunction {
    HostFunction(.timeParse) { arguments, _ throws(HostFunctionError) in
      let text = try text(arguments.first, "a date and time")
      let zone = try zone(arguments, at: 1)
      guard let time = Timestamp(parsing: text, in: zone) else {
        let local = zone == nil ? "" : ", or \"2026-12-31 18:30\" in the zone"
        throw HostFunctionError(
          "expected a date such as \"2026-12-31\" or \"2026-12-31T18:30:00Z\"\(local), got "
            + "\"\(text.prefix(60))\"")
      }
      return .integer(time.milliseconds)
    }
  }

  private var format: HostFunction {
    HostFunction(.timeFormat) { arguments, _ throws(HostFunctionError) in
      let time = try time(arguments.first)
      guard arguments.count > 1, arguments[1] != .null else { return .text(time.rfc3339()) }
      let pattern = try text(arguments[1], "a pattern such as \"%Y-%m-%d %H:%M\"")
      let zone = try zone(arguments, at: 2) ?? .utc
      do throws(InvalidTimePattern) {
        return .text(try time.formatted(pattern, in: zone))
      } catch {
        throw HostFunctionError("\(error)")
      }
    }
  }

  private var parts: HostFunction {
    HostFunction(.timeParts) { arguments, _ throws(HostFunctionError) in
      let civil = (try zone(arguments, at: 1) ?? .utc).civil(at: try time(arguments.first))
      let parts: [String: Int] = [
        "month": civil.month, "day": civil.day, "hour": civil.hour, "minute": civil.minute,
        "second": civil.second, "weekday": civil.weekday, "year_day": civil.yearDay, "offset": civil.offset,
      ]
      var members = parts.mapValues { Value.integer(Int64($0)) }
      members["year"] = .integer(civil.year)
      return .map(members)
    }
  }

  private var daily: HostFunction {
    HostFunction(.daily) { arguments, _ throws(HostFunctionError) in
      let text = try text(arguments.first, "a time of day such as \"08:00\"")
      guard TimeOfDay(parsing: text) != nil else {
        throw HostFunctionError("expected a time of day such as \"08:00\", got \"\(text.prefix(60))\"")
      }
      let zone = try zone(arguments, at: 1) ?? .utc
      return ["daily": .text(text), "zone": .text(zone.name)]
    }
  }

  private var every: HostFunction {
    HostFunction(.every) { arguments, _ throws(HostFunctionError) in
      let span = try duration(arguments.first)
      var isAligned = false
      if arguments.count > 1 {
        guard case .map(var options) = arguments[1] else {
          throw HostFunctionError("expected a table of options, got \(Self.described(arguments[1]))")
        }
        switch options.removeValue(forKey: "align") {
        case nil: break
        case .bool(let align)?: isAligned = align
        case let other: throw HostFunctionError("align: expected true or false, got \(Self.described(other))")
        }
        if let unknown = Value.sortedKeys(options).first {
          throw HostFunctionError("unknown option '\(unknown)'; there is align")
        }
      }
      return ["every": .integer(span.count), "align": .bool(isAligned)]
    }
  }

  /// A time in milliseconds since 1970 UTC.
  func time(_ value: Value?) throws(HostFunctionError) -> Timestamp {
    guard let number = value?.double, let milliseconds = Int64(exactly: number.rounded(.down)),
      abs(number) < 1e15
    else {
      throw HostFunctionError("expected a time in milliseconds since 1970 UTC, got \(Self.described(value))")
    }
    return Timestamp(milliseconds: milliseconds)
  }

  /// The zone among the arguments, nil if it is left out.
  private func zone(_ arguments: [Value], at index: Int) throws(HostFunctionError) -> TimeZone? {
    guard arguments.count > index, arguments[index] != .null else { return nil }
    let name = try text(arguments[index], "a time zone such as \"Europe/Berlin\"")
    guard let zone = TimeZone(name) else {
      throw HostFunctionError(
        "there is no time zone \"\(name.prefix(60))\"; names are such as \"Europe/Berlin\"")
    }
    return zone
  }
}

extension Recurrence {
  /// Reads an entry of `M.timers`, as `daily` and `every` make them; nil for anything else.
  init?(_ value: Value) {
    if case .integer(let span)? = value["every"], span > 0 {
      self = value["align"] == .bool(true) ? .aligned(Milliseconds(span)) : .every(Milliseconds(span))
    } else if let text = value["daily"]?.text, let time = TimeOfDay(parsing: text),
      let zone = value["zone"]?.text.flatMap({ TimeZone($0) })
    {
      self = .daily(time, zone)
    } else {
      return nil
    }
  }
}
