import Composable

/// Much state, of which little is read.
struct Wide: Reducer {
  struct State: Sendable {
    var number = 1
    var first = [0], second = [1], third = [2], fourth = [3], fifth = [4]
    var sixth = "a text that is not held in line", seventh = [7: 7], eighth: Set = [8]
  }
  enum Action: Sendable { case none }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}
