import Testing

@testable import Pipeline

/// Rows about what doesn't come, what comes late or again, and what ends.
extension RuleRow {
  static let missing: [RuleRow] = [
    RuleRow(
      "armed by the first value", .test(.noData(for: .seconds(3))), ". . . . . 1 . . . . 2",
      [
        "fire 1 at 8", "resolve 1 at 10",
      ]),
    RuleRow(
      "what is due comes before a value of the same time, here too", .test(.noData(for: .seconds(2))),
      "1 . 1 . 1 . 1",
      ["fire 1 at 2", "resolve 1 at 2", "fire 2 at 4", "resolve 2 at 4", "fire 3 at 6", "resolve 3 at 6"]),
    RuleRow("values in time", .test(.noData(for: .seconds(3))), "1 . 1 . 1 . 1", []),
    RuleRow(
      "paused while the source is down", .test(.noData(for: .seconds(3))), "1 . down . . . . live . . .",
      [
        "fire 1 at 7"
      ]),
    RuleRow("a mute source isn't down", .test(.noData(for: .seconds(3))), "1 stale . . .", ["fire 1 at 3"]),
    RuleRow(
      "a restart is a time of being down", .test(.noData(for: .seconds(3))), "1 restart . . live . . . .",
      [
        "fire 1 at 5"
      ]),
    RuleRow(
      "a resumed source was down, too", .test(.noData(for: .seconds(3))), "1 resume . . live . . . .",
      [
        "fire 1 at 5"
      ]),
    RuleRow(
      "reminders", .test(.noData(for: .seconds(2)), repeatEvery: 2), "1 . . . . . 1",
      [
        "fire 1 at 2", "remind(1) 1 at 4", "remind(2) 1 at 6", "resolve 1 at 6",
      ]),
    RuleRow("a replayed value is no data", .test(.noData(for: .seconds(3))), "1 . 1r . .", ["fire 1 at 3"]),
  ]

  static let endings: [RuleRow] = [
    RuleRow(
      "reminders while firing", .test(.above(70), repeatEvery: 2), "71 71 . . . 60 . .",
      [
        "fire 1 at 0", "remind(1) 1 at 2", "remind(2) 1 at 4", "resolve 1 at 5",
      ]),
    RuleRow(
      "a reminder due while stale", .test(.above(70), repeatEvery: 2), "71 stale . . . . live 71 . .",
      [
        "fire 1 at 0", "remind(1) 1 at 5 late", "remind(2) 1 at 6",
      ]),
    RuleRow(
      "a reminder due after a restart and before a value", .test(.above(70), repeatEvery: 2),
      "71 restart . . . 71 . .",
      [
        "fire 1 at 0", "remind(1) 1 at 4 late", "remind(2) 1 at 6",
      ]),
    RuleRow(
      "a reminder due while stale, over", .test(.above(70), repeatEvery: 2), "71 stale . . . . live 60 . .",
      [
        "fire 1 at 0", "resolve 1 at 5",
      ]),
    RuleRow(
      "nobody is reminded of what wasn't told", .test(.crossesAbove(70), repeatEvery: 2), "71 . . . .", []),
    RuleRow("once", .test(.above(70), once: true), "71 60 71 60", ["fire 1 at 0", "resolve 1 at 1"]),
    RuleRow(
      "once, also over a restart", .test(.above(70), once: true), "71 60 restart 71",
      [
        "fire 1 at 0", "resolve 1 at 1",
      ]),
    RuleRow(
      "expires", .test(.above(70), expires: 3), "60 71 60 71 60 71", ["fire 1 at 1", "resolve 1 at 2"]),
    RuleRow(
      "resolves what was told before its end", .test(.above(70), repeatEvery: 2, expires: 2), "71 . . . 60",
      [
        "fire 1 at 0", "resolve 1 at 4",
      ]),
    RuleRow(
      "a held episode past its end", .test(.above(70), cooldown: 5, expires: 4), "71 60 71 . . . . 60",
      [
        "fire 1 at 0", "resolve 1 at 1",
      ]),
  ]

