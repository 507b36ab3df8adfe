import Scripting
import Testing

@testable import Pipeline

@Suite("A feed beside a channel that is down")
struct ChannelOutageTests {
  @Test(
    "A channel that is down for an hour delays no message and no other channel, and floods nobody when it is back"
  )
  @MainActor
  func hourDown() throws {
    let script = """
      local M = { on = {}, state = { n = 0 } }
      function M.on.feed(state, message)
        state.n = message.n
        alert.send { name = "seen", key = "" .. message.n, text = "n " .. message.n }
      end
      return M
      """
    let runner = try ScriptRunner(name: "s", file: ScriptFile(name: "s.lua", source: script))
    let start = Timestamp(milliseconds: 1_767_225_600_000)
    let wiring = EngineWiring(
      runners: [runner], feeds: [[EngineWiring.Feed(runner: runner, input: "feed")]],
      router: AlertRouter(routes: [], channels: ["phone", "screen"]))
    let engine = VirtualEngine(
      wiring: wiring, sourceNames: ["feed"], channels: ["phone", "screen"], now: start,
      storage: MemoryStorage())
    engine.start()
    engine.setFailure(of: "phone", to: "refused")
    let count = 900
    for number in 0..<count {
      let batch = MessageBatch()
      let time = start + .seconds(Int64(number) * 10)
      if number == 360 { engine.setFailure(of: "phone", to: nil) }
      batch.append("{\"n\":\(number)}", time: time.milliseconds)
      engine.receive(batch, source: 0)
      #expect(engine.now == time)
    }
    engine.advance(to: engine.now + .minutes(120))

    var raised: [String: Timestamp] = [:]
    var screen: [(text: String, time: Timestamp)] = []
    var phone: [(text: String, time: Timestamp)] = []
    for (time, event) in engine.takeTimedEvents() {
      switch event {
      case .alert(let alert) where alert.name == "seen": raised[alert.text] = time
      case .delivered(let alert, "screen") where alert.name == "seen": screen.append((alert.text, time))
      case .delivered(let alert, "phone"): phone.append((alert.text, time))
      default: break
      }
    }
    #expect(raised.count == count)
    for number in 0..<count { #expect(raised["n \(number)"] == start + .seconds(Int64(number) * 10)) }
    #expect(screen.map(\.text) == (0..<count).map { "n \($0)" })
    for (text, time) in screen { #expect(time == raised[text]) }
    // Nothing older than max_age: of those one message tells, and first.
    let back = start + .minutes(60)
    #expect(phone.allSatisfy { $0.time >= back })
    let summaries = phone.filter { $0.text.contains("could not be delivered in time") }
    let seen = phone.filter { $0.text.hasPrefix("n ") }
    #expect(summaries.count <= 1)
    #expect(seen.map(\.text) == ((count - seen.count)..<count).map { "n \($0)" }, "each once, in order")
    for (text, time) in seen {
      #expect((time - (raised[text] ?? start)) <= DeliveryPolicy().maximumAge, "\(text)")
    }
  }
}
