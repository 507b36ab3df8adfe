import Glibc

/// A program that a test has started: its output is read as it comes, and it can't outlive its bounds.
///
/// Its standard streams are named pipes that the program opens itself, so that no end of them can slip into a
/// program that another test starts at the same time.
final class RunningCommand {
  /// What is done with the program's standard output.
  enum OutputUse {
    case read
    /// Nobody reads it: its reader is gone from the start.
    case closed
    /// It takes nothing: its pipe is full, and its reader doesn't read.
    case stuck
  }

  /// One of the streams that the program writes to.
  enum Stream: Int {
    case output
    case errors
  }

  /// The number of the process; its group has the same.
  let identifier: pid_t
  private let name: String
  private let bounds: CommandBounds
  private let deadline: Int64
  private var input: Int32 = -1
  private var stuck: Int32 = -1
  /// The reading ends of output, errors and of a pipe that ends with the process; -1 once one has ended.
  private var ends: [Int32] = [-1, -1, -1]
  private var texts: [[UInt8]] = [[], [], []]
  private var isReaped = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: what to run; the program under test if not given.
  ///   - folder: where the pipes are made.
  ///   - hasInput: whether the test writes its standard input, which is empty otherwise.
  init(
    program: String = CommandRun.program, _ arguments: [String], in folder: TemporaryFolder,
    hasInput: Bool = false, output: OutputUse = .read, bounds: CommandBounds = CommandBounds()
  ) throws {
    let number = folder.next()
    let paths = ["output", "errors", "life"].map { folder.path("\($0)\(number)") }
    for (index, path) in paths.enumerated() { ends[index] = try Self.makePipe(path, O_RDONLY) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let inputPath = hasInput ? folder.path("input\(number)") : "/dev/null"
    if hasInput { input = try Self.makePipe(inputPath, O_RDWR) }
    posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0)
    for (index, path) in paths.enumerated() {
      posix_spawn_file_actions_addopen(&actions, Int32(index) + 1, path, O_WRONLY, 0)
    }
    if output == .stuck {
      stuck = open(paths[0], O_RDWR | O_NONBLOCK | O_CLOEXEC)
      let block = [UInt8](repeating: UInt8(ascii: "."), count: 4_096)
      while Glibc.write(stuck, block, block.count) > 0 {}
    }
    // A group of its own, so that what it starts can be ended with it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals as at a terminal, whatever the tests were started by.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let commandLine = bounds.wrapper + [program] + arguments
    var words: [UnsafeMutablePointer<CChar>?] = commandLine.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, commandLine[0], &actions, &attributes, words, environ)
    identifier = process
    name = ([program.split(separator: "/").last.map(String.init) ?? program] + arguments).joined(
      separator: " ")
    self.bounds = bounds
    deadline = Self.now() + Int64(bounds.seconds) * 1_000
    guard failure == 0 else {
      isReaped = true
      throw CommandFailure("can't start \(commandLine[0]): \(String(cString: strerror(failure)))")
    }
    if output != .read { end(.output) }
  }

  deinit {
    if !isReaped { _ = kill() }
    for descriptor in ends + [input, stuck] where descriptor >= 0 { close(descriptor) }
  }

  private static func makePipe(_ path: String, _ mode: Int32) throws -> Int32 {
    guard mkfifo(path, 0o600) == 0 else { throw CommandFailure("can't make the pipe \(path)") }
    let descriptor = open(path, mode | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure("can't open the pipe \(path)") }
    return descriptor
  }

  // MARK: - While it runs

  /// What the program has written so far.
  func text(_ stream: Stream) -> String {
    read(stream.rawValue)
    return String(decoding: texts[stream.rawValue], as: UTF8.self)
  }

  /// Waits until the program has written a text so many times.
  func wait(for text: String, times: Int = 1, in stream: Stream = .errors) throws {
    let what = "\"\(text)\"\(times == 1 ? "" : " \(times) times")"
    try wait(until: { self.text(stream).occurrences(of: text) >= times }, what)
  }

  /// Waits until what the program has written fulfils a condition, whose words are for the failure.
  func wait(until condition: () -> Bool, _ what: String) throws {
    while !condition() {
      guard ends.contains(where: { $0 >= 0 }) else {
        throw CommandFailure("\(name) ended without \(what)\(story)")
      }
      try waitForNews("did not write \(what)")
    }
  }

  /// Writes to the program's standard input, no more than a pipe holds.
  func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard Glibc.write(input, bytes, bytes.count) == bytes.count else {
      throw CommandFailure("\(name) does not take its input\(story)")
    }
  }

  /// Ends the program's standard input.
  func closeInput() {
    close(input)
    input = -1
  }

  func send(signal: Int32) { Glibc.kill(identifier, signal) }

  /// Lets the program write files of any length from now on.
  func liftFileBound(in folder: TemporaryFolder) throws {
    let arguments = ["--pid", "\(identifier)", "--fsize=unlimited:"]
    let run = try CommandRun(program: CommandBounds.program, arguments, in: folder)
    guard run.status == 0 else { throw CommandFailure("prlimit failed: \(run.errors)") }
  }

  // MARK: - Its end

  /// Waits until the program has ended; a crash is a failure, whatever the test expects.
  func finish() throws -> CommandRun {
    while ends[2] >= 0 { try waitForNews("did not end") }
    let state = reap()
    let signal = state & 0x7f
    if [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP].contains(signal) {
      throw CommandFailure("\(name) crashed with signal \(signal)\(story)")
    }
    let status = signal == 0 ? (state >> 8) & 0xff : -signal
    return CommandRun(status: status, output: text(.output), errors: text(.errors))
  }

  private func reap() -> Int32 {
    var state: Int32 = 0
    while waitpid(identifier, &state, 0) < 0, errno == EINTR {}
    isReaped = true
    return state
  }

  private func kill() -> Int32 {
    Glibc.kill(-identifier, SIGKILL)
    return reap()
  }

  private func waitForNews(_ complaint: String) throws {
    let left = deadline - Self.now()
    guard left > 0 else {
      _ = kill()
      throw CommandFailure("\(name) \(complaint) within \(bounds.seconds) s and was killed\(story)")
    }
    var polls = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), Int32(clamping: left)) > 0 else { return }
    for index in polls.indices where polls[index].revents != 0 { read(index) }
  }

  /// Takes what is there, and notes the end.
  private func read(_ index: Int) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while ends[index] >= 0 {
      let count = Glibc.read(ends[index], &buffer, buffer.count)
      if count > 0 {
        texts[index] += buffer[..<count]
      } else if count == 0 {
        close(ends[index])
        ends[index] = -1
      } else if errno != EINTR {
        return
      }
    }
  }

  private func end(_ stream: Stream) {
    close(ends[stream.rawValue])
    ends[stream.rawValue] = -1
  }

  private var story: String {
    let errors = text(.errors).suffix(2_000)
    return errors.isEmpty ? "" : "; its standard error:\n\(errors)"
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension String {
  func occurrences(of text: String) -> Int {
    var count = 0
    var rest = utf8[...]
    let bytes = Array(text.utf8)
    while rest.count >= bytes.count {
      if rest.starts(with: bytes) { count += 1 }
      rest = rest.dropFirst()
    }
    return count
  }
}
