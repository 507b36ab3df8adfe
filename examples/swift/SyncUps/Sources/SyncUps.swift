import Composable

/// The list of sync-ups, kept in a file, and the meeting that is being held.
struct SyncUps: Reducer {
  struct State: Equatable {
    @Shared var syncUps: IdentifiedArrayOf<SyncUp>
    var meeting: RecordMeeting.State?
  }

  enum Action: Sendable, Equatable {
    case added(title: String, attendees: [String], minutes: Int)
    case deleted(UniqueID)
    case startTapped(UniqueID)
    case discardTapped
    case meeting(RecordMeeting.Action)
  }

  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .added(let title, let attendees, let minutes):
        state.syncUps.append(SyncUp(id: uuid(), title: title, attendees: attendees, minutes: minutes))
      case .deleted(let id):
        state.syncUps.remove(id: id)
        if state.meeting?.syncUp.id == id { state.meeting = nil }
      case .startTapped(let id):
        guard state.meeting == nil, let syncUp = state.syncUps[id: id] else { return .none }
        state.meeting = RecordMeeting.State(syncUp: syncUp)
        return .send(.meeting(.began))
      case .discardTapped:
        // The meeting's timer and its listening end with its state.
        state.meeting = nil
      case .meeting(.ended(let transcript)):
        guard let id = state.meeting?.syncUp.id else { return .none }
        let meeting = Meeting(id: uuid(), date: date(), transcript: transcript)
        state.syncUps[id: id]?.meetings.insert(meeting, at: 0)
        state.meeting = nil
      case .meeting: break
      }
      return .none
    }
    .ifLet(\.meeting, action: .meeting) { RecordMeeting() }
  }
}

extension Route where Whole == SyncUps.Action, Part == RecordMeeting.Action {
  static var meeting: Self {
    Route(embed: SyncUps.Action.meeting) { if case .meeting(let action) = $0 { action } else { nil } }
  }
}
