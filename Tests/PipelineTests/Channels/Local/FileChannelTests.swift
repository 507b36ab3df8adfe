import Glibc
import Testing

@testable import Pipeline

@Suite("File channel")
struct FileChannelTests {
  private let folder = StorageFolder()
  private let alert = Alert(
    id: "1", name: "rule", script: "s", text: "text", time: Timestamp(milliseconds: 0))

  private func content() -> String { String(decoding: folder.read("alerts.jsonl"), as: UTF8.self) }
  private func line(_ id: String) -> String { String(decoding: alert.jsonLine(id: id), as: UTF8.self) }

  @Test("Alerts are appended, a line each, also to what is there", arguments: [false, true])
  func append(synchronized: Bool) async throws {
    for id in ["1", "2"] {
      let channel = try FileChannel(
        name: "log", path: folder.file("alerts.jsonl"), synchronized: synchronized)
      #expect(await channel.deliver(alert, id: id) == .delivered)
      #expect(await channel.deliver(alert, id: id + "b") == .delivered)
    }
    #expect(content() == line("1") + line("1b") + line("2") + line("2b"))
  }

  @Test("The beginning of an alert that a crash cut off gives way to the next one", arguments: [8, 12, 60])
  func remains(count: Int) async throws {
    folder.write("alerts.jsonl", (line("0") + line("1").prefix(count)).utf8)
    let channel = try FileChannel(name: "log", path: folder.file("alerts.jsonl"))
    #expect(await channel.deliver(alert, id: "1") == .delivered)
    #expect(await channel.deliver(alert, id: "2") == .delivered)
    #expect(content() == line("0") + line("1") + line("2"))
  }

  @Test("Any other unfinished line is ended before the next one", arguments: [false, true])
  func unfinishedLine(isWhole: Bool) async throws {
    let text = isWhole ? String(line("0").dropLast()) : "somebody's note"
    folder.write("alerts.jsonl", (line("0") + text).utf8)
    let channel = try FileChannel(name: "log", path: folder.file("alerts.jsonl"))
    #expect(await channel.deliver(alert, id: "1") == .delivered)
    #expect(content() == line("0") + text + "\n" + line("1"))
  }

  @Test("What somebody writes behind the beginning of an alert stays")
  func writtenBehind() async throws {
    let beginning = line("0") + line("1").prefix(60)
    folder.write("alerts.jsonl", beginning.utf8)
    let channel = try FileChannel(name: "log", path: folder.file("alerts.jsonl"))
    folder.write("alerts.jsonl", (beginning + "\nother\n").utf8)
    #expect(await channel.deliver(alert, id: "1") == .delivered)
    #expect(content().hasPrefix(beginning + "\nother\n"))
    #expect(content().hasSuffix(line("1")))
  }

  @Test("A file that was moved away is made anew, and one without a folder is waited for")
  func movedAway() async throws {
    let channel = try FileChannel(name: "log", path: folder.file("alerts.jsonl"))
    #expect(await channel.deliver(alert, id: "1") == .delivered)
    rename(folder.file("alerts.jsonl"), folder.file("alerts.jsonl.1"))
    #expect(await channel.deliver(alert, id: "2") == .delivered)
    #expect(content() == line("2"))
    #expect(String(decoding: folder.read("alerts.jsonl.1"), as: UTF8.self) == line("1"))

    rename(folder.path, folder.path + "-moved")
    let outcome = await channel.deliver(alert, id: "3")
    #expect(
      outcome
        == .retry(
          after: nil,
          reason: "can't write the file '\(folder.path)/alerts.jsonl': No such file or directory"))
    rename(folder.path + "-moved", folder.path)
    #expect(await channel.deliver(alert, id: "3") == .delivered)
    #expect(content() == line("2") + line("3"))
  }

  @Test("An opened file is not changed before there is an alert")
  func untouched() throws {
    folder.write("alerts.jsonl", "no newline".utf8)
    _ = try FileChannel(name: "log", path: folder.file("alerts.jsonl"))
    #expect(content() == "no newline")
  }

  @Test("A missing folder is named, and not made")
  func missingFolder() {
    let error = #expect(throws: ChannelError.self) {
      _ = try FileChannel(name: "log", path: folder.file("no/alerts.jsonl"))
    }
    #expect(
      error?.description
        == "the folder '\(folder.path)/no' of the file '\(folder.path)/no/alerts.jsonl' of the channel 'log' "
        + "does not exist; make it or name another file")
    #expect(folder.names() == [])
  }

  @Test("A path that can't be written is refused with the reason")
  func directory() {
    let error = #expect(throws: ChannelError.self) { _ = try FileChannel(name: "log", path: folder.path) }
    #expect(error?.description.contains("can't write its file '\(folder.path)': Is a directory") == true)
  }

  @Test(
    "A file that would grow beyond its bound makes room, so many old ones are kept, and no line is lost or cut"
  )
  func rotation() async throws {
    let bytes = line("1").utf8.count
    let channel = try FileChannel(
      name: "log", path: folder.file("alerts.jsonl"), rotation: FileRotation(maximumBytes: 2 * bytes, keep: 2)
    )
    for id in ["1", "2", "3", "4", "5"] { #expect(await channel.deliver(alert, id: id) == .delivered) }
    func old(_ number: Int) -> String {
      String(decoding: folder.read("alerts.jsonl.\(number)"), as: UTF8.self)
    }
    #expect(content() == line("5"))
    #expect(old(1) == line("3") + line("4") && old(2) == line("1") + line("2"))
    for id in ["6", "7"] { #expect(await channel.deliver(alert, id: id) == .delivered) }
    #expect(content() == line("7") && old(1) == line("5") + line("6") && old(2) == line("3") + line("4"))
    #expect(folder.names().sorted() == ["alerts.jsonl", "alerts.jsonl.1", "alerts.jsonl.2"])
  }

  @Test("A line longer than the bound has a file of its own, and a file that can't be moved is kept")
  func rotationLimits() async throws {
    let channel = try FileChannel(
      name: "log", path: folder.file("alerts.jsonl"), rotation: FileRotation(maximumBytes: 1, keep: 1))
    for id in ["1", "2"] { #expect(await channel.deliver(alert, id: id) == .delivered) }
    #expect(content() == line("2"))
    // A folder in its way can't be overwritten by a file.
    unlink(folder.file("alerts.jsonl.1"))
    mkdir(folder.file("alerts.jsonl.1"), 0o700)
    #expect(
      await channel.deliver(alert, id: "3")
        == .retry(
          after: nil, reason: "can't write the file '\(folder.file("alerts.jsonl"))': Is a directory"))
    #expect(content() == line("2"))
    rmdir(folder.file("alerts.jsonl.1"))
    #expect(await channel.deliver(alert, id: "3") == .delivered)
    #expect(content() == line("3"))
  }

  @Test("A full disk is worth another attempt")
  func fullDisk() async throws {
    let channel = try FileChannel(name: "log", path: "/dev/full")
    #expect(
      await channel.deliver(alert, id: "1")
        == .retry(after: nil, reason: "can't write the file '/dev/full': No space left on device"))
  }
}
