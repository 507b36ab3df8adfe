import Glibc
import Pipeline
import Synchronization

/// A folder of one test, removed with it.
final class TemporaryFolder: Sendable {
  let root: String
  private let count = Mutex(0)

  init() throws {
    var template = Array("/tmp/pipeline-command-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandFailure("can't make a folder in /tmp") }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(root) }

  private static func remove(_ folder: String) {
    for name in TextFile.names(in: folder) {
      let path = "\(folder)/\(name)"
      if TextFile.isFolder(path) { remove(path) } else { unlink(path) }
    }
    rmdir(folder)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try TextFile.create(path(name), text)
    return path(name)
  }

  /// Writes a file in place of one that exists.
  func overwrite(_ name: String, _ text: String) throws { try TextFile.replace(path(name), text) }

  /// Writes into a file that exists, as editors do that keep it.
  func writeInPlace(_ name: String, _ text: String) throws {
    let descriptor = open(path(name), O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure("can't open \(name)") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw CommandFailure("can't write \(name)")
    }
  }

  /// The text of a file, empty if there is none.
  func read(_ path: String) -> String {
    do throws(FileError) { return try TextFile.read(path, maximumBytes: 64 << 20) } catch { return "" }
  }

  /// Writes a configuration with one source, a script with a rule over 100, and gives the configuration's path.
  func writeProject(
    sources: String = "btc = source.simulated {}", from: String = "{ price = \"btc\" }",
    script: String = TemporaryFolder.script, rest: String = "channels = { screen = channel.console {} },"
  ) throws -> String {
    try write("watch.lua", script)
    return try write(
      "config.lua",
      """
      return {
        sources = { \(sources) },
        scripts = { watch = { file = "watch.lua", from = \(from) } },
        \(rest)
      }
      """)
  }

  static let script = """
    local M = {}
    M.state = { price = 0 }
    local over = alert.rule { name = "over", crosses_above = 100 }
    M.on = {}
    function M.on.price(state, message)
      state.price = num(message.price)
      over:check(state.price)
    end
    return M
    """
}
