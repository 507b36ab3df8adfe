import Testing

@Suite("The documentation of Composable")
struct ArticleTests {
  private static let articles = "Sources/Composable/Composable.docc"

  static var pages: [Page] {
    get throws { try (files(in: articles, ending: ".md") + ["README.md"]).map { try Page($0) } }
  }

  private static var comments: [Block] {
    get throws {
      let libraries = [
        "Composable", "ComposableDatabase", "ComposableJSON", "ComposableNetworking", "ComposableTesting",
      ]
      return try libraries.flatMap { try files(in: "Sources/\($0)", ending: ".swift") }.flatMap {
        try commentBlocks(of: $0)
      }
    }
  }

  private static var snippets: [Block] {
    get throws {
      let folder = "Tests/ComposableDocumentationTests/Snippets"
      return try files(in: folder, ending: ".swift").flatMap {
        try ComposableDocumentationTests.snippets(of: $0)
      }
    }
  }

  @Test(
    "Every block of Swift is, word for word, part of a file that is compiled and run", arguments: try pages)
  func compiled(page: Page) throws {
    let snippets = Set(try Self.snippets)
    for block in page.blocks(of: "swift") {
      #expect(snippets.contains(block), "\(page.name) shows this, which no file of snippets has:\n\(block)")
    }
  }

  @Test("So is every block of code in a comment")
  func comments() throws {
    let snippets = Set(try Self.snippets)
    let blocks = try Self.comments
    #expect(blocks.count > 10)
    for block in blocks {
      #expect(snippets.contains(block), "a comment shows this, which no file of snippets has:\n\(block)")
    }
  }

  @Test("Every snippet is shown somewhere")
  func shown() throws {
    let blocks = Set(try Self.pages.flatMap { $0.blocks(of: "swift") } + Self.comments)
    let snippets = try Self.snippets
    #expect(snippets.count > 20)
    for snippet in snippets { #expect(blocks.contains(snippet), "no page shows this:\n\(snippet)") }
  }

  @Test("The catalogue has a page for each subject")
  func subjects() throws {
    #expect(
      try Set(Self.pages.map(\.name)).isSuperset(of: [
        "Composable.md", "Concepts.md", "Effects.md", "TheOutsideWorld.md", "Sharing.md", "Databases.md",
        "Testing.md",
        "ComingFromTheOriginal.md",
      ]))
  }
}
