import Scripting
import Testing

@testable import Pipeline

@Suite struct RuleReadingTests {
  static func findings(_ value: Value, functions: Set<String> = []) -> [String] {
    do {
      _ = try AlertRule(reading: value, functions: functions)
      return []
    } catch {
      return error.findings
    }
  }

  @Test("A rule with the least is what the defaults say")
  func defaults() throws {
    let rule = try AlertRule(reading: ["name": "over", "crosses_above": 70_000])
    #expect(rule == AlertRule(name: "over", condition: .crossesAbove(70_000)))
    #expect(rule.first == .arm)
    #expect(rule.resolves)
    #expect(rule.severity == .info)
    #expect(try AlertRule(reading: ["name": "over", "above": 70_000]).first == .fire)
  }

  @Test("Every option is read")
  func everything() throws {
    let rule = try AlertRule(reading: [
      "name": "over", "crosses_above": 70_000.5, "clear_below": 69_000, "for_duration": "10s",
      "cooldown": "10m", "first": "fire", "resolve": false, "severity": "critical",
      "labels": ["team": "desk"], "text": "high", "repeat_every": "1h", "once": true,
      "expires": "2026-12-31", "flapping": ["changes": 5, "within": "10m"], "accept_late": true,
    ])
    #expect(
      rule
        == AlertRule(
          name: "over", condition: .crossesAbove(70_000.5), clearBelow: 69_000, forDuration: .seconds(10),
          cooldown: .minutes(10), first: .fire, resolves: false, severity: .critical,
          labels: ["team": "desk"], repeatEvery: .minutes(60), once: true,
          expires: Timestamp(milliseconds: 1_798_675_200_000),
          flapping: .init(changes: 5, within: .minutes(10)), acceptsLate: true, text: "high"))
  }

  @Test(
    "Every condition is read",
    arguments: [
      (["crosses_above": 1], .crossesAbove(1)), (["crosses_below": 1], .crossesBelow(1)),
      (["crosses": 1.5], .crosses(1.5)), (["above": -1], .above(-1)), (["below": 0], .below(0)),
      (["outside": [1, 2]], .outside(low: 1, high: 2)), (["inside": [1, 2.5]], .inside(low: 1, high: 2.5)),
      (["changes_by": ["percent": 3, "within": "5m"]], .changes(by: .percent(3), within: .minutes(5))),
      (
        ["changes_by": ["absolute": 0.5, "within": "1d"]],
        .changes(by: .absolute(0.5), within: .minutes(1_440))
      ),
      (["no_data_for": "10m", "keys": ["a", "b"]], .noData(for: .minutes(10))),
    ] as [(Value, RuleCondition)])
  func conditions(_ value: Value, _ condition: RuleCondition) throws {
    guard case .map(var members) = value else { return }
    members["name"] = "r"
    #expect(try AlertRule(reading: .map(members)).condition == condition)
  }

  @Test("Functions stand where functions may")
  func functions() throws {
    let rule = try AlertRule(reading: ["name": "r"], functions: ["when", "text"])
    #expect(rule.condition == .decidedByScript)
    #expect(
      Self.findings(["name": "r", "when": true], functions: ["above"]) == [
        "invalid 'above': expected a number, got a function",
        "invalid 'when': expected a function, got true",
        "expected one condition, got 'above' and 'when'; declare a rule for each",
      ])
  }

  @Test(
    "Each fault has its sentence",
    arguments: [
      (["above": 70, "clear_below": 71], "invalid 'clear_below': expected a number at or below 70, got 71"),
      (
        ["below": 70, "clear_above": 69.5],
        "invalid 'clear_above': expected a number at or above 70, got 69.5"
      ),
      (
        ["above": 70, "clear_above": 71],
        "invalid 'clear_above': expected no such option beside 'above', got 71"
      ),
      (
        ["inside": [1, 5], "clear_below": 2], "invalid 'clear_below': expected a number at or below 1, got 2"
      ),
      (
        ["outside": [1, 5], "clear_above": 6], "invalid 'clear_above': expected a number from 1 to 5, got 6"
      ),
      (
        ["outside": [1, 5], "clear_above": 3, "clear_below": 2],
        "invalid 'clear_below': expected a number from 3 to 5, got 2"
      ),
      (
        ["outside": [5, 1]],
        "invalid 'outside': expected a list of two numbers, the lower first, got { 5, 1 }"
      ),
      (["above": "70"], #"invalid 'above': expected a number, got "70""#),
      (["above": .number(.nan)], "invalid 'above': expected a number, got nan"),
      (["above": .null], "invalid 'above': expected a number, got null"),
      (["crosses_abov": 70, "above": 1], "unknown option 'crosses_abov'; did you mean 'crosses_above'?"),
      (["above": 1, "colour": "red"], "unknown option 'colour'"),
      (
        ["above": 1, "cooldown": 600],
        #"invalid 'cooldown': expected a duration such as "10m", got 600; write the unit, such as "600s" for seconds"#
      ),
      (
        ["above": 1, "cooldown": 0.5],
        #"invalid 'cooldown': expected a duration such as "10m", got 0.5; write a whole number in one unit, such as "90m" or "500ms""#
      ),
      (
        ["above": 1, "severity": "a\u{1b}[2J"],
        #"invalid 'severity': expected "info", "warning" or "critical", got "a\u{1b}[2J""#
      ),
      (
        ["above": 1, "cooldown": "600"],
        #"invalid 'cooldown': expected a duration with its unit, got "600"; write "600s" for seconds"#
      ),
      (
        ["above": 1, "cooldown": "0s"],
        #"invalid 'cooldown': expected a duration longer than nothing, got "0s""#
      ),
      (
        ["above": 1, "severity": "warnin"],
        #"invalid 'severity': expected "info", "warning" or "critical", got "warnin"; did you mean "warning"?"#
      ),
      (["above": 1, "resolve": "no"], #"invalid 'resolve': expected true or false, got "no""#),
      (["above": 1, "labels": ["a": 1]], "invalid 'labels': expected a table of texts, got a map"),
      (
        ["above": 1, "expires": "tomorrow"],
        #"invalid 'expires': expected a date such as "2026-12-31" or "2026-12-31T18:30:00Z", got "tomorrow""#
      ),
      (
        ["above": 1, "keys": ["a"]],
        "invalid 'keys': expected no such option without 'no_data_for', got a list"
      ),
      (
        ["no_data_for": "1m", "for_duration": "1m"],
        #"invalid 'for_duration': expected no such option beside 'no_data_for', got "1m""#
      ),
      (
        ["crosses": 1, "repeat_every": "1m"],
        #"invalid 'repeat_every': expected no such option beside 'crosses', which is over as soon as it happened, got "1m""#
      ),
      (
        ["crosses": 1, "first": "fire"],
        #"invalid 'first': expected "arm" beside 'crosses', which has no side before the first value, got "fire""#
      ),
      (
        ["above": 1, "flapping": ["changes": 0, "within": "1m"]],
        "invalid 'flapping.changes': expected a whole number from 1 to 1000, got 0"
      ),
      (["above": 1, "flapping": 5], "invalid 'flapping': expected a table of options, got 5"),
      (
        ["changes_by": ["percent": 3, "absolute": 1, "within": "5m"]],
        "invalid 'changes_by': expected either 'percent' or 'absolute', got both"
      ),
      (
        ["changes_by": ["percent": 3, "within": "500ms"]],
        #"invalid 'changes_by.within': expected a duration from 1s to 1d, got "500ms""#
      ),
      (
        ["changes_by": ["percent": -3, "within": "5m"]],
        "invalid 'changes_by.percent': expected a number above 0, got -3"
      ),
      (
        ["changes_by": ["precent": 3, "percent": 3, "within": "5m"]],
        "unknown option 'changes_by.precent'; did you mean 'changes_by.percent'?"
      ),
      ([:], "expected one condition, such as 'crosses_above' or 'below', got none"),
    ] as [(Value, String)])
  func fault(_ value: Value, _ sentence: String) {
    guard case .map(var members) = value else { return }
    members["name"] = "r"
    #expect(Self.findings(.map(members)) == [sentence])
  }

  @Test("All faults are reported at once")
  func allAtOnce() {
    #expect(
      Self.findings([
        "crosses_abov": 1, "above": "x", "cooldown": 5, "clear_below": true, "once": 1,
      ]) == [
        "unknown option 'crosses_abov'; did you mean 'crosses_above'?",
        "invalid 'name': expected a text, got nothing",
        #"invalid 'above': expected a number, got "x""#,
        "invalid 'clear_below': expected a number, got true",
        #"invalid 'cooldown': expected a duration such as "10m", got 5; write the unit, such as "5s" for seconds"#,
        "invalid 'once': expected true or false, got 1",
      ])
    #expect(Self.findings("x").first == #"expected a table of options, got "x""#)
  }

  @Test("Every option has a name of its own, a line of help and no repeated name")
  func table() {
    for specs in [AlertRule.options, AlertRule.changeOptions, AlertRule.flappingOptions, AlertRoute.options] {
      #expect(Set(specs.map(\.name)).count == specs.count)
      for spec in specs {
        #expect(spec.name.allSatisfy { $0.isLowercase || $0 == "_" })
        #expect(spec.help.hasSuffix(".") && !spec.help.contains("\n"))
      }
    }
    #expect(
      AlertRule.options.first { $0.name == "cooldown" }?.helpLine
        == #"cooldown: a duration such as "10m". How long after an alert a new episode is held back until told or over."#
    )
  }

  @Test("Very many unknown options are summed up")
  func manyUnknown() {
    let members = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("zz\($0)", Value.integer(0)) })
    let findings = Self.findings(.map(members.merging(["name": "r", "above": 1]) { first, _ in first }))
    #expect(findings.count == 21)
    #expect(findings.last == "980 more unknown options")
  }
}
