import Composable
import ComposableTesting
import Testing

@testable import CaseStudiesExample

@Suite("Case study: long-living effects")
struct ScreenshotsTests {
  @Test("Screenshots are counted while the page is open, and only then")
  func counting() {
    let screenshots = AsyncStream<Void>.makeStream()
    let store = TestStore(initialState: Screenshots.State()) { Screenshots { screenshots.stream } }
    store.send(.opened) { $0.page = Screenshots.Page.State() }
    store.receive(.page(.shown))
    screenshots.continuation.yield()
    screenshots.continuation.yield()
    store.receive(.page(.taken)) { $0.page?.count = 1 }
    store.receive(.page(.taken)) { $0.page?.count = 2 }
    store.send(.closed) { $0.page = nil }
    screenshots.continuation.yield()
    store.finish()
  }
}
