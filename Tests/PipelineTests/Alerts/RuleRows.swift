import Testing

@testable import Pipeline

/// One series a row; series are written as ``RuleRun/play(_:)`` reads them, one token a second from 0.
struct RuleRow: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let rule: AlertRule
  let series: String
  let told: [String]

  init(_ testDescription: String, _ rule: AlertRule, _ series: String, _ told: [String]) {
    self.testDescription = testDescription
    self.rule = rule
    self.series = series
    self.told = told
  }
}

/// The table of how rules behave, one group for each kind of case.
extension RuleRow {
  static let crossings: [RuleRow] = [
    RuleRow("fires on the way up", .test(.crossesAbove(70)), "69 71", ["fire 1 at 1"]),
    RuleRow("equality counts as reached", .test(.crossesAbove(70)), "69 70", ["fire 1 at 1"]),
    RuleRow("the first value only arms", .test(.crossesAbove(70)), "71 72 69 70", ["fire 1 at 3"]),
    RuleRow("first = fire", .test(.crossesAbove(70), first: .fire), "71 72", ["fire 1 at 0"]),
    RuleRow(
      "clears below the level by default", .test(.crossesAbove(70)), "69 70 70 69.99 70",
      ["fire 1 at 1", "resolve 1 at 3", "fire 2 at 4"]),
    RuleRow(
      "clears at clear_below, included", .test(.crossesAbove(70), clearBelow: 65),
      "69 70 66 70 65 69 70", ["fire 1 at 1", "resolve 1 at 4", "fire 2 at 6"]),
    RuleRow(
      "clear_below may be the level itself", .test(.crossesAbove(70), clearBelow: 70), "69 70 70 69",
      ["fire 1 at 1", "resolve 1 at 3"]),
    RuleRow(
      "a first value inside the band is below the level", .test(.crossesAbove(70), clearBelow: 60), "65 70",
      ["fire 1 at 1"]),
    RuleRow(
      "an episode that never fired isn't resolved", .test(.crossesAbove(70)), "71 60 71",
      ["fire 1 at 2"]),
    RuleRow(
      "no resolve where none is wanted", .test(.crossesAbove(70), resolves: false), "69 71 60 71",
      [
        "fire 1 at 1", "fire 2 at 3",
      ]),
    RuleRow(
      "crosses_below mirrors", .test(.crossesBelow(70)), "71 70 70.1 69",
      [
        "fire 1 at 1", "resolve 1 at 2", "fire 2 at 3",
      ]),
    RuleRow("crosses_below only arms at first", .test(.crossesBelow(70)), "70 69 71 70", ["fire 1 at 3"]),
    RuleRow(
      "crosses_below clears at clear_above, included", .test(.crossesBelow(70), clearAbove: 75),
      "71 70 74 70 75 70", ["fire 1 at 1", "resolve 1 at 4", "fire 2 at 5"]),
    RuleRow(
      "crosses tells either way", .test(.crosses(70)), "69 71 72 69 68 70",
      [
        "fire 1 at 1", "fire 2 at 3 downward", "fire 3 at 5",
      ]),
    RuleRow(
      "a first value at the level has no side", .test(.crosses(70)), "70 71 70", ["fire 1 at 2 downward"]),
    RuleRow(
      "a touch from below is one crossing", .test(.crosses(70)), "69 70 70 69 68 70",
      [
        "fire 1 at 1", "fire 2 at 5",
      ]),
    RuleRow(
      "crosses rearms beyond its clear levels", .test(.crosses(70), clearBelow: 65, clearAbove: 75),
      "69 71 69 71 75 70 66 71 65 70", ["fire 1 at 1", "fire 2 at 5 downward", "fire 3 at 9"]),
    RuleRow(
      "crosses stays on its side at the level with one clear level", .test(.crosses(70), clearBelow: 65),
      "64 70 70 70", ["fire 1 at 1"]),
    RuleRow(
      "a short trip over the level isn't a crossing back", .test(.crosses(70), for: 3),
      "69 71 69 69 69 69 71 71 71 71", ["fire 1 at 9"]),
  ]

