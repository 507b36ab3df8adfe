import Composable

/// Writes down what is said while a button is on.
struct SpeechRecognition: Reducer {
  struct State: Equatable {
    var isRecording = false
    var transcript = ""
    var alert: String?
  }

  enum Action: Sendable, Equatable {
    case buttonTapped
    case permission(SpeechClient.Permission)
    case heard(String)
    case ended
    case failed(String)
    case alertDismissed
  }

  private enum EffectName { case recording }

  @Dependency(\.speech) var speech

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .buttonTapped:
      state.isRecording.toggle()
      guard state.isRecording else { return .cancel(id: EffectName.recording) }
      state.transcript = ""
      state.alert = nil
      return .run { send in
        let permission = try await speech.requestPermission()
        await send(.permission(permission))
        guard permission == .granted else { return }
        for try await transcript in try await speech.transcripts() { await send(.heard(transcript)) }
        await send(.ended)
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: EffectName.recording)

    case .permission(.granted): break
    case .permission(.denied):
      state.isRecording = false
      state.alert = "Listening isn't permitted; permit it in the settings."
    case .permission(.restricted):
      state.isRecording = false
      state.alert = "This device can't listen."
    case .heard(let transcript): state.transcript = transcript
    case .ended: state.isRecording = false
    case .failed(let text):
      // What was understood before the failure is kept.
      state.isRecording = false
      state.alert = text
    case .alertDismissed: state.alert = nil
    }
    return .none
  }
}
