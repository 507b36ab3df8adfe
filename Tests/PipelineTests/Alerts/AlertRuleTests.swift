import Testing

@testable import Pipeline

@Suite struct AlertRuleTests {
  @Test("A rule tells exactly what its row says", arguments: RuleRow.all)
  func row(_ row: RuleRow) {
    #expect(row.rule.told(row.series) == row.told)
  }

  @Test("A rule decided by the script fires and resolves with its word")
  func decidedByScript() {
    var run = RuleRun(.test(.decidedByScript))
    for (second, isTrue) in [true, true, false, true].enumerated() {
      run.give(5, at: Double(second), isTrue: isTrue)
    }
    #expect(run.told == ["fire 1 at 0", "resolve 1 at 2", "fire 2 at 3"])
  }

  @Test("Values older than the last are late without being said to be")
  func olderIsLate() {
    var run = RuleRun(.test(.crossesAbove(70)))
    run.give(69, at: 10)
    run.give(71, at: 9)
    #expect(run.told == [])
    #expect(run.state.value == 69)
    run.give(71, at: 10)
    #expect(run.told == ["fire 1 at 10"])
  }

  @Test(
    "Numbers that aren't finite are refused and change nothing",
    arguments: [Double.nan, .infinity, -.infinity])
  func refusal(_ value: Double) {
    for phase in ["69", "71", "69 71"] {
      var run = RuleRun(.test(.crossesAbove(70)))
      run.play(phase)
      let before = run.state
      run.give(value, at: 5)
      #expect(run.state == before)
      guard case .refused(let refused)? = run.outcomes.last else {
        Issue.record("\(value) was not refused")
        return
      }
      #expect(refused.isNaN == value.isNaN)
      #expect(run.rule.refusal(of: value) == "rule 'r': expected a finite number, got \(value)")
    }
  }

  @Test("The context of a value says the same as the event before it")
  func context() {
    var run = RuleRun(.test(.crossesAbove(70)))
    run.give(69, at: 0)
    run.give(71, at: 1, .afterGap)
    run.give(60, at: 2, .afterRestart)
    #expect(run.told == ["fire 1 at 1 gap", "resolve 1 at 2 down"])
  }

  @Test("A rule about missing data watches a declared key from the first connect")
  func armed() {
    var run = RuleRun(.test(.noData(for: .seconds(3))))
    run.rule.arm(&run.state)
    #expect(run.state.nextDue == nil)
    run.rule.sourceConnected(&run.state, at: Timestamp(milliseconds: 10_000))
    run.advance(to: 20)
    #expect(run.told == ["fire 1 at 13"])
    #expect(run.outcomes.first?.episode?.value == nil)
  }

  @Test("A call before anything is due changes nothing")
  func early() {
    var run = RuleRun(.test(.above(70), for: 10))
    run.give(71, at: 0)
    let before = run.state
    #expect(run.rule.due(&run.state, at: Timestamp(milliseconds: 9_999), source: .live) == .nothing)
    #expect(run.state == before)
  }

  @Test("A value at the very time something is due decides it, should the host not have asked before")
  func valueInsteadOfDue() {
    let pending = AlertRule.test(.above(70), for: 10)
    var state = RuleState()
    _ = pending.check(&state, value: 71, at: Timestamp(milliseconds: 0))
    let fired = pending.check(&state, value: 72, at: Timestamp(milliseconds: 10_000))
    #expect(RuleRun.words(fired) == "fire 1 at 10")
    let reminding = AlertRule.test(.above(70), repeatEvery: 10)
    state = RuleState()
    _ = reminding.check(&state, value: 71, at: Timestamp(milliseconds: 0))
    let reminder = reminding.check(&state, value: 72, at: Timestamp(milliseconds: 10_000))
    #expect(RuleRun.words(reminder) == "remind(1) 1 at 10")
  }

  @Test("The state of a key is 64 plain bytes")
  func size() {
    #expect(MemoryLayout<RuleState>.stride <= 64)
    #expect(_isPOD(RuleState.self))
  }
}
