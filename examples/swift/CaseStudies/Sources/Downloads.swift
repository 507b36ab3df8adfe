import Composable

/// Downloads with progress: a list of things that are each downloaded on their own.
struct Downloads: Reducer {
  struct State: Equatable { var rows: IdentifiedArray<String, Download.State> }
  enum Action: Sendable, Equatable { case removed(String), row(IdentifiedAction<String, Download.Action>) }

  /// Loads what is at a URL: the share that has come, each time it grows, until the end.
  let load: @Sendable (_ url: String) -> AsyncThrowingStream<Double, any Error>

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      if case .removed(let url) = action { state.rows.remove(id: url) }
      return .none
    }
    .forEach(\.rows, action: .row) { Download(load: load) }
  }
}

/// One thing that can be downloaded.
struct Download: Reducer {
  struct State: Equatable, Identifiable {
    enum Progress: Equatable { case absent, loading(Double), loaded, failed(String) }

    let id: String
    var progress = Progress.absent
  }

  enum Action: Sendable, Equatable { case buttonTapped, progressed(Double), loaded, failed(String) }

  private enum EffectName { case load }

  let load: @Sendable (_ url: String) -> AsyncThrowingStream<Double, any Error>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch (action, state.progress) {
    case (.buttonTapped, .absent), (.buttonTapped, .failed):
      state.progress = .loading(0)
      return .run { [url = state.id] send in
        for try await share in load(url) { await send(.progressed(share)) }
        await send(.loaded)
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: EffectName.load)
    case (.buttonTapped, _):
      state.progress = .absent
      return .cancel(id: EffectName.load)
    case (.progressed(let share), _): state.progress = .loading(share)
    case (.loaded, _): state.progress = .loaded
    case (.failed(let text), _): state.progress = .failed(text)
    }
    return .none
  }
}

extension Route where Whole == Downloads.Action, Part == IdentifiedAction<String, Download.Action> {
  static var row: Self { Route(embed: Whole.row) { if case .row(let action) = $0 { action } else { nil } } }
}
