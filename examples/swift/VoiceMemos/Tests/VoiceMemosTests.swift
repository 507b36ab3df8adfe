import Composable
import ComposableTesting
import Testing

@testable import VoiceMemosExample

@Suite("Example: VoiceMemos")
struct VoiceMemosTests {
  private static let one = UniqueID(1)
  private static let two = UniqueID(2)
  /// Time of the sound; the time of the display is the store's.
  private let sound = TestClock()

  private func store() -> TestStore<VoiceMemos.State, VoiceMemos.Action> {
    TestStore(
      initialState: VoiceMemos.State(memos: [
        VoiceMemo.State(id: Self.one, title: "Idea", length: .milliseconds(700)),
        VoiceMemo.State(id: Self.two, title: "Song", length: .seconds(60)),
      ]),
      dependencies: Dependencies(.test) {
        $0.player.play = { [sound] id in
          try await sound.sleep(for: .milliseconds(id == Self.one ? 700 : 60_000))
        }
      }
    ) { VoiceMemos() }
  }

  private func memo(_ id: UniqueID, _ action: VoiceMemo.Action) -> VoiceMemos.Action {
    .memo(.element(id: id, action: action))
  }

  @Test("A memo plays to its end and shows how far it is")
  func playing() {
    let store = store()
    store.send(memo(Self.one, .buttonTapped)) { $0.memos[id: Self.one]?.played = .zero }
    store.clock.advance(by: .milliseconds(500))
    store.receive(memo(Self.one, .ticked)) { $0.memos[id: Self.one]?.played = .milliseconds(500) }
    sound.advance(by: .milliseconds(700))
    store.receive(memo(Self.one, .ended)) { $0.memos[id: Self.one]?.played = nil }
    store.finish()
  }

  @Test("Playing one memo stops the other")
  func oneAtATime() {
    let store = store()
    store.send(memo(Self.one, .buttonTapped)) { $0.memos[id: Self.one]?.played = .zero }
    store.send(memo(Self.two, .buttonTapped)) { $0.memos[id: Self.two]?.played = .zero }
    store.receive(memo(Self.one, .stopped)) { $0.memos[id: Self.one]?.played = nil }
    #expect(sound.sleeperCount == 1)
    store.send(memo(Self.two, .buttonTapped)) { $0.memos[id: Self.two]?.played = nil }
    #expect(sound.sleeperCount == 0)
    store.finish()
  }

  @Test("A deleted memo falls silent, and the other plays on")
  func deleting() {
    let store = store()
    store.send(memo(Self.one, .buttonTapped)) { $0.memos[id: Self.one]?.played = .zero }
    store.send(.deleted(Self.two)) { $0.memos.remove(id: Self.two) }
    #expect(sound.sleeperCount == 1)
    store.send(.deleted(Self.one)) { $0.memos.remove(id: Self.one) }
    #expect(sound.sleeperCount == 0)
    store.finish()
  }

  @Test("A memo that can't be played says why")
  func failure() {
    struct Broken: Error, CustomStringConvertible { let description = "The file is damaged." }
    let store = TestStore(
      initialState: VoiceMemos.State(memos: [
        VoiceMemo.State(id: Self.one, title: "Idea", length: .seconds(1))
      ]),
      dependencies: Dependencies(.test) { $0.player.play = { _ in throw Broken() } }
    ) { VoiceMemos() }
    store.send(memo(Self.one, .buttonTapped)) { $0.memos[id: Self.one]?.played = .zero }
    store.receive(memo(Self.one, .failed("The file is damaged."))) {
      $0.memos[id: Self.one]?.played = nil
      $0.problem = "The file is damaged."
    }
    store.finish()
  }
}
