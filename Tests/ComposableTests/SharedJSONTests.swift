import Composable
import ComposableJSON
import Testing

@Suite("3.6 Shared values as JSON")
struct SharedJSONTests {
  struct Settings: Codable, Sendable, Equatable {
    var volume = 5
    var names: [String] = []
  }

  @Test("A value is written for people to read, and read back")
  func roundTrip() async throws {
    let files = FileSystem.inMemory()
    let values = SharedValues(files: files)
    let settings = await values.file("settings.json", as: .json, default: Settings())
    settings.wrappedValue.names = ["a/b"]
    await values.flush()
    #expect(
      String(decoding: try await files.read("settings.json", 1_000), as: UTF8.self) == """
        {
          "names" : [
            "a/b"
          ],
          "volume" : 5
        }

        """)
    let again = await SharedValues(files: files).file("settings.json", as: .json, default: Settings())
    #expect(again.wrappedValue == Settings(names: ["a/b"]))
  }

  @Test(
    "A report says where a file isn't what it should be",
    arguments: [
      (#"{"volume": 5, "names": ["a", 1]}"#, "names[1]: expected String"),
      (#"{"volume": 5}"#, "the key 'names' is missing"),
      (#"{"volume": 5"#, "The given data was not valid JSON."),
    ])
  func unreadable(content: String, reason: String) async {
    let issues = Recorder<String>()
    let values = SharedValues(
      files: .inMemory(["settings.json": Array(content.utf8)]),
      issues: IssueReporter { issues.record($0.message) })
    _ = await values.file("settings.json", as: .json, default: Settings())
    #expect(
      issues.values == [
        "The shared value in settings.json can't be read (\(reason)), so the default is used; the file is kept "
          + "as settings.json.unreadable."
      ])
  }
}