  static let calm = AlertRule.Flapping(changes: 3, within: .seconds(6))
  static let flapping: [RuleRow] = [
    RuleRow(
      "says so once, then resolves when calm", .test(.above(70), flapping: calm),
      "71 60 71 60 71 60 71 60 . . . . . .",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 2", "resolve 2 at 3", "fire 3 at 4 flapping",
        "resolve 3 at 10 flapping",
      ]),
    RuleRow(
      "goes on as an episode if true when calm", .test(.above(70), flapping: calm),
      "71 60 71 60 71 60 71 . . . . . . . 60",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 2", "resolve 2 at 3", "fire 3 at 4 flapping",
        "resolve 3 at 14",
      ]),
    RuleRow(
      "as many as the limit are calm", .test(.above(70), flapping: calm), "71 60 71 . . . . .",
      ["fire 1 at 0", "resolve 1 at 1", "fire 2 at 2"]),
    RuleRow(
      "survives a restart", .test(.above(70), flapping: calm), "71 60 71 60 71 restart 60 71",
      ["fire 1 at 0", "resolve 1 at 1", "fire 2 at 2", "resolve 2 at 3", "fire 3 at 4 flapping"]),
    RuleRow(
      "calm is due while stale", .test(.above(70), flapping: calm),
      "71 60 71 60 71 60 stale . . . . . . live 60",
      [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 2", "resolve 2 at 3", "fire 3 at 4 flapping",
        "resolve 3 at 12 flapping",
      ]),
    RuleRow(
      "crossings flap too", .test(.crosses(70), flapping: calm), "69 71 69 71 69 71 69 . . . . . . . 71",
      ["fire 1 at 1", "fire 2 at 2 downward", "fire 3 at 3", "fire 4 at 4 flapping downward", "fire 5 at 14"]),
  ]

  static let interruptions: [RuleRow] = [
    RuleRow("a gap is neither side", .test(.crossesAbove(70)), "69 gap . . 69 71 gap . 71", ["fire 1 at 4"]),
    RuleRow("crossed across a gap", .test(.crossesAbove(70)), "69 gap . 71 72", ["fire 1 at 2 gap"]),
    RuleRow(
      "resolved across a gap", .test(.crossesAbove(70)), "69 71 gap . 60",
      ["fire 1 at 1", "resolve 1 at 3 gap"]),
    RuleRow("only the first value is across", .test(.crossesAbove(70)), "69 gap 69 71", ["fire 1 at 2"]),
    RuleRow("a gap before the first value", .test(.crossesAbove(70)), "gap 71 60 71", ["fire 1 at 2"]),
    RuleRow("pending begun across a gap", .test(.above(70), for: 1), "69 gap 71 .", ["fire 1 at 2 gap"]),
    RuleRow("restart, same side, clear", .test(.crossesAbove(70)), "69 restart 69 68", []),
    RuleRow("restart, same side, firing", .test(.crossesAbove(70)), "69 71 restart 72", ["fire 1 at 1"]),
    RuleRow(
      "restart, crossed while down", .test(.crossesAbove(70)), "69 restart 71 72", ["fire 1 at 1 down"]),
    RuleRow(
      "restart, recovered while down", .test(.crossesAbove(70)), "69 71 restart 60 60",
      [
        "fire 1 at 1", "resolve 1 at 2 down",
      ]),
    RuleRow("restart of a level rule on the same side", .test(.above(70)), "71 restart 71", ["fire 1 at 0"]),
    RuleRow("restart before the first value", .test(.crossesAbove(70)), "restart 71", []),
    RuleRow("replayed values never fire", .test(.crossesAbove(70)), "69 71r 71r 69 71", ["fire 1 at 4"]),
    RuleRow("replayed values never resolve", .test(.crossesAbove(70)), "69 71 60r 71", ["fire 1 at 1"]),
    RuleRow("a replayed first value doesn't arm", .test(.crossesAbove(70)), "60r 71", []),
    RuleRow("late values update nothing", .test(.crossesAbove(70)), "69 71l 69 71", ["fire 1 at 3"]),
    RuleRow(
      "late values count if accepted", .test(.crossesAbove(70), acceptsLate: true), "69 71l", ["fire 1 at 1"]),
  ]
}
