import Composable

/// Shared state: one page counts, another shows what was reached and resets it; both hold the same value.
struct SharedCounter: Reducer {
  struct Statistics: Sendable, Equatable { var count = 0, highest = 0, changes = 0 }

  struct Counter: Reducer {
    struct State: Equatable { @Shared var statistics: Statistics }
    enum Action: Sendable, Equatable { case changed(by: Int) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      guard case .changed(let difference) = action else { return .none }
      state.$statistics.withLock {
        $0.count += difference
        $0.highest = max($0.highest, $0.count)
        $0.changes += 1
      }
      return .none
    }
  }

  struct Profile: Reducer {
    struct State: Equatable { @Shared var statistics: Statistics }
    enum Action: Sendable, Equatable { case resetTapped }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.statistics = Statistics()
      return .none
    }
  }

  struct State: Equatable {
    var counter: Counter.State
    var profile: Profile.State

    init(_ statistics: Shared<Statistics> = Shared(Statistics(), name: "statistics")) {
      counter = Counter.State(statistics: statistics)
      profile = Profile.State(statistics: statistics)
    }
  }

  enum Action: Sendable, Equatable { case counter(Counter.Action), profile(Profile.Action) }

  var body: some Reducer<State, Action> {
    Scope(state: \.counter, action: .counter) { Counter() }
    Scope(state: \.profile, action: .profile) { Profile() }
  }
}

extension Route where Whole == SharedCounter.Action, Part == SharedCounter.Counter.Action {
  static var counter: Self {
    Route(embed: Whole.counter) { if case .counter(let action) = $0 { action } else { nil } }
  }
}

extension Route where Whole == SharedCounter.Action, Part == SharedCounter.Profile.Action {
  static var profile: Self {
    Route(embed: Whole.profile) { if case .profile(let action) = $0 { action } else { nil } }
  }
}
