import Composable
import ComposableTesting
import Testing

@testable import CaseStudiesExample

@Suite("Case study: recursion")
struct OutlineTests {
  private let store = TestStore(
    initialState: Outline.State(id: UniqueID(100), title: "Book"),
    dependencies: Dependencies(.test) { $0.uuid = .incrementing }
  ) { Outline() }

  private func part(_ id: UInt64, _ action: Outline.Action) -> Outline.Action {
    .part(.element(id: UniqueID(id), action: action))
  }

  @Test("Headings grow at any depth, and go with all that is in them")
  func growing() {
    store.send(.addTapped) { $0.parts = [Outline.State(id: UniqueID(0))] }
    store.send(part(0, .titleChanged("Chapter"))) { $0.parts[0].title = "Chapter" }
    store.send(part(0, .addTapped)) { $0.parts[0].parts = [Outline.State(id: UniqueID(1))] }
    store.send(part(0, part(1, .titleChanged("Section")))) { $0.parts[0].parts[0].title = "Section" }
    #expect(store.state.lines == ["Book", "  Chapter", "    Section"])
    store.send(.removed(UniqueID(0))) { $0.parts = [] }
    store.finish()
  }
}
