import Glibc
import Scripting
import Testing

@testable import Pipeline

@Suite("Following a file")
final class FollowDriverTests {
  private let root: String
  private let batch = MessageBatch()
  private var driver: FollowDriver
  private var now: UInt64 = 1_000_000_000_000
  private var position: String?
  private var events: [SourceOutput.Event] = []
  private var notices: [String] = []

  init() throws {
    var template = Array("/tmp/pipeline-follow-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    driver = FollowDriver(FileSettings(path: root + "/feed", follows: true))
  }

  deinit {
    for name in TextFile.names(in: root) { unlink("\(root)/\(name)") }
    rmdir(root)
  }

  private func write(_ text: String, to name: String = "feed", _ mode: String = "a") {
    guard let file = fopen("\(root)/\(name)", mode) else { return }
    fputs(text, file)
    fclose(file)
  }

  private func move(_ name: String, to other: String) { rename("\(root)/\(name)", "\(root)/\(other)") }

  /// What comes until the driver has looked around so many times with nothing to read, with the clock moved on.
  private func read(looks: Int = 1, after milliseconds: UInt64 = 0) -> [String] {
    now += milliseconds * 1_000_000
    var messages: [String] = []
    var looked = 0
    while looked < looks {
      var output = SourceOutput(batch: batch, time: Timestamp(milliseconds: 0), epoch: 1)
      driver.process(now: now, into: &output)
      for index in 0..<batch.count {
        messages.append(String(decoding: batch.bytes(at: index), as: UTF8.self))
      }
      if batch.count > 0, let position = output.position { self.position = position }
      batch.removeAll()
      events += output.events
      notices += output.refused
      if driver.nextDeadline != 0 { looked += 1 }
    }
    return messages
  }

  /// As a start of the program does it.
  private func start(over settings: FileSettings? = nil) {
    driver = FollowDriver(settings ?? FileSettings(path: root + "/feed", follows: true))
    driver.connect(1, position: position)
  }

  @Test func `a file that doesn't exist yet is waited for, and read as it grows`() {
    start()
    #expect(read() == [] && events.isEmpty)
    write("1\n2\n3")
    #expect(read() == ["1", "2"] && events == [.opened])
    write("4\n")
    #expect(read() == ["34"] && events == [.opened])
    #expect(driver.descriptor != nil)
  }

  @Test func `changes wake whoever watches the descriptor`() {
    start()
    write("1\n")
    #expect(read() == ["1"])
    var watched = pollfd(fd: driver.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    #expect(poll(&watched, 1, 0) == 0)
    write("2\n")
    #expect(poll(&watched, 1, 5_000) == 1)
    #expect(read() == ["2"])
    #expect(poll(&watched, 1, 0) == 0)
    move("feed", to: "feed.1")
    _ = read()
    write("3\n")
    #expect(poll(&watched, 1, 5_000) == 1)
  }

  @Test func `a renamed file is read on until it is silent, then the one in its place`() {
    start()
    write("1\n")
    #expect(read() == ["1"])
    move("feed", to: "feed.1")
    #expect(read() == [])
    write("2\n", to: "feed.1")
    #expect(read(after: 5_000) == ["2"])
    write("10\n")
    #expect(read(after: 100) == [])
    write("3\n", to: "feed.1")
    #expect(read(after: 950) == ["3"])
    #expect(read(after: 500) == [])
    #expect(read(after: 600) == ["10"])
    #expect(events == [.opened])
  }

  @Test func `what had the place for less than the silence of the one before is read as well`() {
    start()
    write("1\n")
    #expect(read() == ["1"])
    for number in 2...4 {
      for old in (1..<number).reversed() { move(old == 1 ? "feed" : "feed.\(old - 1)", to: "feed.\(old)") }
      write("\(number)\n")
      #expect(read(after: 100) == [])
    }
    for (name, seconds) in [("feed.3", 100), ("feed.2", 200), ("feed.1", 300), ("feed", 400)] {
      var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      utimensat(AT_FDCWD, "\(root)/\(name)", &times, 0)
    }
    #expect(read(after: 1_000) == ["2"])
    write("late\n", to: "feed.2")
    #expect(read(after: 500) == ["late"])
    #expect(read(after: 1_000) == ["3"])
    #expect(read(after: 1_000) == ["4"])
    write("5\n")
    #expect(read(after: 100) == ["5"] && events == [.opened] && notices.isEmpty)
  }

  @Test func `a last line without its end is one when its file is left`() {
    start()
    write("1\n2")
    #expect(read() == ["1"])
    move("feed", to: "feed.1")
    write("3\n")
    #expect(read() == [])
    #expect(read(after: 1_100) == ["2", "3"])
  }

  @Test func `a file that was cut short is read from its start`() {
    start()
    write("1\n2\n")
    #expect(read() == ["1", "2"])
    write("", "w")
    #expect(read() == [])
    write("3\n")
    #expect(read() == ["3"])
  }

  @Test func `after a restart reading goes on behind what was read`() {
    start()
    write("1\n2\npart")
    #expect(read() == ["1", "2"])
    start()
    #expect(read() == [] && notices.isEmpty)
    write("ly\n")
    #expect(read() == ["partly"])
  }

  @Test func `what was rotated while nobody read is read first, oldest first`() {
    start()
    write("1\n")
    #expect(read() == ["1"])
    write("2\n")
    move("feed", to: "feed.2")
    write("3\n", to: "feed.1")
    write("4\n")
    write("never read\n", to: "feed.1.gz")
    for (name, seconds) in [("feed.2", 100), ("feed.1", 200), ("feed", 300)] {
      var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      utimensat(AT_FDCWD, "\(root)/\(name)", &times, 0)
    }
    start()
    #expect(read() == ["2", "3", "4"] && notices.isEmpty)
    start()
    #expect(read() == [])
    write("5\n")
    #expect(read() == ["5"])
  }

  @Test func `a copy made before the file was cut short is found by how it begins`() {
    start()
    write("1\n")
    #expect(read() == ["1"])
    write("1\n2\n", to: "feed.1")
    write("3\n4\n5\n", "w")
    start()
    #expect(read() == ["2", "3", "4", "5"] && notices.isEmpty)
  }

  @Test func `another file in its place is read from its start, and the loss is told`() {
    start()
    write("1\n")
    #expect(read() == ["1"])
    unlink(root + "/feed")
    write("2\n3\n")
    start()
    #expect(read() == ["2", "3"])
    #expect(notices.count == 1 && notices[0].contains("is lost"))
  }

  @Test func `an offset that an earlier version stored still counts`() {
    write("1\n2\n3\n")
    position = "2"
    start()
    #expect(read() == ["2", "3"])
    #expect(position?.hasPrefix("6:") == true)
  }

  @Test func `without a position reading can begin at the end`() {
    write("1\n2\n")
    start(over: FileSettings(path: root + "/feed", follows: true, startsAtEnd: true))
    #expect(read() == [])
    write("3\n")
    #expect(read() == ["3"])
    start(over: FileSettings(path: root + "/feed", follows: true, startsAtEnd: true))
    write("4\n")
    #expect(read() == ["4"])
  }

  @Test func `a line beyond the bound is told of and skipped`() {
    start(over: FileSettings(path: root + "/feed", follows: true, maximumMessageBytes: 4))
    write("12345\n6\n")
    #expect(read() == ["6"])
    #expect(notices == ["a line of 5 bytes was skipped: the limit is 4; raise 'max_message_bytes'"])
  }

  @Test func `a folder is no file to follow`() {
    start(over: FileSettings(path: root, follows: true))
    var output = SourceOutput(batch: batch, time: Timestamp(milliseconds: 0), epoch: 1)
    driver.process(now: now, into: &output)
    guard case .closed(let end)? = output.events.first else {
      Issue.record("expected an end, got \(output.events)")
      return
    }
    #expect(end.reason.contains("Is a directory") && !end.isPermanent)
  }
}
