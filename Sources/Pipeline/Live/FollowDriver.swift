import CEvents
import Glibc
import Scripting
import Threads

/// Drives `source.file` with `follow`: reads what is written to a file, through rotations of all kinds.
///
/// A file that was renamed is read on until nothing more came for a while after another one took its place, since
/// its writer may not have noticed yet. One that was cut short, as by `copytruncate`, is read from its start again.
final class FollowDriver: SourceDriver {
  /// How long a renamed file must be silent before the next one is read.
  private static let farewell: UInt64 = 1_000_000_000
  /// How often to look without being told: not all file systems tell of changes.
  private static let interval: UInt64 = 1_000_000_000

  private let settings: FileSettings
  private var splitter: LineSplitter
  private var file: OpenFile?
  /// What to read before what the path leads to.
  private var trail: [FileTrail.Step] = []
  /// Whether nobody writes to the files of the trail any more.
  private var trailIsOld = false
  private var notices: [String] = []
  private var isConnected = false
  private var isReported = false
  private var startsAtEnd = false
  private var watcher: Int32 = -1
  private var nextLook: UInt64 = 0
  private var quietUntil: UInt64?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  init(_ settings: FileSettings) {
    self.settings = settings
    splitter = LineSplitter(maximumBytes: settings.maximumMessageBytes)
  }

  deinit {
    close(code: 1000, reason: "")
    buffer.deallocate()
  }

  var descriptor: Int32? { watcher >= 0 ? watcher : nil }

  var nextDeadline: UInt64? { isConnected ? nextLook : nil }

  private var path: String { settings.path }

  func connect(_ connection: Int, position: String?) {
    close(code: 1000, reason: "")
    splitter = LineSplitter(maximumBytes: settings.maximumMessageBytes)
    isConnected = true
    isReported = false
    nextLook = 0
    startsAtEnd = position == nil && settings.startsAtEnd
    watcher = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if watcher >= 0 {
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { String(path[...$0]) } ?? "."
      inotify_add_watch(watcher, folder, UInt32(IN_CREATE | IN_MOVED_TO))
    }
    guard let position = position.flatMap(FilePosition.init) else { return }
    if let trail = FileTrail.behind(position, at: path) {
      self.trail = trail
      trailIsOld = true
    } else {
      notices.append(
        "\"\(path)\" is not the file that was read before, and that isn't beside it: what it held since is lost"
      )
    }
  }

  func sendOpening() {}

  func close(code: UInt16, reason: String) {
    if watcher >= 0 { Glibc.close(watcher) }
    watcher = -1
    file = nil
    trail = []
    isConnected = false
    quietUntil = nil
  }

  func process(now: UInt64, into output: inout SourceOutput) {
    guard isConnected else { return }
    drainWatcher()
    output.refused += notices
    notices = []
    nextLook = now + Self.interval
    do throws(SystemFailure) {
      guard let file = try openFile() else { return }
      if !isReported {
        isReported = true
        output.events.append(.opened)
      }
      let count = try file.read(into: buffer)
      if count > 0 { take(count, of: file, &output) } else { lookAround(file, now: now, &output) }
    } catch {
      output.events.append(
        .closed(SourceMachine.End(reason: "can't read \"\(path)\": \(error.description)")))
      close(code: 1000, reason: "")
    }
  }

  /// The file that is being read; nil while there is none.
  private func openFile() throws(SystemFailure) -> OpenFile? {
    if let file { return file }
    let step = trail.isEmpty ? FileTrail.Step(path: path, offset: 0) : trail.removeFirst()
    let made: OpenFile
    do throws(SystemFailure) {
      made = try OpenFile(step.path)
    } catch {
      guard error.number == ENOENT else { throw error }
      return nil
    }
    if startsAtEnd { made.seekToEnd() } else if step.offset > 0 { _ = made.seek(to: step.offset) }
    startsAtEnd = false
    file = made
    if watcher >= 0 {
      inotify_add_watch(watcher, "/proc/self/fd/\(made.descriptor)", UInt32(IN_MODIFY | IN_ATTRIB))
    }
    return made
  }

  private func take(_ count: Int, of file: OpenFile, _ output: inout SourceOutput) {
    quietUntil = nil
    nextLook = 0
    let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    splitter.split(chunk) { take($0, &output) }
    // Behind the last whole line: what is kept of an unfinished one is read again.
    guard let newline = chunk.lastIndex(of: UInt8(ascii: "\n")) else { return }
    output.position = file.position(before: count - newline - 1).description
  }

  /// At the end of what there is: waits, begins anew, or goes on to the next file.
  private func lookAround(_ file: OpenFile, now: UInt64, _ output: inout SourceOutput) {
    if file.isTruncated {
      splitter.finish { take($0, &output) }
      _ = file.seek(to: 0)
      nextLook = 0
      return
    }
    let isOld = trail.isEmpty ? file.isReplaced(at: path) == true : true
    guard isOld else {
      quietUntil = nil
      return
    }
    let until = trail.isEmpty || !trailIsOld ? quietUntil ?? now + Self.farewell : now
    quietUntil = until
    guard now >= until else {
      nextLook = until
      return
    }
    splitter.finish { take($0, &output) }
    if output.batch.count > 0 { output.position = file.position().description }
    // Its place may have been taken more than once meanwhile.
    if trail.isEmpty, let others = FileTrail.behind(file.position(), at: path)?.dropFirst() {
      trail = Array(others)
      trailIsOld = false
    }
    self.file = nil
    quietUntil = nil
    nextLook = 0
  }

  private func drainWatcher() {
    guard watcher >= 0 else { return }
    while read(watcher, buffer.baseAddress, buffer.count) > 0 {}
  }

  private func take(_ line: LineSplitter.Line, _ output: inout SourceOutput) {
    switch line {
    case .text(let bytes): output.add(bytes)
    case .tooLong(let bytes):
      output.refused.append(
        "a line of \(bytes) bytes was skipped: the limit is \(settings.maximumMessageBytes); "
          + "raise 'max_message_bytes'")
    }
  }
}
