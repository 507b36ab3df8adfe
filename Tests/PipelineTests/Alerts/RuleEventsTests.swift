import Testing

@testable import Pipeline

@Suite struct RuleEventsTests {
  /// Plays a series, reloads, and plays on with the new form of the rule.
  static func told(_ old: AlertRule, _ before: String, _ new: AlertRule, _ after: [Double]) -> [String] {
    var run = RuleRun(old)
    run.play(before)
    var second = Double(before.split(separator: " ").count) - 1
    var next = RuleRun(new)
    (next.state, next.window, next.outcomes) = (run.state, run.window, run.outcomes)
    new.reload(&next.state, replacing: old, at: Timestamp(milliseconds: Int64(second) * 1_000))
    for value in after {
      second += 1
      next.give(value, at: second)
    }
    return next.told
  }

  @Test("A reload of the same rule changes nothing")
  func same() {
    for rule: AlertRule in [
      .test(.crossesAbove(70)), .test(.above(70), for: 5), .test(.above(70), cooldown: 9),
      .test(.crosses(70)),
    ] {
      for series in ["69", "71", "69 71", "71 60 71", "69 71 60 71"] {
        var run = RuleRun(rule)
        run.play(series)
        let before = run.state
        rule.reload(&run.state, replacing: rule, at: Timestamp(milliseconds: 9_000))
        #expect(run.state == before)
      }
    }
  }

