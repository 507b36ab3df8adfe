import Composable
import Synchronization

/// A small feature that most tests here use.
struct Counter: Reducer {
  struct State: Equatable {
    var count = 0
    var log: [String] = []
  }

  enum Action: Sendable, Equatable {
    case increment
    case decrement
    case incrementLater
    case load
    case loaded(Int)
    case start(String)
    case stop(String)
    case ticked(String)
    case fail
  }

  /// Where the timer is started, for the failure texts that name it.
  static let startLine = 42

  @Dependency(\.clock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .decrement:
      state.count -= 1
      return .none
    case .incrementLater: return .send(.increment)
    case .load: return .run { send in await send(.loaded(3)) }
    case .loaded(let value):
      state.count = value
      return .none
    case .start(let id):
      return .run(name: id) { [clock] send in  // Its line is `startLine`.
        while true {
          try await clock.sleep(for: .seconds(1))
          await send(.ticked(id))
        }
      }
      .cancellable(id: id)
    case .stop(let id): return .cancel(id: id)
    case .ticked(let id):
      state.log.append(id)
      return .none
    case .fail: return .run { _ in throw Failure() }
    }
  }
}

struct Failure: Error, Equatable {}

/// Collects what closures of any thread report, for a test to read afterwards.
final class Recorder<Value: Sendable>: Sendable {
  private let storage = Mutex<[Value]>([])
  var values: [Value] { storage.withLock { $0 } }
  func record(_ value: Value) { storage.withLock { $0.append(value) } }
}

extension Dependencies {
  /// The defaults of a test, with issues going to a recorder.
  static func recording(_ issues: Recorder<String>) -> Dependencies {
    Dependencies(.test) {
      $0.clock = ContinuousClock()
      $0.issues = IssueReporter { issues.record($0.message) }
    }
  }
}
