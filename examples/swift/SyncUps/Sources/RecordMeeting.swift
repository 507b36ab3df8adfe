import Composable

/// A running meeting: a timer that gives each attendee the same share, and a growing transcript.
struct RecordMeeting: Reducer {
  struct State: Equatable {
    var syncUp: SyncUp
    var elapsed = Duration.zero
    var speaker = 0
    var transcript = ""
    var problem: String?

    var share: Duration { syncUp.length / max(1, syncUp.attendees.count) }
  }

  enum Action: Sendable, Equatable {
    case began
    case ticked
    case heard(String)
    case failed(String)
    case nextTapped
    case endTapped
    /// Told to whoever shows the meeting: it is over, and this was said.
    case ended(transcript: String)
  }

  @Dependency(\.clock) var clock
  @Dependency(\.transcriber) var transcriber

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .began: return .merge(listen, tick)
    case .ticked:
      state.elapsed += .seconds(1)
      if state.elapsed >= state.syncUp.length { return .send(.ended(transcript: state.transcript)) }
      if state.elapsed >= state.share * (state.speaker + 1) { state.speaker += 1 }
    case .heard(let transcript): state.transcript = transcript
    case .failed(let text): state.problem = text
    case .nextTapped:
      guard state.speaker + 1 < state.syncUp.attendees.count else {
        return .send(.ended(transcript: state.transcript))
      }
      state.speaker += 1
      state.elapsed = state.share * state.speaker
    case .endTapped: return .send(.ended(transcript: state.transcript))
    case .ended: break
    }
    return .none
  }

  private var tick: Effect<Action> {
    .run { send in
      while true {
        try await clock.sleep(for: .seconds(1))
        await send(.ticked)
      }
    }
  }

  private var listen: Effect<Action> {
    .run { send in
      for try await transcript in try await transcriber.transcripts() { await send(.heard(transcript)) }
    } catch: { error, send in
      await send(.failed("\(error)"))
    }
  }
}
