import Testing

@testable import Pipeline

@Suite("The host's own alerts")
struct HostAlertTests {
  /// Fails at every message.
  private static let broken = """
    local M = { on = {} }
    function M.on.price(state, m) error("broken") end
    return M
    """

  private func trial(_ channels: [String] = ["screen"], staleAfter: Milliseconds? = .seconds(30)) async throws
    -> EngineTrial
  {
    try await EngineTrial(
      script: Self.broken, channels: channels,
      machine: SourceMachine.Settings(
        connectTimeout: nil, staleAfter: staleAfter, afterLoss: .reconnect(ReconnectPolicy())),
      watchesFeeds: true)
  }

  private func told(_ trial: EngineTrial) async -> [String] {
    await trial.alerts.map { "\($0.kind) \($0.name) \($0.key) \($0.severity.name)" }
  }

  @Test(
    "A feed that goes silent is told once, and once more when its data is back; a broken script changes nothing"
  )
  func stale() async throws {
    let trial = try await trial()
    await trial.read(["{}"], from: 1_000)
    await trial.tick(at: 32_000)
    #expect(await told(trial) == ["firing feed down feed warning"])
    #expect(await trial.alertTexts.first?.contains("it is connected and silent") == true)
    await trial.store()
    #expect(await trial.deliveredTexts == trial.alertTexts)
    // It connects again, and only data ends it.
    await trial.tick(at: 60_000)
    await trial.send(.source(0, .opened(connection: 2)))
    #expect(await trial.alerts.count == 1)
    await trial.read(["{}"], from: 61_000, connection: 2)
    #expect(await told(trial).last == "resolved feed down feed warning")
    #expect(await Set(trial.alerts.map(\.id)).count == 2)
  }

  @Test("A feed that can't be reached for a minute is told; shorter losses are not")
  func unreachable() async throws {
    let trial = try await trial()
    await trial.read(["{}"], from: 1_000)
    await trial.send(.source(0, .closed(connection: 1, .init(code: 1006, reason: "lost"))))
    #expect(await trial.nextDue != nil)
    await trial.tick(at: 60_900)
    #expect(await trial.alerts.isEmpty)
    await trial.tick(at: 61_000)
    #expect(await told(trial) == ["firing feed down feed warning"])
    #expect(await trial.alertTexts.first?.hasSuffix("disconnected (1006): lost") == true)
    await trial.send(.stop)
    #expect(await told(trial).last == "resolved feed down feed warning")
    #expect(await trial.alertTexts.last?.hasPrefix("source 'feed' is watched no more; it was down") == true)
  }

  @Test("The log tells when the next attempt to connect is")
  func nextAttempt() async throws {
    let trial = try await trial()
    await trial.send(
      .source(0, .closed(connection: 1, .init(code: 429, reason: "busy", retryAfter: .seconds(5)))))
    let line = await trial.logs.last { $0.hasPrefix("disconnected") }
    #expect(line?.hasPrefix("disconnected (429): busy; next attempt in 5") == true, "\(line ?? "")")
    let other = try await self.trial()
    await other.send(.source(0, .disconnect))
    #expect(await other.logs.last == "disconnected (1000): disconnected by the script")
  }

  @Test("What the host notices about itself is logged and told")
  func noticed() async throws {
    let trial = try await trial()
    await trial.send(
      .noticed(HostAlert.make(.clockSet, about: "clock", at: Timestamp(milliseconds: 0), text: "set")))
    await trial.store()
    #expect(await trial.deliveredTexts == ["set"])
    #expect(await trial.logs.contains("set"))
  }

  @Test("A storage that fails is told around itself, and its recovery too")
  func storage() async throws {
    let trial = try await trial(staleAfter: nil)
    await trial.read(["{}"], from: 1_000)
    await trial.tick(at: 2_100)
    await trial.send(.stored(changes: 1, StorageError(.full, "the disk is full")))
    #expect(await trial.deliveredTexts == ["the disk is full"], "without a commit")
    await trial.tick(at: 3_200)
    await trial.send(.stored(changes: trial.changes(ofCommit: trial.commitCount - 1), nil))
    #expect(await told(trial).last == "resolved storage failing storage critical")
    #expect(await Set(trial.alerts.map(\.key)) == ["storage"])
  }

  @Test("A dead letter is told by the other channels, once until the channel delivers again")
  func givenUp() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = { on = {} }
        function M.on.price(state, m) alert.send { name = "seen", text = "n " .. m.n } end
        return M
        """, channels: ["phone", "screen"])
    /// Answers all deliveries until none is left.
    func settle(_ outcome: DeliveryOutcome, from count: Int) async -> Int {
      var done = count
      while true {
        await trial.store()
        let deliveries = await trial.deliveries
        guard done < deliveries.count else { return done }
        for delivery in deliveries[done...] {
          await trial.send(.delivered(delivery, delivery.channel == "phone" ? outcome : .delivered))
        }
        done = deliveries.count
      }
    }
    await trial.read([#"{"n":1}"#], from: 1_000)
    var done = await settle(.failed(reason: "404"), from: 0)
    await trial.read([#"{"n":2}"#], from: 2_000)
    done = await settle(.failed(reason: "404"), from: done)
    #expect(await trial.alerts.filter { $0.name == "alert given up" }.count == 1)
    let told = await trial.deliveries.filter { $0.alert.name == "alert given up" }
    #expect(told.map(\.channel) == ["screen"])
    #expect(told.first?.alert.text.hasPrefix("channel 'phone' could not deliver 'seen': 404") == true)
    await trial.read([#"{"n":3}"#], from: 3_000)
    done = await settle(.delivered, from: done)
    await trial.read([#"{"n":4}"#], from: 4_000)
    _ = await settle(.failed(reason: "404"), from: done)
    #expect(await trial.alerts.filter { $0.name == "alert given up" }.count == 2)
  }
}
