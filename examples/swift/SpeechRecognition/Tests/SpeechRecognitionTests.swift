import Composable
import ComposableTesting
import Testing

@testable import SpeechRecognitionExample

@Suite("Example: SpeechRecognition")
struct SpeechRecognitionTests {
  private let speech = AsyncThrowingStream<String, any Error>.makeStream()

  private func store(
    permission: SpeechClient.Permission = .granted
  ) -> TestStore<SpeechRecognition.State, SpeechRecognition.Action> {
    TestStore(
      initialState: SpeechRecognition.State(),
      dependencies: Dependencies(.test) {
        $0.speech.requestPermission = { permission }
        if permission == .granted { $0.speech.transcripts = { [speech] in speech.stream } }
      }
    ) { SpeechRecognition() }
  }

  private func recording() -> TestStore<SpeechRecognition.State, SpeechRecognition.Action> {
    let store = store()
    store.send(.buttonTapped) { $0.isRecording = true }
    store.receive(.permission(.granted))
    return store
  }

  @Test(
    "Without permission nothing is listened to",
    arguments: [
      (SpeechClient.Permission.denied, "Listening isn't permitted; permit it in the settings."),
      (.restricted, "This device can't listen."),
    ])
  func notPermitted(permission: SpeechClient.Permission, text: String) {
    let store = store(permission: permission)
    store.send(.buttonTapped) { $0.isRecording = true }
    store.receive(.permission(permission)) {
      $0.isRecording = false
      $0.alert = text
    }
    store.send(.alertDismissed) { $0.alert = nil }
    store.finish()
  }

  @Test("A long speech arrives in order, until its end")
  func longSpeech() {
    let store = recording()
    let sentences = (1...1_000).map { "sentence \($0)" }
    for sentence in sentences { speech.continuation.yield(sentence) }
    speech.continuation.finish()
    for sentence in sentences { store.receive(.heard(sentence)) { $0.transcript = sentence } }
    store.receive(.ended) { $0.isRecording = false }
    store.finish()
  }

  @Test("A failure midway keeps what was understood, and listening can begin anew")
  func failureMidway() {
    struct Noise: Error, CustomStringConvertible { let description = "It is too loud here." }
    let store = recording()
    speech.continuation.yield("Good")
    store.receive(.heard("Good")) { $0.transcript = "Good" }
    speech.continuation.finish(throwing: Noise())
    store.receive(.failed("It is too loud here.")) {
      $0.isRecording = false
      $0.alert = "It is too loud here."
    }
    store.send(.buttonTapped) {
      $0.isRecording = true
      $0.transcript = ""
      $0.alert = nil
    }
    store.receive(.permission(.granted))
    // It is still as loud as before.
    store.receive(.failed("It is too loud here.")) {
      $0.isRecording = false
      $0.alert = "It is too loud here."
    }
    store.finish()
  }

  @Test("The button ends the listening; what is said later isn't heard")
  func stopping() {
    let store = recording()
    store.send(.buttonTapped) { $0.isRecording = false }
    speech.continuation.yield("too late")
    #expect(store.runningEffectNames.isEmpty)
    store.finish()
  }
}
