import Composable
import ComposableTesting
import Testing

@testable import SyncUpsExample

@Suite("Example: SyncUps")
struct SyncUpsTests {
  private let files = FileSystem.inMemory()
  private let speech = AsyncThrowingStream<String, any Error>.makeStream()
  private static let design = UniqueID(100)

  /// The values that a program started now would find.
  private func values() -> SharedValues { SharedValues(files: files, clock: ImmediateClock()) }

  private func store(
    _ syncUps: Shared<IdentifiedArrayOf<SyncUp>>
  ) -> TestStore<SyncUps.State, SyncUps.Action> {
    TestStore(
      initialState: SyncUps.State(syncUps: syncUps),
      dependencies: Dependencies(.test) {
        $0.date = .constant(UnixTime(seconds: 1_000))
        $0.uuid = .incrementing
        $0.transcriber.transcripts = { [speech] in speech.stream }
      }
    ) { SyncUps() }
  }

  /// A store with one sync-up of two attendees and one minute, whose meeting has begun.
  private func meeting() -> TestStore<SyncUps.State, SyncUps.Action> {
    let design = SyncUp(id: Self.design, title: "Design", attendees: ["Ada", "Bob"], minutes: 1)
    let store = store(Shared([design], name: "syncUps"))
    store.send(.startTapped(Self.design)) { $0.meeting = RecordMeeting.State(syncUp: design) }
    store.receive(.meeting(.began))
    return store
  }

  @Test("A meeting's transcript is there after the program was started anew")
  func persistence() async {
    let before = values()
    let store = store(await before.syncUps())
    store.send(.added(title: "Design", attendees: ["Ada"], minutes: 5)) {
      $0.syncUps = [SyncUp(id: UniqueID(0), title: "Design", attendees: ["Ada"], minutes: 5)]
    }
    store.send(.startTapped(UniqueID(0))) { $0.meeting = RecordMeeting.State(syncUp: $0.syncUps[0]) }
    store.receive(.meeting(.began))
    speech.continuation.yield("We need a bigger boat.")
    store.receive(.meeting(.heard("We need a bigger boat."))) {
      $0.meeting?.transcript = "We need a bigger boat."
    }
    store.send(.meeting(.endTapped))
    let held = Meeting(id: UniqueID(1), date: UnixTime(seconds: 1_000), transcript: "We need a bigger boat.")
    store.receive(.meeting(.ended(transcript: held.transcript))) {
      $0.syncUps[0].meetings = [held]
      $0.meeting = nil
    }
    store.finish()
    await before.flush()

    let after = await values().syncUps()
    #expect(after.wrappedValue.map(\.title) == ["Design"])
    #expect(after.wrappedValue.first?.meetings == [held])
  }

  @Test("Each attendee gets the same share, and the meeting ends with the time")
  func timer() {
    let store = meeting()
    for second in 1...60 {
      store.clock.advance(by: .seconds(1))
      store.receive(.meeting(.ticked)) {
        $0.meeting?.elapsed = .seconds(second)
        $0.meeting?.speaker = second < 30 ? 0 : 1
      }
    }
    store.receive(.meeting(.ended(transcript: ""))) {
      $0.syncUps[0].meetings = [Meeting(id: UniqueID(0), date: UnixTime(seconds: 1_000), transcript: "")]
      $0.meeting = nil
    }
    store.finish()
  }

  @Test("An attendee can hand over early; the last one ends the meeting")
  func next() {
    let store = meeting()
    store.send(.meeting(.nextTapped)) {
      $0.meeting?.speaker = 1
      $0.meeting?.elapsed = .seconds(30)
    }
    store.send(.meeting(.nextTapped))
    store.receive(.meeting(.ended(transcript: ""))) {
      $0.syncUps[0].meetings = [Meeting(id: UniqueID(0), date: UnixTime(seconds: 1_000), transcript: "")]
      $0.meeting = nil
    }
    store.finish()
  }

  @Test("A discarded meeting ends its timer and leaves no record")
  func discarding() {
    let store = meeting()
    #expect(store.runningEffectNames.count == 2)
    store.send(.discardTapped) { $0.meeting = nil }
    #expect(store.runningEffectNames.isEmpty)
    store.finish()
  }

  @Test("A meeting whose sync-up is deleted ends, too")
  func deleting() {
    let store = meeting()
    store.send(.deleted(Self.design)) {
      $0.syncUps = []
      $0.meeting = nil
    }
    store.finish()
  }

  @Test("A transcriber that fails is told, and the meeting goes on")
  func failure() {
    struct Silence: Error, CustomStringConvertible { let description = "There is no microphone." }
    let store = meeting()
    speech.continuation.finish(throwing: Silence())
    store.receive(.meeting(.failed("There is no microphone."))) {
      $0.meeting?.problem = "There is no microphone."
    }
    store.clock.advance(by: .seconds(1))
    store.receive(.meeting(.ticked)) { $0.meeting?.elapsed = .seconds(1) }
    store.send(.discardTapped) { $0.meeting = nil }
    store.finish()
  }
}
