import Composable
import ComposableTesting
import Testing

@Suite("3.6 Shared values in files")
struct SharedFileTests {
  private let issues = Recorder<String>()
  private let clock = TestClock()

  private func values(_ files: FileSystem) -> SharedValues {
    SharedValues(files: files, clock: clock, issues: IssueReporter { [issues] in issues.record($0.message) })
  }

  @Test("A missing file means the default; what was written is there next time")
  func restored() async throws {
    let files = FileSystem.inMemory()
    let first = values(files)
    let text = await first.file("note", as: .text, default: "new")
    #expect(text.wrappedValue == "new")
    text.wrappedValue = "changed"
    await first.flush()
    #expect(await values(files).file("note", as: .text, default: "new").wrappedValue == "changed")
    #expect(issues.values == [])
  }

  @Test("Whoever asks for the same file gets the same value, also at the same time")
  func sameFile() async {
    let values = values(.inMemory(["note": Array("old".utf8)]))
    async let one = values.file("note", as: .text, default: "")
    async let other = values.file("note", as: .text, default: "")
    let (first, second) = await (one, other)
    first.wrappedValue = "changed"
    #expect(second.wrappedValue == "changed")
  }

  @Test("Changes within the delay are written together, at its end and not before")
  func delayed() async {
    let (writes, writer) = AsyncStream<String>.makeStream()
    var files = FileSystem.inMemory()
    files.write = { _, content in writer.yield(String(decoding: content, as: UTF8.self)) }
    var written = writes.makeAsyncIterator()
    let text = await values(files).file("note", as: .text, default: "", delay: .seconds(2))
    for (first, last) in [("a", "b"), ("c", "d")] {
      text.wrappedValue = first
      while clock.sleeperCount == 0 { await Task.yield() }
      clock.advance(by: .seconds(1))
      text.wrappedValue = last
      clock.advance(by: .seconds(1))
      #expect(await written.next() == last)
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test("A change is written though its last holder and the set of values are gone")
  func outlived() async {
    let (writes, writer) = AsyncStream<String>.makeStream()
    var files = FileSystem.inMemory()
    files.write = { _, content in writer.yield(String(decoding: content, as: UTF8.self)) }
    var text: Shared<String>? = await values(files).file("note", as: .text, default: "")
    var ends = text?.changes().makeAsyncIterator()
    text?.wrappedValue = "last"
    #expect(await ends?.next() == "last")
    text = nil
    while clock.sleeperCount == 0 { await Task.yield() }
    clock.advance(by: .seconds(1))
    var written = writes.makeAsyncIterator()
    #expect(await written.next() == "last")
    // Nothing keeps the value any more.
    #expect(await ends?.next() == nil)
  }

  @Test("An unreadable file is kept under another name, never overwritten, and reported")
  func unreadable() async throws {
    let damaged: [UInt8] = [0xFF, 0xFE]
    let files = FileSystem.inMemory(["note": damaged, "note.unreadable": [1]])
    let values = values(files)
    let text = await values.file("note", as: .text, default: "default")
    #expect(text.wrappedValue == "default")
    #expect(
      issues.values == [
        "The shared value in note can't be read (the content isn't valid UTF-8), so the default is used; the "
          + "file is kept as note.unreadable.2."
      ])
    text.wrappedValue = "new"
    await values.flush()
    #expect(try await files.read("note.unreadable.2", 10) == damaged)
    #expect(try await files.read("note.unreadable", 10) == [1])
    #expect(try await files.read("note", 10) == Array("new".utf8))
  }

  @Test("A file that is too long is kept aside, too")
  func tooLong() async throws {
    let files = FileSystem.inMemory(["note": Array(repeating: 65, count: 11)])
    let text = await values(files).file("note", as: .text, default: "", limit: 10)
    #expect(text.wrappedValue == "")
    #expect(try await files.read("note.unreadable", 11).count == 11)
  }

  @Test("A file that can't be read and can't be moved is never written")
  func stuck() async {
    var files = FileSystem.inMemory(["note": [0xFF]])
    let writes = Recorder<String>()
    files.move = { path, _ in throw FileError(path, .system(number: 13, text: "Permission denied")) }
    files.write = { path, _ in writes.record(path) }
    let values = values(files)
    let text = await values.file("note", as: .text, default: "")
    text.wrappedValue = "new"
    await values.flush()
    #expect(writes.values == [])
    #expect(
      issues.values == [
        "The shared value in note can't be read (the content isn't valid UTF-8) and the file can't be kept "
          + "aside (note: Permission denied.), so the default is used and no change will be written. Move the "
          + "file away."
      ])
  }

  @Test("A write that fails is reported and made up for by the next one")
  func failedWrite() async throws {
    let memory = FileSystem.inMemory()
    let isFull = Shared(true)
    var files = memory
    files.write = { path, content in
      if isFull.wrappedValue {
        throw FileError(path, .system(number: 28, text: "No space left on device"))
      }
      try await memory.write(path, content)
    }
    let values = values(files)
    let text = await values.file("note", as: .text, default: "")
    text.wrappedValue = "kept"
    await values.flush()
    #expect(
      issues.values == [
        "The shared value in note can't be written (note: No space left on device.); it is tried again after "
          + "the next change and by flush()."
      ])
    isFull.wrappedValue = false
    await values.flush()
    #expect(try await memory.read("note", 10) == Array("kept".utf8))
    #expect(issues.values.count == 1)
  }

  @Test("A test that gives no shared values is told by name")
  func unimplemented() {
    let failures = Recorder<String>()
    let store = TestStore(initialState: 0, report: { message, _ in failures.record(message) }) {
      Reduce<Int, Int> { state, action, dependencies in
        state = dependencies.shared.inMemory("count", default: action).wrappedValue
        return .none
      }
    }
    store.send(1) { $0 = 1 }
    store.finish()
    #expect(failures.values.first?.hasPrefix("The dependency shared was used") == true)
  }
}