  @Test("A crossing rule whose level moved past the last value fires at the next real crossing")
  func movedLevel() {
    #expect(
      Self.told(.test(.crossesAbove(70)), "69 69", .test(.crossesAbove(65)), [69, 60, 66]) == ["fire 1 at 4"])
    #expect(
      Self.told(.test(.crosses(70)), "69 69", .test(.crosses(65)), [69, 64]) == ["fire 1 at 3 downward"])
  }

  @Test("A level rule whose level moved looks at its next value")
  func movedLevelRule() {
    #expect(Self.told(.test(.above(70)), "69", .test(.above(65)), [69]) == ["fire 1 at 1"])
  }

  @Test("A told episode is resolved once, by the new level")
  func resolve() {
    #expect(
      Self.told(.test(.crossesAbove(70)), "69 71", .test(.crossesAbove(80)), [71, 71, 81])
        == ["fire 1 at 1", "resolve 1 at 2", "fire 2 at 4"])
  }

  @Test("Pending keeps its beginning when for_duration changes")
  func pending() {
    #expect(
      Self.told(.test(.above(70), for: 5), "71 71", .test(.above(70), for: 3), [71, 71]) == ["fire 1 at 3"])
    #expect(
      Self.told(.test(.above(70), for: 3), "71 71", .test(.above(70), for: 5), [71, 71, 71, 71])
        == ["fire 1 at 5"])
  }

  @Test("A cooldown moves with its length, and ends when there is none any more")
  func cooldown() {
    #expect(
      Self.told(.test(.above(70), cooldown: 9), "71 60 71", .test(.above(70), cooldown: 4), [71, 71])
        == ["fire 1 at 0", "resolve 1 at 1", "fire 2 at 4 held"])
    #expect(
      Self.told(.test(.above(70), cooldown: 9), "71 60", .test(.above(70)), [71])
        == ["fire 1 at 0", "resolve 1 at 1", "fire 2 at 2"])
  }

  @Test("A different condition keeps the count of episodes and resolves what was told")
  func otherCondition() {
    #expect(
      Self.told(.test(.crossesAbove(70)), "69 71", .test(.below(10)), [71, 9])
        == ["fire 1 at 1", "resolve 1 at 2", "fire 2 at 3"])
    #expect(
      Self.told(.test(.noData(for: .seconds(5))), "1 1", .test(.above(70)), [1, 1, 1, 1, 1, 1, 71])
        == ["fire 1 at 8"])
  }

  @Test("A source lost twice is paused once, and connected twice goes on once")
  func pausedOnce() {
    var run = RuleRun(.test(.noData(for: .seconds(10))))
    run.give(1, at: 0)
    for second in [4, 6] as [Int64] {
      run.rule.sourceLost(&run.state, at: Timestamp(milliseconds: second * 1_000))
    }
    for second in [20, 30] as [Int64] {
      run.rule.sourceConnected(&run.state, at: Timestamp(milliseconds: second * 1_000))
    }
    #expect(run.state.nextDue == Timestamp(milliseconds: 26_000))
  }

  @Test("Alert texts say what a reader should know besides")
  func texts() {
    let rule = AlertRule(name: "over", condition: .above(70_000))
    var episode = RuleEpisode(
      number: 1, reminder: 0, held: 0, remarks: [], since: Timestamp(milliseconds: 0),
      time: Timestamp(milliseconds: 0), value: 70_010)
    #expect(rule.text(for: .fire(episode)) == "over: at or above 70000 (last value 70010)")
    #expect(
      rule.text(for: .resolve(episode), key: "btc")
        == "resolved: over [btc]: at or above 70000 (last value 70010)")
    episode.remarks = [.whileDown, .late]
    episode.held = 2
    #expect(
      rule.text(for: .fire(episode), written: "high!")
        == "high! (happened while the program was down; late, was due while no data came; 2 more episodes in the cooldown before)"
    )
    #expect(rule.text(for: .nothing) == nil)
  }

  @Test("An alert carries what the rule declares, and an id that repeats with the episode only")
  func alerts() {
    let rule = AlertRule(
      name: "over", condition: .above(70), severity: .critical, labels: ["team": "desk"],
      repeatEvery: .seconds(1))
    func alerts() -> [Alert] {
      var run = RuleRun(rule)
      run.play("71 . . 60 71")
      return run.outcomes.compactMap { rule.alert(for: $0, script: "s", key: "btc") }
    }
    let first = alerts()
    #expect(first.map(\.kind) == [.firing, .reminder, .reminder, .reminder, .resolved, .firing])
    #expect(Set(first.map(\.id)).count == 6)
    #expect(first == alerts())
    var expected = Alert(
      id: AlertIdentity(script: "s", rule: "over", key: "btc", episode: 1, kind: .firing).id, name: "over",
      script: "s", key: "btc", severity: .critical, text: "over [btc]: at or above 70 (last value 71)",
      time: Timestamp(milliseconds: 0), value: 71, labels: ["team": "desk"], lasts: true)
    expected.since = Timestamp(milliseconds: 0)
    #expect(first[0] == expected)
    #expect(first.dropLast().allSatisfy { $0.since == expected.since })
    #expect(first.map(\.lasts) == [true, true, true, true, false, true])
    #expect(rule.alert(for: .nothing, script: "s", key: "btc") == nil)
    #expect(rule.alert(for: .refused(.nan), script: "s", key: "btc") == nil)
  }

  @Test("A key armed but never heard of gets its whole time again after a restart")
  func armedRestart() {
    let rule = AlertRule.test(.noData(for: .seconds(10)))
    var state = RuleState()
    rule.arm(&state)
    rule.sourceConnected(&state, at: Timestamp(milliseconds: 0))
    rule.restart(&state, at: Timestamp(milliseconds: 50_000))
    #expect(state.nextDue == nil)
    rule.sourceConnected(&state, at: Timestamp(milliseconds: 60_000))
    #expect(state.nextDue == Timestamp(milliseconds: 70_000))
    rule.restart(&state, at: Timestamp(milliseconds: 90_000), downSince: Timestamp(milliseconds: 66_000))
    rule.sourceConnected(&state, at: Timestamp(milliseconds: 100_000))
    #expect(state.nextDue == Timestamp(milliseconds: 104_000))
  }

  @Test("Calm comes at once when a rule no longer watches for flapping")
  func flappingDropped() {
    let flapping = AlertRule.test(.above(70), flapping: .init(changes: 1, within: .seconds(60)))
    #expect(
      Self.told(flapping, "71 60 71 60", .test(.above(70)), [60, 71]) == [
        "fire 1 at 0", "resolve 1 at 1", "fire 2 at 2 flapping", "resolve 2 at 3 flapping", "fire 3 at 5",
      ])
  }

  @Test("Time left for missing data moves with its length, also while paused")
  func missingDataReload() {
    let (old, new) = (AlertRule.test(.noData(for: .seconds(10))), AlertRule.test(.noData(for: .seconds(14))))
    var run = RuleRun(old)
    run.give(1, at: 0)
    old.sourceLost(&run.state, at: Timestamp(milliseconds: 6_000))
    new.reload(&run.state, replacing: old, at: Timestamp(milliseconds: 7_000))
    new.sourceConnected(&run.state, at: Timestamp(milliseconds: 20_000))
    #expect(run.state.nextDue == Timestamp(milliseconds: 28_000))
  }
}
