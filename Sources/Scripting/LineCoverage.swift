internal import LuaShim

/// How often each line of some files ran; lines without code are left out.
package struct LineCoverage: Sendable, Hashable {
  /// By file and line.
  package private(set) var files: [String: [Int: Int]] = [:]

  /// Makes a coverage without any file.
  package init() {}

  /// Makes the coverage of files from their counts by line.
  package init(_ files: [String: [Int: Int]]) { self.files = files }

  /// Adds what other runs of the same files, or of other ones, did.
  package mutating func add(_ other: LineCoverage) {
    for (file, lines) in other.files { files[file, default: [:]].merge(lines, uniquingKeysWith: +) }
  }

  /// The same counts under other names of the files.
  package func renamed(_ name: (String) -> String) -> LineCoverage {
    var renamed = LineCoverage()
    for (file, lines) in files { renamed.add(LineCoverage([name(file): lines])) }
    return renamed
  }
}

extension ScriptMachine {
  /// Counts how often each line of the file and of its modules runs; before loading, for tests.
  package func setCovering(_ isCovering: Bool) { script_vm_set_covering(raw, isCovering) }

  /// How often each line ran since loading, by the names of the chunks.
  package var coverage: LineCoverage {
    var files: [String: [Int: Int]] = [:]
    withUnsafeMutablePointer(to: &files) { context in
      script_vm_coverage(raw, context) { context, file, line, count in
        context?.assumingMemoryBound(to: [String: [Int: Int]].self).pointee[String(file), default: [:]][
          Int(line)] = Int(count)
      }
    }
    return LineCoverage(files)
  }
}
