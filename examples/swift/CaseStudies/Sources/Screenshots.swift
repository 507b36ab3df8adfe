import Composable

/// Long-living effects: counts the screenshots that are taken while its page is shown.
struct Screenshots: Reducer {
  struct Page: Reducer {
    struct State: Equatable { var count = 0 }
    enum Action: Sendable, Equatable { case shown, taken }

    let screenshots: @Sendable () -> AsyncStream<Void>

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .shown:
        // It needs no id: it ends with the page.
        return .run { send in for await _ in screenshots() { await send(.taken) } }
      case .taken:
        state.count += 1
        return .none
      }
    }
  }

  struct State: Equatable { var page: Page.State? }
  enum Action: Sendable, Equatable { case opened, closed, page(Page.Action) }

  /// An element for each screenshot from now on.
  let screenshots: @Sendable () -> AsyncStream<Void>

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .opened:
        state.page = Page.State()
        return .send(.page(.shown))
      case .closed: state.page = nil
      case .page: break
      }
      return .none
    }
    .ifLet(\.page, action: .page) { Page(screenshots: screenshots) }
  }
}

extension Route where Whole == Screenshots.Action, Part == Screenshots.Page.Action {
  static var page: Self {
    Route(embed: Whole.page) { if case .page(let action) = $0 { action } else { nil } }
  }
}
