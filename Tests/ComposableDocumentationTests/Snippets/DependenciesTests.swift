import Composable
import ComposableTesting
import Testing

@Suite("The documentation of Composable: dependencies")
@MainActor
struct DependenciesTests {
  @Test("A store is given its dependencies")
  func given() async {
    let http = HTTPClient { _ in HTTPClient.Response(body: Array("from the network".utf8)) }
    // snippet
    let dependencies = Dependencies(.live) {
      $0.http = http
      $0.facts = .over(http)
    }
    let store = Store(initialState: Counter.State(), dependencies: dependencies) { Counter() }
    // end
    store.send(.askTapped)
    for await fact in store.changes(of: \.fact) where fact != nil { break }
    #expect(store.state.fact == "from the network")
    await store.close()
  }

  @Test("A subtree and an operation have values of their own")
  func overrides() {
    // snippet
    struct Demonstration: Reducer {
      var body: some Reducer<Counters.State, Counters.Action> {
        Counters()
          .dependency(\.facts, .preview)
          .dependencies { $0.date = .constant(UnixTime(seconds: 0)) }
      }
    }
    // end
    let store = TestStore(initialState: Counters.State()) { Demonstration() }
    store.exhaustivity = .off
    store.send(.total(.askTapped))
    store.receive(.total(.answered("0 is a number."))) { $0.total.fact = "0 is a number." }
    // snippet
    withDependencies {
      $0.facts.about = { number in "This once, \(number)." }
    } operation: {
      store.send(.total(.askTapped))
    }
    // end
    store.receive(.total(.answered("This once, 0."))) { $0.total.fact = "This once, 0." }
    store.finish()
  }

  @Test("Reduce and effects are handed dependencies")
  func handedOver() {
    // snippet
    let dice = Reduce<[Int], Bool> { rolls, isTapped, dependencies in
      rolls.append(dependencies.random { Int.random(in: 1...6, using: &$0) })
      guard isTapped else { return .none }
      return .run { send in
        try await send.dependencies.clock.sleep(for: .seconds(1))
        await send(false)
      }
    }
    // end
    let store = TestStore(
      initialState: [Int](), dependencies: Dependencies(.test) { $0.random = .seeded(1) }, exhaustivity: .off
    ) { dice }
    store.send(true)
    store.clock.advance(by: .seconds(1))
    store.skipReceivedActions()
    #expect(store.state.count == 2)
    store.finish()
  }

  @Test("The values for tests repeat")
  func forTests() {
    // snippet
    let dependencies = Dependencies(.test) {
      $0.uuid = .incrementing
      $0.date = .constant(UnixTime(seconds: 1_767_225_600))
      $0.random = .seeded(7)
      $0.files = .inMemory(["notes.txt": Array("buy milk".utf8)])
    }
    // end
    #expect(dependencies.uuid() == UniqueID(0))
    #expect(dependencies.date().sinceEpoch == .seconds(1_767_225_600))
  }

  @Test("What a test doesn't give fails it")
  func missing() throws {
    let failures = Failures()
    let store = TestStore(initialState: Counter.State(), report: failures.record) { Counter() }
    store.exhaustivity = .off
    store.send(.askTapped)
    store.finish()
    let page = try Page("Sources/Composable/Composable.docc/TheOutsideWorld.md")
    #expect(failures.texts == page.blocks(of: "text").map(\.text))
  }

  @Test("A connection is opened, read and closed under one id")
  func socket() {
    // snippet
    struct Feed: Reducer {
      enum Action: Sendable, Equatable {
        case connectTapped
        case disconnectTapped
        case connection(WebSocketClient.Event)
        case received(WebSocketClient.Message)
        case failed(String)
      }

      private enum EffectName { case connection }
      @Dependency(\.socket) var socket

      func reduce(into messages: inout [WebSocketClient.Message], action: Action) -> Effect<Action> {
        let id = WebSocketClient.ID(EffectName.connection)
        switch action {
        case .connectTapped:
          return .run { send in
            for await event in try await socket.open(id, "wss://feed.example", []) {
              await send(.connection(event))
            }
          } catch: { error, send in
            await send(.failed("\(error)"))
          }
          .cancellable(id: EffectName.connection)

        case .connection(.opened):
          return .run { send in
            for await message in try await socket.receive(id) { await send(.received(try message.get())) }
          } catch: { error, send in
            await send(.failed("\(error)"))
          }
          .cancellable(id: EffectName.connection)

        case .received(let message):
          messages.append(message)
          return .none

        case .disconnectTapped, .connection(.closed), .failed:
          return .cancel(id: EffectName.connection)
        }
      }
    }
    // end
    let store = TestStore(
      initialState: [WebSocketClient.Message](),
      dependencies: Dependencies(.test) {
        $0.socket.open = { _, _, _ in
          AsyncStream {
            $0.yield(.opened(protocol: nil))
          }
        }
        $0.socket.receive = { _ in AsyncStream { $0.yield(.success(.text("hello"))) } }
      }
    ) { Feed() }
    store.send(.connectTapped)
    store.receive(.connection(.opened(protocol: nil)))
    store.receive(.received(.text("hello"))) { $0 = [.text("hello")] }
    store.send(.disconnectTapped)
    store.finish()
  }
}
