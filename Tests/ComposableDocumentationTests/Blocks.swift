import Glibc
import Testing

/// A piece of code that a reader sees, without the indentation of its place.
struct Block: Hashable, Sendable, CustomStringConvertible {
  let text: String

  init(_ lines: some Sequence<Substring>) {
    let lines = Array(lines)
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    text = lines.map { $0.dropFirst(indentation) }.joined(separator: "\n")
  }

  var description: String { text }
}

/// A page of Markdown.
struct Page: Sendable, CustomTestStringConvertible {
  let name: String
  private let lines: [Substring]

  /// Reads a page by its path below the folder of the package.
  init(_ path: String) throws {
    name = path.split(separator: "/").last.map(String.init) ?? path
    lines = try linesOfFile(path)
  }

  var testDescription: String { name }

  /// The blocks of code of a language, in their order.
  func blocks(of language: String) -> [Block] {
    var blocks: [Block] = []
    var rest = lines[...]
    while let start = rest.firstIndex(where: { $0.hasPrefix("```") }) {
      let content = rest[(start + 1)...].prefix { !$0.hasPrefix("```") }
      if rest[start].dropFirst(3) == language { blocks.append(Block(content)) }
      rest = rest[min(content.endIndex + 1, rest.endIndex)...]
    }
    return blocks
  }
}

/// The blocks of code in the comments of a Swift file: what is indented by four behind an empty line.
func commentBlocks(of path: String) throws -> [Block] {
  var blocks: [Block] = []
  var block: [Substring] = []
  var follows = false
  for line in try linesOfFile(path).map({ $0.drop { $0 == " " } }) + [""] {
    if line.hasPrefix("///     "), follows || !block.isEmpty {
      block.append(line.dropFirst(8))
    } else if line == "///", !block.isEmpty {
      block.append("")
    } else if !block.isEmpty {
      blocks.append(Block(block.reversed().drop { $0.isEmpty }.reversed()))
      block = []
    }
    follows = line == "///"
  }
  return blocks
}

/// The parts of a Swift file between the lines `// snippet` and `// end`.
func snippets(of path: String) throws -> [Block] {
  var snippets: [Block] = []
  var rest = try linesOfFile(path)[...]
  while let start = rest.firstIndex(where: { isMark($0, "// snippet") }) {
    let content = rest[(start + 1)...].prefix { !isMark($0, "// end") }
    try #require(content.endIndex < rest.endIndex, "\(path): a snippet has no end")
    snippets.append(Block(content))
    rest = rest[(content.endIndex + 1)...]
  }
  return snippets
}

private func isMark(_ line: Substring, _ mark: String) -> Bool { line.drop { $0 == " " } == mark }

// MARK: - Files

/// The folder of the package: two above that of this file.
private let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
  separator: "/")

private func linesOfFile(_ path: String) throws -> [Substring] {
  let file = try #require(fopen("\(package)/\(path)", "r"), "\(path) can't be read")
  defer { fclose(file) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { text += buffer[..<count] }
  return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
}

/// The files of a folder and of those in it, by their paths below the folder of the package.
func files(in folder: String, ending: String) throws -> [String] {
  let directory = try #require(opendir("\(package)/\(folder)"), "\(folder) can't be read")
  defer { closedir(directory) }
  var paths: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name.hasPrefix(".") { continue }
    let path = "\(folder)/\(name)"
    if entry.pointee.d_type == DT_DIR { paths += try files(in: path, ending: ending) }
    if name.hasSuffix(ending) { paths.append(path) }
  }
  return paths.sorted()
}
