@testable import Pipeline

/// One key of one rule under a host that does what hosts must: everything due comes before a value.
struct RuleRun {
  let rule: AlertRule
  var state = RuleState()
  var window = RuleWindow()
  var source = RuleSource.live
  /// What was told.
  var outcomes: [RuleOutcome] = []

  init(_ rule: AlertRule) { self.rule = rule }

  /// What was told in words, with the time in seconds: `fire 1 at 5`, `resolve 1 at 9`, with remarks behind.
  var told: [String] { outcomes.map(Self.words) }

  /// Lets time pass up to a second of the time line, handling what falls due on the way.
  mutating func advance(to second: Double) {
    let time = Timestamp(milliseconds: Int64((second * 1_000).rounded()))
    while let due = state.nextDue, due <= time {
      tell(rule.due(&state, &window, at: due, source: source))
    }
  }

  /// Gives a value at a second of the time line.
  mutating func give(_ value: Double, at second: Double, _ context: RuleContext = [], isTrue: Bool? = nil) {
    advance(to: second)
    let time = Timestamp(milliseconds: Int64((second * 1_000).rounded()))
    if let isTrue {
      tell(rule.check(&state, &window, value: value, isTrue: isTrue, at: time, context: context))
    } else {
      tell(rule.check(&state, &window, value: value, at: time, context: context))
    }
  }

  mutating func tell(_ outcome: RuleOutcome) {
    guard outcome != .nothing else { return }
    outcomes.append(outcome)
  }

  static func words(_ outcome: RuleOutcome) -> String {
    let verb =
      switch outcome {
      case .nothing: "nothing"
      case .fire: "fire"
      case .resolve: "resolve"
      case .remind(let episode): "remind(\(episode.reminder))"
      case .refused(let value): "refused \(value)"
      }
    guard let episode = outcome.episode else { return verb }
    var words =
      "\(verb) \(episode.number) at \(LuaText.number(Double(episode.time.milliseconds) / 1_000))"
    let names: [(RuleEpisode.Remarks, String)] = [
      (.late, "late"), (.acrossGap, "gap"), (.whileDown, "down"), (.flapping, "flapping"),
      (.afterCooldown, "held"), (.downward, "downward"),
    ]
    for (remark, name) in names where episode.remarks.contains(remark) { words += " \(name)" }
    if episode.held > 0 { words += " +\(episode.held)" }
    return words
  }

  /// Runs a marble series: one token a second from second 0.
  ///
  /// A token is a number (a value), `.` (a second without a value), `gap`, `stale`, `down`, `live`, `restart`
  /// and `resume` (the state goes through its stored form too), or a number with a suffix: `r` replayed, `l` late.
  mutating func play(_ series: String) {
    var second = -1.0
    for token in series.split(separator: " ") {
      switch token {
      case "gap": rule.gap(&state)
      case "stale": source = .stale
      case "down":
        source = .down
        rule.sourceLost(&state, at: Timestamp(milliseconds: Int64(second * 1_000)))
      case "live":
        source = .live
        rule.sourceConnected(&state, at: Timestamp(milliseconds: Int64(second * 1_000)))
      case "restart":
        restore()
        rule.restart(&state, at: Timestamp(milliseconds: Int64(second * 1_000)))
      case "resume":
        restore()
        rule.resume(&state, at: Timestamp(milliseconds: Int64(second * 1_000)))
      case ".":
        second += 1
        advance(to: second)
      default:
        second += 1
        let context: RuleContext = token.hasSuffix("r") ? .replayed : token.hasSuffix("l") ? .late : []
        guard let value = Double(context.isEmpty ? token : token.dropLast()) else {
          preconditionFailure("'\(token)' is no token of a series")
        }
        give(value, at: second, context)
      }
    }
  }

  /// Sends state and window through their stored forms.
  mutating func restore() {
    do {
      let stored = try RuleState(state.encoded)
      precondition(stored == state, "the stored state differs")
      state = stored
      window = try RuleWindow(window.encoded)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension AlertRule {
  /// The rule of most tests, with the name `r`.
  static func test(
    _ condition: RuleCondition, clearBelow: Double? = nil, clearAbove: Double? = nil, for duration: Int64 = 0,
    cooldown: Int64 = 0, first: FirstValue? = nil, resolves: Bool = true, repeatEvery: Int64 = 0,
    once: Bool = false, expires: Int64? = nil, flapping: Flapping? = nil, acceptsLate: Bool = false
  ) -> AlertRule {
    AlertRule(
      name: "r", condition: condition, clearBelow: clearBelow, clearAbove: clearAbove,
      forDuration: .seconds(duration), cooldown: .seconds(cooldown), first: first, resolves: resolves,
      repeatEvery: .seconds(repeatEvery), once: once,
      expires: expires.map { Timestamp(milliseconds: $0 * 1_000) }, flapping: flapping,
      acceptsLate: acceptsLate)
  }

  /// What the rule tells of a series.
  func told(_ series: String) -> [String] {
    var run = RuleRun(self)
    run.play(series)
    return run.told
  }
}
