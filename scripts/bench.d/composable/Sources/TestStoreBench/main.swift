import Composable
import ComposableTesting
import Testing

// TestStoreBench COUNT: sends COUNT actions to a test store and receives what follows each.

/// Counts, at once or by way of an effect.
struct Leaf: Reducer {
  struct State: Equatable { var count = 0 }
  enum Action: Sendable, Equatable { case increment, incrementLater }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .incrementLater: return .send(.increment)
    }
  }
}

guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else {
  fatalError("usage: TestStoreBench COUNT")
}
// The macro for the place of a call is for test targets only.
let here = SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
let store = TestStore(
  initialState: Leaf.State(), report: { message, _ in fatalError(message) }, sourceLocation: here
) {
  Leaf()
}
for number in 1...count {
  store.send(.incrementLater, sourceLocation: here)
  store.receive(.increment, sourceLocation: here) { $0.count = number }
}
store.finish(sourceLocation: here)
