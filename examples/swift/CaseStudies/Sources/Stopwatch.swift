import Composable

/// Timers: counts seconds while it is on, in steps whose length can be changed meanwhile.
struct Stopwatch: Reducer {
  struct State: Equatable {
    var isOn = false
    var step = Duration.seconds(1)
    var elapsed = Duration.zero
  }

  enum Action: Sendable, Equatable { case buttonTapped, stepChanged(Duration), ticked }

  private enum EffectName { case timer }

  @Dependency(\.clock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .buttonTapped:
      state.isOn.toggle()
      return state.isOn ? ticking(every: state.step) : .cancel(id: EffectName.timer)
    case .stepChanged(let step):
      state.step = step
      return state.isOn ? ticking(every: step) : .none
    case .ticked:
      state.elapsed += state.step
      return .none
    }
  }

  private func ticking(every step: Duration) -> Effect<Action> {
    .run { send in
      while true {
        try await clock.sleep(for: step)
        await send(.ticked)
      }
    }
    .cancellable(id: EffectName.timer, cancelInFlight: true)
  }
}
