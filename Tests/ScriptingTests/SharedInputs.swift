import Glibc

/// Hard inputs kept beside the repository, for those who have them.
enum SharedInputs {
  private static let folder: String = {
    // Tests/ScriptingTests/SharedInputs.swift: three up is the package.
    var path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    path.removeLast(3)
    return (path + ["..", "shared", "inputs"]).joined(separator: "/")
  }()

  /// The names of the files in a subfolder, sorted; empty where there is none.
  static func files(in subfolder: String) -> [String] {
    guard let directory = opendir("\(folder)/\(subfolder)") else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The bytes of a file.
  static func bytes(_ path: String) -> [UInt8] { contents("\(folder)/\(path)") ?? [] }

  /// The text of any file, nil where it can't be read.
  static func read(_ path: String) -> String? { contents(path).map { String(decoding: $0, as: UTF8.self) } }

  private static func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  /// The text of a file.
  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}
