import Glibc
import Threads

/// A script's text with the modules beside it.
package struct ScriptFile: Sendable {
  /// The name that errors use.
  package var name: String
  package var source: String
  /// The text modules of the folder by the name that `require` uses.
  package var modules: [String: String]

  /// Makes a file that is at hand.
  package init(name: String, source: String, modules: [String: String] = [:]) {
    self.name = name
    self.source = source
    self.modules = modules
  }

  /// The most bytes of a script or a module.
  package static let maximumBytes = 4 << 20

  /// Reads a file, the other Lua files of its folder, and those of folders in it that a text such as "lib.prices" names.
  ///
  /// - Throws: ``FileError`` for the file itself; a module that can't be read is missing when it is required.
  package init(path: String, name: String) throws(FileError) {
    source = try TextFile.read(path, maximumBytes: Self.maximumBytes)
    self.name = name
    modules = [:]
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let own = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    for file in TextFile.names(in: folder) where file.hasSuffix(".lua") && file != own {
      let name = String(file.dropLast(4))
      // A dot leads into a folder.
      if !name.contains(".") { readModule(name, in: folder) }
    }
    var waiting = [source] + modules.values
    while let text = waiting.popLast() {
      for name in Self.nestedNames(in: text) where modules[name] == nil {
        readModule(name, in: folder)
        if let module = modules[name] { waiting.append(module) }
      }
    }
  }

  private mutating func readModule(_ name: String, in folder: String) {
    guard !name.hasSuffix("_test") else { return }
    let path = "\(folder)/\(name.replacing(".", with: "/")).lua"
    guard TextFile.exists(path) else { return }
    do throws(FileError) {
      modules[name] = try TextFile.read(path, maximumBytes: Self.maximumBytes)
    } catch {
      // Said by `require` if anyone asks for it.
      return
    }
  }

  /// The texts of a script that may be names of modules in folders.
  private static func nestedNames(in text: String) -> [String] {
    // A text that is no Lua is told when it is loaded.
    guard text.contains("require"), let tokens = try? LuaLexer.tokens(of: text) else { return [] }
    return tokens.compactMap { token in
      guard case .text(let name) = token.kind, name.utf8.count <= 200 else { return nil }
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let isName = parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { $0 == UInt8(ascii: "-") || LuaLexer.isLetter($0) || LuaLexer.isDigit($0) }
      }
      return parts.count > 1 && isName ? name : nil
    }
  }

  /// The folders that hold modules of a file which are not in its own.
  static func moduleFolders(of path: String) -> Set<String> {
    // One that can't be read is told when it is loaded.
    guard let file = try? ScriptFile(path: path, name: path) else { return [] }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let nested = file.modules.keys.map { $0.split(separator: ".").dropLast().joined(separator: "/") }
    return Set(nested.filter { !$0.isEmpty }.map { "\(folder)/\($0)" })
  }
}

extension ScriptFile {
  /// Whether a text stands in quotes anywhere in the script or its modules.
  func mentions(_ text: String) -> Bool {
    ([source] + modules.values).contains { $0.contains("\"\(text)\"") || $0.contains("'\(text)'") }
  }

  /// Whether a word stands anywhere in the script or its modules, as a name, in a text or in a comment.
  package func names(_ word: String) -> Bool {
    ([source] + modules.values).contains { text in
      text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == word }
    }
  }
}

/// Why a file could not be read or written, in one sentence.
package struct FileError: Error, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Whole files of text.
package enum TextFile {
  /// Reads a file of at most so many bytes.
  package static func read(_ path: String, maximumBytes: Int) throws(FileError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileError("can't read \"\(path)\": \(SystemFailure(number: errno).description)")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError("can't read \"\(path)\": \(SystemFailure(number: errno).description)")
      }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= maximumBytes else {
        throw FileError("\"\(path)\" is larger than \(maximumBytes) bytes; it can't be used")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes a new file; one that exists is refused.
  package static func create(_ path: String, _ text: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw FileError("can't create \"\(path)\": \(SystemFailure(number: errno).description)")
    }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw FileError("can't write \"\(path)\": \(SystemFailure(number: errno).description)")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes a file in place of one that exists, which stays as it is if that fails.
  package static func replace(_ path: String, _ text: String) throws(FileError) {
    let new = "\(path).new"
    unlink(new)
    try create(new, text)
    guard rename(new, path) == 0 else {
      throw FileError("can't write \"\(path)\": \(SystemFailure(number: errno).description)")
    }
  }

  /// Makes a folder, and those above it that are missing, unless it exists.
  package static func makeFolder(_ path: String) throws(FileError) {
    guard mkdir(path, 0o777) != 0 else { return }
    var number = errno
    if number == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolder(String(path[..<slash]))
      guard mkdir(path, 0o777) != 0 else { return }
      number = errno
    }
    guard number != EEXIST || !isFolder(path) else { return }
    throw FileError("can't make the folder \"\(path)\": \(SystemFailure(number: number).description)")
  }

  /// The names of the entries of a folder, in order; empty for one that can't be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a path names a file that can be opened.
  package static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether a path names a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
