package import Pipeline

/// The tests of users' scripts: files named `*_test.lua`.
package enum TestSuite {
  /// Runs all tests of some files and folders, one after the other.
  ///
  /// Folders are searched for `*_test.lua`, in order; hidden ones are passed over. A path that can't be used is
  /// reported and makes the exit status 2, as does a search that finds nothing.
  ///
  /// - Parameter registry: the components that configurations under test may use.
  package static func run(files paths: [String] = ["."], registry: Registry = .builtIn) async -> TestReport {
    var report = TestReport()
    var found: [String] = []
    for path in paths {
      let files = testFiles(at: path, &report.problems)
      found += files.filter { !found.contains($0) }
    }
    for file in found { report.files.append(await TestFileRunner(path: file, registry: registry).run()) }
    return report
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
