import Composable
import Glibc
import Testing

@Suite("3.6 The file system as a dependency")
struct FileSystemTests {
  /// Makes a folder for one test and removes it with its files.
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/composable.XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { rmdir(folder) }
    try await body(folder)
  }

  private func checkBehaviour(of files: FileSystem, in folder: String) async throws {
    let path = "\(folder)/state"
    await #expect(throws: FileError(path, .missing)) { try await files.read(path, 10) }
    try await files.write(path, [1, 2, 3])
    try await files.write(path, [4, 5])
    #expect(try await files.read(path, 2) == [4, 5])
    await #expect(throws: FileError(path, .tooLong(limit: 1))) { try await files.read(path, 1) }
    try await files.move(path, path + ".aside")
    await #expect(throws: FileError(path, .missing)) { try await files.move(path, path + ".other") }
    #expect(try await files.read(path + ".aside", 10) == [4, 5])
    try await files.remove(path + ".aside")
    await #expect(throws: FileError(path, .missing)) { try await files.remove(path) }
  }

  @Test("Files in memory and on the disk behave alike")
  func behaviour() async throws {
    try await checkBehaviour(of: .inMemory(), in: "/nowhere")
    try await withFolder { try await checkBehaviour(of: .system, in: $0) }
    try await withFolder { try await checkBehaviour(of: .live, in: $0) }
  }

  @Test("A write that fails leaves no file beside and names the path")
  func failedWrite() async throws {
    await #expect {
      try await FileSystem.system.write("/composable-missing-folder/state", [1])
    } throws: { error in
      "\(error)" == "/composable-missing-folder/state: there is no such file."
    }
  }
}
