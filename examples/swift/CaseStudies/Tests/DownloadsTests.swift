import Composable
import ComposableTesting
import Testing

@testable import CaseStudiesExample

@Suite("Case study: downloads with progress")
struct DownloadsTests {
  private let map = AsyncThrowingStream<Double, any Error>.makeStream()
  private let song = AsyncThrowingStream<Double, any Error>.makeStream()

  /// A list of a map and a song; the map's download has begun.
  private func store() -> TestStore<Downloads.State, Downloads.Action> {
    let rows: IdentifiedArrayOf<Download.State> = [Download.State(id: "map"), Download.State(id: "song")]
    let store = TestStore(initialState: Downloads.State(rows: rows)) {
      Downloads { [map, song] url in url == "map" ? map.stream : song.stream }
    }
    store.send(row("map", .buttonTapped)) { $0.rows[id: "map"]?.progress = .loading(0) }
    return store
  }

  private func row(_ id: String, _ action: Download.Action) -> Downloads.Action {
    .row(.element(id: id, action: action))
  }

  @Test("Two downloads make their own progress, one to its end and one to a failure")
  func progress() {
    struct Cut: Error, CustomStringConvertible { let description = "The line was cut." }
    let store = store()
    store.send(row("song", .buttonTapped)) { $0.rows[id: "song"]?.progress = .loading(0) }
    song.continuation.yield(0.25)
    store.receive(row("song", .progressed(0.25))) { $0.rows[id: "song"]?.progress = .loading(0.25) }
    map.continuation.yield(0.5)
    store.receive(row("map", .progressed(0.5))) { $0.rows[id: "map"]?.progress = .loading(0.5) }
    map.continuation.finish()
    store.receive(row("map", .loaded)) { $0.rows[id: "map"]?.progress = .loaded }
    song.continuation.finish(throwing: Cut())
    store.receive(row("song", .failed("The line was cut."))) {
      $0.rows[id: "song"]?.progress = .failed("The line was cut.")
    }
    store.finish()
  }

  @Test("The button stops a download")
  func stopping() {
    let store = store()
    store.send(row("map", .buttonTapped)) { $0.rows[id: "map"]?.progress = .absent }
    #expect(store.runningEffectNames.isEmpty)
    store.finish()
  }

  @Test("A removed row takes its download along")
  func removing() {
    let store = store()
    store.send(.removed("map")) { $0.rows.remove(id: "map") }
    #expect(store.runningEffectNames.isEmpty)
    store.finish()
  }
}
