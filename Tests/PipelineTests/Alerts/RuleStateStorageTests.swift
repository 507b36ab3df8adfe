import Scripting
import Testing

@testable import Pipeline

@Suite struct RuleStateStorageTests {
  @Test("A state with every field set is read back exactly")
  func lossless() throws {
    var state = RuleState()
    state.lastValue = -0.0
    state.lastTime = Timestamp(milliseconds: 1)
    state.since = Timestamp(milliseconds: .max)
    state.due = Timestamp(milliseconds: .min)
    state.calmDue = Timestamp(milliseconds: 4)
    state.cooldownEnd = Timestamp(milliseconds: 5)
    state.episode = .max
    state.reminders = 7
    state.held = .max
    state.flags = .all
    state.phase = .pending
    let stored = try RuleState(state.encoded)
    var bytes: [UInt8] = []
    state.write(into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == state.encoded.json)
    #expect(stored == state)
    #expect(stored.lastValue.sign == .minus)
    #expect(try RuleState(RuleState().encoded) == RuleState())
  }

  @Test(
    "Anything that no state is stored as is refused",
    arguments: [
      .null, [:], [], [1], [2, 1, 0, 0, 0, 0, 0.0, 0, 0, 0, 0, 0], [1, 4, 0, 0, 0, 0, 0.0, 0, 0, 0, 0, 0],
      [1, 1, 65_535, 0, 0, 0, 0.0, 0, 0, 0, 0, 0], [1, 1, 0, -1, 0, 0, 0.0, 0, 0, 0, 0, 0],
      [1, 1, 0, 0, 0, 0, "x", 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, .number(.nan), 0, 0, 0, 0, 0],
      [1, 1, 0, 0, 0, 0, 0.0, 0.5, 0, 0, 0, 0],
    ] as [Value])
  func refusal(_ value: Value) {
    #expect(throws: InvalidRuleState.self) { try RuleState(value) }
  }

  @Test(
    "Anything that no window is stored as is refused",
    arguments: [
      .null, [1], [2, [], [], []], [1, [1], [], []], [1, [2, 0.5, 1, 0.5], [], []], [1, [], [], ["x"]],
    ] as [Value])
  func windowRefusal(_ value: Value) {
    #expect(throws: InvalidRuleState.self) { try RuleWindow(value) }
  }

  @Test("A window never keeps more than 3,601 spans, however long it is")
  func bounded() throws {
    var window = RuleWindow()
    for second in 0..<200_000 {
      // Falling values: the worst case for the highest.
      _ = window.add(
        Double(-second), at: Timestamp(milliseconds: Int64(second) * 1_000), within: .minutes(1_440))
    }
    #expect(window.highs.live.count <= 3_601)
    #expect(window.highs.spans.count <= 7_300)
    #expect(try RuleWindow(window.encoded) == window)
  }
}
