package import Pipeline
import Scripting

/// The tests of users' scripts: files named `*_test.lua`.
package enum TestSuite {
  /// Runs all tests of some files and folders, one after the other in an order of chance.
  ///
  /// Folders are searched for `*_test.lua`; hidden ones are passed over. A path that can't be used is reported and
  /// makes the exit status 2, as does a search that finds nothing.
  ///
  /// - Parameters:
  ///   - registry: the components that configurations under test may use.
  ///   - seed: what the order is made from; nil for another one each time. The report names it.
  ///   - coversLines: whether the lines of scripts that run are counted.
  package static func run(
    files paths: [String] = ["."], registry: Registry = .builtIn, seed: UInt64? = nil,
    coversLines: Bool = false
  ) async -> TestReport {
    var report = TestReport()
    var found: [String] = []
    for path in paths {
      let files = testFiles(at: path, &report.problems)
      found += files.filter { !found.contains($0) }
    }
    // Short enough to be typed again.
    let seed = seed ?? UInt64.random(in: 1..<1_000_000)
    var random = SeededRandom(seed: seed)
    var results: [TestFileResult?] = found.map { _ in nil }
    for index in found.indices.shuffled(using: &random) {
      let runner = TestFileRunner(path: found[index], registry: registry, coversLines: coversLines)
      // Of its own, so that a file alone runs in the same order as among others.
      results[index] = await runner.run(seed: seed)
    }
    report.files = results.compactMap { $0 }
    report.seed = seed
    if coversLines {
      var coverage = LineCoverage()
      for file in report.files { coverage.add(file.coverage) }
      report.coverage = coverage
    }
    return report
  }

  /// The test files that stand in a folder itself, sorted.
  package static func files(in folder: String) -> [String] {
    TextFile.names(in: folder.isEmpty ? "." : folder).filter {
      $0.hasSuffix("_test.lua") && !$0.hasPrefix(".")
    }
    .map { folder.isEmpty ? $0 : "\(folder)/\($0)" }.sorted()
  }

  /// The test files at a path, sorted.
  private static func testFiles(at path: String, _ problems: inout [String]) -> [String] {
    guard TextFile.isFolder(path) else {
      guard TextFile.exists(path) else {
        problems.append("there is no file or folder \"\(path)\"; name a test file or a folder of them")
        return []
      }
      return [path]
    }
    var folder = path
    while folder.hasSuffix("/"), folder.count > 1 { folder.removeLast() }
    let files = search(folder, depth: 32)
    if files.isEmpty { problems.append("no file *_test.lua in \"\(path)\"; write one beside your script") }
    return files
  }

  private static func search(_ folder: String, depth: Int) -> [String] {
    guard depth > 0 else { return [] }
    var files: [String] = []
    for name in TextFile.names(in: folder) where !name.hasPrefix(".") {
      let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if TextFile.isFolder(path) {
        files += search(path, depth: depth - 1)
      } else if name.hasSuffix("_test.lua") {
        files.append(path)
      }
    }
    return files.sorted()
  }
}