  static let levels: [RuleRow] = [
    RuleRow(
      "above counts at the first value", .test(.above(70)), "70 71 69 70",
      [
        "fire 1 at 0", "resolve 1 at 2", "fire 2 at 3",
      ]),
    RuleRow("above with first = arm", .test(.above(70), first: .arm), "70 71 69 70", ["fire 1 at 3"]),
    RuleRow("below", .test(.below(70), clearAbove: 72), "70 71 72", ["fire 1 at 0", "resolve 1 at 2"]),
    RuleRow(
      "outside includes its levels", .test(.outside(low: 10, high: 20)), "15 10 10.5 20 5 19",
      [
        "fire 1 at 1", "resolve 1 at 2", "fire 2 at 3", "resolve 2 at 5",
      ]),
    RuleRow(
      "outside with a band", .test(.outside(low: 10, high: 20), clearBelow: 18, clearAbove: 12),
      "15 20 19 11 12 15", ["fire 1 at 1", "resolve 1 at 4"]),
    RuleRow(
      "inside includes its levels", .test(.inside(low: 10, high: 20)), "10 20 21 15 9.9",
      [
        "fire 1 at 0", "resolve 1 at 2", "fire 2 at 3", "resolve 2 at 4",
      ]),
    RuleRow(
      "inside with a band", .test(.inside(low: 10, high: 20), clearBelow: 5, clearAbove: 25),
      "15 8 24 25 24 15 5", ["fire 1 at 0", "resolve 1 at 3", "fire 2 at 5", "resolve 2 at 6"]),
    RuleRow(
      "the band keeps a firing rule over a restart", .test(.crossesAbove(70), clearBelow: 60),
      "50 71 restart 65 71 60", ["fire 1 at 1", "resolve 1 at 4"]),
    RuleRow(
      "the band keeps a clear rule over a restart", .test(.crossesAbove(70), clearBelow: 60),
      "50 restart 65 70", ["fire 1 at 2"]),
  ]

  static let durations: [RuleRow] = [
    RuleRow("fires when due, without a value", .test(.above(70), for: 3), "71 . . . .", ["fire 1 at 3"]),
    RuleRow("needs every value", .test(.above(70), for: 3), "71 71 69 71 71 71 71", ["fire 1 at 6"]),
    RuleRow(
      "the band isn't the condition", .test(.above(70), clearBelow: 60, for: 3), "71 65 71 71 71 65 60",
      ["fire 1 at 5", "resolve 1 at 6"]),
    RuleRow(
      "what is due comes before a value of the same time", .test(.above(70), for: 2), "71 71 60",
      [
        "fire 1 at 2", "resolve 1 at 2",
      ]),
    RuleRow("pending never resolves", .test(.above(70), for: 3), "71 69 . . .", []),
    RuleRow(
      "due while stale, true afterwards", .test(.above(70), for: 2), "71 stale . . . live 72",
      [
        "fire 1 at 4 late"
      ]),
    RuleRow("due while stale, false afterwards", .test(.above(70), for: 2), "71 stale . . . live 69 . .", []),
    RuleRow(
      "due while stale, live again without a value", .test(.above(70), for: 2), "71 stale . . . live . . 72",
      ["fire 1 at 6 late"]),
    RuleRow(
      "due while disconnected", .test(.above(70), for: 2), "71 down . . . live gap 72",
      [
        "fire 1 at 4 late"
      ]),
    RuleRow("not due until live again", .test(.above(70), for: 4), "71 stale . . live . .", ["fire 1 at 4"]),
    RuleRow(
      "due behind a gap of a live source: by time, and says so", .test(.above(70), for: 3),
      "71 gap . . . . 60",
      ["fire 1 at 3 gap", "resolve 1 at 5 gap"]),
    RuleRow(
      "due behind a reconnect, before a value: by time, and says so", .test(.above(70), for: 4),
      "71 down . . live gap . . 72", ["fire 1 at 4 gap"]),
    RuleRow(
      "a value between a gap and the due time closes the gap", .test(.above(70), for: 3), "71 gap 72 . . .",
      ["fire 1 at 3"]),
    RuleRow(
      "pending goes on over a restart", .test(.above(70), for: 3), "71 restart 71 . . .", ["fire 1 at 3"]),
    RuleRow(
      "due after a restart and before a value, true afterwards", .test(.above(70), for: 3),
      "71 restart . . . . 72", ["fire 1 at 5 late"]),
    RuleRow(
      "due after a restart and before a value, false afterwards", .test(.above(70), for: 3),
      "71 restart . . . . 69 . .", []),
    RuleRow(
      "due where a source resumes, before a value", .test(.above(70), for: 3), "71 resume . . . . 72",
      ["fire 1 at 5 late"]),
    RuleRow(
      "not due yet where a source resumes", .test(.above(70), for: 3), "71 resume 71 . . .", ["fire 1 at 3"]),
    RuleRow(
      "a value where a source resumes says nothing of a restart", .test(.crossesAbove(70)), "69 resume 71",
      ["fire 1 at 1"]),
  ]

