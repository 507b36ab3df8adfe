internal import Glibc

/// A program started by a test, with its standard input and output at hand.
package struct ChildProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  package let identifier: Int32
  /// Never closed: the kernel does it when the test process ends, and so ends a child that reads it.
  package let input: Int32
  private let output: Int32

  /// Starts a program found in the path.
  package init(_ arguments: [String]) throws {
    var inputPipe: [Int32] = [0, 0]
    var outputPipe: [Int32] = [0, 0]
    guard pipe(&inputPipe) == 0, pipe(&outputPipe) == 0 else {
      throw Failure(description: "no pipes for \(arguments[0])")
    }
    for descriptor in inputPipe + outputPipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputPipe[0], 0)
    posix_spawn_file_actions_adddup2(&actions, outputPipe[1], 1)
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var made: pid_t = 0
    let status = posix_spawnp(&made, arguments[0], &actions, nil, &words, environ)
    close(inputPipe[0])
    close(outputPipe[1])
    guard status == 0 else { throw Failure(description: "cannot start \(arguments[0])") }
    identifier = made
    input = inputPipe[1]
    output = outputPipe[0]
  }

  /// Reads one line of output; what is left when it ended before.
  package func readLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Asks it to end, and waits for that.
  package func terminate() {
    kill(identifier, SIGTERM)
    end()
  }

  /// Closes its input and waits for its end, which this must bring.
  ///
  /// A child that nobody waits for keeps Swift Testing's exit tests from seeing the ends of theirs.
  @discardableResult
  package func end() -> Int32 {
    close(input)
    while !readLine().isEmpty {}
    close(output)
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    return status
  }

  /// Runs a program to its end.
  package static func run(_ arguments: [String]) throws {
    let child = try ChildProcess(arguments)
    guard child.end() == 0 else { throw Failure(description: "\(arguments.joined(separator: " ")) failed") }
  }
}
