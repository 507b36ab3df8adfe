import Composable
import ComposableDatabase

/// The list of workouts, the latest first, and a form for a new one.
///
/// The database is the one truth: changes go to it, and the list is what the query says then.
struct Workouts: Reducer {
  struct State: Equatable {
    var filter = Filter()
    var workouts: [Workout] = []
    var form: Form?
    var problem: String?
  }

  struct Filter: Sendable, Equatable {
    var kind: Workout.Kind?
    var minimumMinutes = 0

    var descriptor: FetchDescriptor<Workout> {
      var predicate = \Workout.minutes >= minimumMinutes
      if let kind { predicate = predicate && \Workout.kind == kind }
      return FetchDescriptor(where: predicate, sort: [.descending(\.start)])
    }
  }

  /// What is typed for a new workout.
  struct Form: Sendable, Equatable {
    var name = ""
    var kind = Workout.Kind.run
    var minutes = 30
    var isComplete: Bool { !name.isEmpty && minutes > 0 }
  }

  enum Action: Sendable, Equatable {
    case appeared
    case disappeared
    case filtered(Filter)
    case shown([Workout])
    case addTapped
    case edited(Form)
    case cancelTapped
    case saveTapped
    case deleted(UniqueID)
    case failed(String)
  }

  private enum EffectName { case list }

  @Dependency(\.database) var database
  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared: return list(state.filter)
    case .disappeared: return .cancel(id: EffectName.list)
    case .filtered(let filter):
      state.filter = filter
      return list(filter)
    case .shown(let workouts): state.workouts = workouts
    case .addTapped: state.form = Form()
    case .edited(let form): state.form = form
    case .cancelTapped: state.form = nil
    case .saveTapped:
      guard let form = state.form, form.isComplete else { return .none }
      state.form = nil
      let workout = Workout(
        id: uuid(), name: form.name, kind: form.kind, minutes: form.minutes, start: date())
      return change { try await $0.add(workout) }
    case .deleted(let id):
      return change { try await $0.delete(Workout.self, where: \.id == id) }
    case .failed(let text): state.problem = text
    }
    return .none
  }

  /// Shows what a filter lets through, now and after each change of the database.
  private func list(_ filter: Filter) -> Effect<Action> {
    .run { send in
      for try await workouts in database.rows(of: filter.descriptor) { await send(.shown(workouts)) }
    } catch: { error, send in
      await send(.failed("\(error)"))
    }
    .cancellable(id: EffectName.list, cancelInFlight: true)
  }

  private func change(_ body: @escaping @Sendable (Database) async throws -> Void) -> Effect<Action> {
    .run { _ in
      try await body(database)
    } catch: { error, send in
      await send(.failed("\(error)"))
    }
  }
}