  static let cooldowns: [RuleRow] = [
    RuleRow(
      "true at the end fires then", .test(.above(70), cooldown: 5), "71 60 71 . . . .",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 5 held",
      ]),
    RuleRow(
      "over before is counted", .test(.above(70), cooldown: 5), "71 60 71 60 60 60 60 71",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 7 +1",
      ]),
    RuleRow(
      "held inside the band", .test(.above(70), clearBelow: 60, cooldown: 5), "71 60 71 65 65 65",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 5 held",
      ]),
    RuleRow(
      "ends while stale", .test(.above(70), cooldown: 3), "71 60 71 stale . . live 71",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 5 late held",
      ]),
    RuleRow(
      "ends while stale, over afterwards", .test(.above(70), cooldown: 3), "71 60 71 stale . . live 60 71",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 6 +1",
      ]),
    RuleRow(
      "for_duration ends inside it", .test(.above(70), for: 1, cooldown: 5), "71 71 60 71 71 . . .",
      [
        "fire 1 at 1", "resolve 1 at 2", "fire 2 at 6 held",
      ]),
    RuleRow(
      "ends behind a gap of a live source: by time, and says so", .test(.above(70), cooldown: 3),
      "71 60 71 gap . . 71",
      ["fire 1 at 0", "resolve 1 at 1", "fire 2 at 3 gap held"]),
    RuleRow(
      "a held crossing that went back", .test(.crosses(70), cooldown: 5), "69 71 69 71 . . . 69",
      [
        "fire 1 at 1", "fire 2 at 7 downward +1",
      ]),
    RuleRow(
      "begins where it ends", .test(.above(70), cooldown: 2), "71 60 71",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 2",
      ]),
    RuleRow(
      "ends after a restart and before a value", .test(.above(70), cooldown: 5),
      "71 60 71 restart . . . . 71",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 7 late held",
      ]),
    RuleRow(
      "goes on over a restart", .test(.above(70), cooldown: 5), "71 60 restart 71 . . . .",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 5 down held",
      ]),
  ]

  static let changes: [RuleRow] = [
    RuleRow(
      "a rise from the low", .test(.changes(by: .percent(3), within: .seconds(60))), "100 99 101.97 101",
      [
        "fire 1 at 2", "resolve 1 at 3",
      ]),
    RuleRow(
      "a fall from the high", .test(.changes(by: .percent(3), within: .seconds(60))), "100 97",
      [
        "fire 1 at 1 downward"
      ]),
    RuleRow(
      "an absolute change", .test(.changes(by: .absolute(5), within: .seconds(60))), "-2 3", ["fire 1 at 1"]),
    RuleRow("outside the window", .test(.changes(by: .absolute(5), within: .seconds(3))), "0 4 4 4 8", []),
    RuleRow(
      "inside the window", .test(.changes(by: .absolute(5), within: .seconds(4))), "0 4 4 4 5",
      ["fire 1 at 4"]),
    RuleRow(
      "percent of a negative value", .test(.changes(by: .percent(10), within: .seconds(60))), "-100 -90",
      [
        "fire 1 at 1"
      ]),
    RuleRow(
      "any change from zero is one", .test(.changes(by: .percent(10), within: .seconds(60))), "0 0 0.1",
      [
        "fire 1 at 2"
      ]),
    RuleRow(
      "the window survives a restart", .test(.changes(by: .absolute(5), within: .seconds(60))), "0 restart 5",
      [
        "fire 1 at 1 down"
      ]),
    RuleRow(
      "its direction survives for_duration", .test(.changes(by: .absolute(5), within: .seconds(9)), for: 1),
      "5 0 .",
      [
        "fire 1 at 2 downward"
      ]),
  ]

  static let all =
    crossings + levels + durations + cooldowns + changes + missing + endings + flapping + interruptions
}
