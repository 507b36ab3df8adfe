package import Scripting

extension AlertRule {
  /// Reads a rule as a script or a configuration declares it.
  ///
  /// - Parameters:
  ///   - value: a map of the options in ``options``.
  ///   - functions: the names of options that were given as functions, such as `when` and `text`; they are
  ///     left out of the map.
  /// - Throws: ``InvalidOptions`` with every fault at once.
  package init(reading value: Value, functions: Set<String> = []) throws(InvalidOptions) {
    var reader = OptionReader(value, specs: Self.options, functions: functions)
    let name = reader.text("name")
    if !reader.has("name") { reader.report("name", expected: "a text") }
    let condition = Self.condition(&reader)
    let (clearBelow, clearAbove) = Self.clearLevels(&reader, condition)
    let forDuration = reader.duration("for_duration")
    if reader.has("for_duration"), case .noData = condition {
      reader.report("for_duration", expected: "no such option beside 'no_data_for'")
    }
    let cooldown = reader.duration("cooldown")
    let first = reader.choice("first").flatMap(FirstValue.init(rawValue:))
    if case .crosses = condition, first == .fire {
      reader.report("first", expected: "\"arm\" beside 'crosses', which has no side before the first value")
    }
    let resolves = reader.boolean("resolve")
    if case .crosses = condition, resolves == true {
      reader.report("resolve", expected: "false beside 'crosses', which is over as soon as it happened")
    }
    let severity = reader.choice("severity").flatMap(Severity.init(name:))
    let labels = reader.labels("labels")
    let text = reader.text("text")
    let repeatEvery = reader.duration("repeat_every")
    if case .crosses = condition, reader.has("repeat_every") {
      reader.report(
        "repeat_every", expected: "no such option beside 'crosses', which is over as soon as it happened")
    }
    let once = reader.boolean("once")
    let expires = reader.date("expires")
    let flapping = Self.flapping(&reader)
    let acceptsLate = reader.boolean("accept_late")
    let keys = reader.texts("keys")
    if reader.has("keys"), let condition {
      if case .noData = condition {
      } else {
        reader.report("keys", expected: "no such option without 'no_data_for'")
      }
    }
    guard reader.findings.isEmpty, let name, let condition else {
      throw InvalidOptions(findings: reader.findings)
    }
    self.init(
      name: name, condition: condition, clearBelow: clearBelow, clearAbove: clearAbove,
      forDuration: forDuration ?? .zero, cooldown: cooldown ?? .zero, first: first,
      resolves: resolves ?? true, severity: severity ?? .info, labels: labels ?? [:],
      repeatEvery: repeatEvery ?? .zero, once: once ?? false, expires: expires, flapping: flapping,
      acceptsLate: acceptsLate ?? false, text: text, keys: keys ?? [])
  }

  private static let conditionNames = [
    "crosses_above", "crosses_below", "crosses", "above", "below", "outside", "inside", "changes_by",
    "no_data_for", "when",
  ]

  private static func condition(_ reader: inout OptionReader) -> RuleCondition? {
    var conditions: [RuleCondition] = []
    if let level = reader.number("crosses_above") { conditions.append(.crossesAbove(level)) }
    if let level = reader.number("crosses_below") { conditions.append(.crossesBelow(level)) }
    if let level = reader.number("crosses") { conditions.append(.crosses(level)) }
    if let level = reader.number("above") { conditions.append(.above(level)) }
    if let level = reader.number("below") { conditions.append(.below(level)) }
    if let range = reader.range("outside") { conditions.append(.outside(low: range.low, high: range.high)) }
    if let range = reader.range("inside") { conditions.append(.inside(low: range.low, high: range.high)) }
    if let change = changes(&reader) { conditions.append(change) }
    if let duration = reader.duration("no_data_for") { conditions.append(.noData(for: duration)) }
    if reader.function("when") { conditions.append(.decidedByScript) }
    let given = conditionNames.filter { reader.has($0) }
    if given.isEmpty {
      reader.append(["expected one condition, such as 'crosses_above' or 'below', got none"])
    } else if given.count > 1 {
      let names = given.map { "'\($0)'" }.joined(separator: " and ")
      reader.append(["expected one condition, got \(names); declare a rule for each"])
    }
    return given.count == 1 ? conditions.first : nil
  }

