import Composable
import ComposableTesting
import Testing

/// A dependency as a user declares one: a struct of closures.
private struct Greeter: Sendable {
  var greet: @Sendable (String) async throws -> String
}

private enum GreeterKey: DependencyKey {
  static let name = "greeter"
  static let live = Greeter { "Hello, \($0)" }
  static let test = Greeter(greet: unimplementedFunction("greeter.greet"))
  static let preview = Greeter { _ in "preview" }
}

extension Dependencies {
  fileprivate var greeter: Greeter {
    get { self[GreeterKey.self] }
    set { self[GreeterKey.self] = newValue }
  }
}

/// Greets through its dependency.
private struct Greeting: Reducer {
  enum Action: Sendable, Equatable { case greet, greeted(String), identify }
  /// The line below that starts the effect which calls `greet`.
  static let greetLine = 38
  /// The line below that calls `uuid()`.
  static let identifyLine = 44

  @Dependency(\.greeter) var greeter
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout String, action: Action) -> Effect<Action> {
    switch action {
    case .greet:
      return .run { send in
        await send(.greeted(try await greeter.greet("you")))
      } catch: { error, send in
        await send(.greeted("error"))
      }
    case .greeted(let text): state = text
    case .identify: state = uuid().description
    }
    return .none
  }
}

@Suite("3.6 Dependencies")
struct DependencyTests {
  @Test("A store hands its dependencies to reducers and effects")
  func given() {
    let store = TestStore(
      initialState: "", dependencies: Dependencies(.test) { $0.greeter.greet = { "Hi, \($0)" } }
    ) { Greeting() }
    store.send(.greet)
    store.receive(.greeted("Hi, you")) { $0 = "Hi, you" }
    store.finish()
  }

  @Test("Live, test and preview have their own defaults")
  func contexts() async throws {
    #expect(try await Dependencies.live.greeter.greet("you") == "Hello, you")
    #expect(try await Dependencies.preview.greeter.greet("you") == "preview")
  }

  @Test("An unimplemented dependency fails the test that touched it, by name, at its line")
  func unimplemented() {
    let failures = Recorder<(String, SourceLocation)>()
    let store = TestStore(initialState: "", report: { failures.record(($0, $1)) }) { Greeting() }
    store.send(.greet)
    store.receive(.greeted("error")) { $0 = "error" }
    store.send(.identify) { $0 = "00000000-0000-0000-0000-000000000000" }
    store.finish()
    #expect(failures.values.count == 2)
    #expect(
      failures.values.first?.0
        == "The dependency greeter.greet was used, but this test gives none. Tests get no real dependencies, "
        + "so that they can't reach the world by accident. To fix, set it in the store's dependencies: "
        + "Dependencies(.test) { $0.… = … }.")
    // A function of a dependency doesn't know its caller; the effect that called it does.
    #expect(failures.values.first?.1.fileID == "ComposableTests/DependencyTests.swift")
    #expect(failures.values.first?.1.line == Greeting.greetLine)
    #expect(failures.values.last?.0.hasPrefix("The dependency uuid was used") == true)
    #expect(failures.values.last?.1.fileID == "ComposableTests/DependencyTests.swift")
    #expect(failures.values.last?.1.line == Greeting.identifyLine)
  }

  @Test("A dependency that isn't touched isn't missed")
  func untouched() {
    let store = TestStore(initialState: "") { Greeting() }
    store.send(.greeted("x")) { $0 = "x" }
    store.finish()
  }

  @Test("An override holds for a subtree, its effects and nothing else")
  func subtree() {
    struct Both: Reducer {
      struct State: Equatable { var left = "", right = "" }
      enum Action: Sendable, Equatable { case left(Greeting.Action), right(Greeting.Action) }
      var body: some Reducer<State, Action> {
        Scope(
          state: \.left,
          action: Route(embed: Action.left) { if case .left(let action) = $0 { action } else { nil } }
        ) {
          Greeting().dependency(\.greeter, Greeter { _ in "left" })
        }
        Scope(
          state: \.right,
          action: Route(embed: Action.right) { if case .right(let action) = $0 { action } else { nil } }
        ) {
          Greeting().dependencies { $0.uuid = .constant(UniqueID(5)) }
        }
      }
    }
    let store = TestStore(
      initialState: Both.State(), dependencies: Dependencies(.test) { $0.greeter.greet = { _ in "store" } }
    ) { Both() }
    store.send(.left(.greet))
    store.receive(.left(.greeted("left"))) { $0.left = "left" }
    store.send(.right(.greet))
    store.receive(.right(.greeted("store"))) { $0.right = "store" }
    store.send(.right(.identify)) { $0.right = "00000000-0000-0000-0000-000000000005" }
    store.finish()
  }

  @Test("An override for one operation holds for it and the effects it starts")
  func operation() {
    let store = TestStore(
      initialState: "", dependencies: Dependencies(.test) { $0.greeter.greet = { _ in "store" } }
    ) { Greeting() }
    withDependencies {
      $0.greeter.greet = { _ in "operation" }
    } operation: {
      store.send(.greet)
    }
    store.receive(.greeted("operation")) { $0 = "operation" }
    store.send(.greet)
    store.receive(.greeted("store")) { $0 = "store" }
    store.finish()
  }

  @Test("Reduce and Send hand dependencies over without a property")
  func handedOver() {
    let store = TestStore(
      initialState: "",
      dependencies: Dependencies(.test) {
        $0.greeter.greet = { _ in "sent" }
        $0.uuid = .incrementing
      }
    ) {
      Reduce<String, String> { state, action, dependencies in
        state = "\(action) \(dependencies.uuid().low)"
        guard action == "go" else { return .none }
        return .run { send in await send(try await send.dependencies.greeter.greet("")) }
      }
    }
    store.send("go") { $0 = "go 0" }
    store.receive("sent") { $0 = "sent 1" }
    store.finish()
  }

  @Test("Chance repeats for a seed, identifiers count, dates can stand still")
  func provided() {
    let dependencies = Dependencies(.test) {
      $0.random = .seeded(1)
      $0.uuid = .incrementing
      $0.date = .constant(UnixTime(seconds: 1_234))
    }
    let rolls = (0..<100).map { _ in dependencies.random { Int.random(in: 1...6, using: &$0) } }
    let again = RandomSource.seeded(1)
    #expect(rolls == (0..<100).map { _ in again { Int.random(in: 1...6, using: &$0) } })
    #expect(Set(rolls) == [1, 2, 3, 4, 5, 6])
    #expect([dependencies.uuid(), dependencies.uuid()] == [UniqueID(0), UniqueID(1)])
    #expect(dependencies.date() == UnixTime(seconds: 1_234))
    #expect(abs(Dependencies.live.date().sinceEpoch.components.seconds) > 1_600_000_000)
  }

  @Test("A random identifier is of version 4")
  func randomIdentifier() {
    let text = Array(Dependencies.live.uuid().description)
    #expect(text.count == 36 && text[14] == "4" && "89ab".contains(text[19]))
    #expect(Dependencies.live.uuid() != Dependencies.live.uuid())
  }
}