  private static func changes(_ reader: inout OptionReader) -> RuleCondition? {
    guard var options = reader.options("changes_by") else { return nil }
    let percent = options.number("percent")
    let absolute = options.number("absolute")
    for name in ["percent", "absolute"] where options.has(name) {
      if let amount = name == "percent" ? percent : absolute, amount <= 0 {
        options.report(name, expected: "a number above 0")
      }
    }
    if options.findings.isEmpty, options.has("percent") == options.has("absolute") {
      reader.report(
        "changes_by", expected: "either 'percent' or 'absolute'",
        got: options.has("percent") ? "both" : "neither")
    }
    let within = options.duration("within")
    if !options.has("within") { options.report("within", expected: "a duration from 1s to 1d") }
    if let within, within < .seconds(1) || within > .minutes(1_440) {
      options.report("within", expected: "a duration from 1s to 1d")
    }
    reader.append(options.findings)
    guard let amount = (percent ?? absolute), let within else { return nil }
    return .changes(by: percent == nil ? .absolute(amount) : .percent(amount), within: within)
  }

  private static func flapping(_ reader: inout OptionReader) -> Flapping? {
    guard var options = reader.options("flapping") else { return nil }
    let changes = options.count("changes")
    if !options.has("changes") { options.report("changes", expected: "a whole number from 1 to 1000") }
    let within = options.duration("within")
    if !options.has("within") { options.report("within", expected: "a duration such as \"10m\"") }
    reader.append(options.findings)
    guard let changes, let within else { return nil }
    return Flapping(changes: Int(changes), within: within)
  }

  /// Reads the levels of the hysteresis and checks that each lies on the side where the condition ends.
  private static func clearLevels(
    _ reader: inout OptionReader, _ condition: RuleCondition?
  ) -> (below: Double?, above: Double?) {
    let below = reader.number("clear_below")
    let above = reader.number("clear_above")
    guard let condition else { return (nil, nil) }
    let belowBounds: ClosedRange<Double>?
    let aboveBounds: ClosedRange<Double>?
    switch condition {
    case .crossesAbove(let level), .above(let level): (belowBounds, aboveBounds) = (-.infinity...level, nil)
    case .crossesBelow(let level), .below(let level): (belowBounds, aboveBounds) = (nil, level...(.infinity))
    case .crosses(let level): (belowBounds, aboveBounds) = (-.infinity...level, level...(.infinity))
    case .inside(let low, let high): (belowBounds, aboveBounds) = (-.infinity...low, high...(.infinity))
    case .outside(let low, let high):
      (belowBounds, aboveBounds) = (max(low, min(above ?? low, high))...high, low...high)
    case .changes, .noData, .decidedByScript: (belowBounds, aboveBounds) = (nil, nil)
    }
    check(&reader, "clear_below", below, within: belowBounds, beside: condition)
    check(&reader, "clear_above", above, within: aboveBounds, beside: condition)
    return (below, above)
  }

  private static func check(
    _ reader: inout OptionReader, _ name: String, _ level: Double?, within bounds: ClosedRange<Double>?,
    beside condition: RuleCondition
  ) {
    guard reader.has(name) else { return }
    guard let bounds else {
      reader.report(name, expected: "no such option beside '\(condition.optionName)'")
      return
    }
    guard let level, !bounds.contains(level) else { return }
    let (low, high) = (LuaText.number(bounds.lowerBound), LuaText.number(bounds.upperBound))
    let expected =
      bounds.lowerBound == -.infinity
      ? "at or below \(high)"
      : bounds.upperBound == .infinity ? "at or above \(low)" : "from \(low) to \(high)"
    reader.report(name, expected: "a number \(expected)")
  }
}
