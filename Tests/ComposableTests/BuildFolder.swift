import Glibc
import TestPeers
import Testing

/// Where the programs and modules lie that this one was built with.
enum BuildFolder {
  /// The folder of this program.
  static var path: String {
    get throws {
      guard let program = realpath("/proc/self/exe", nil) else {
        throw ChildProcess.Failure(description: "this program has no path")
      }
      defer { free(program) }
      return directory(of: String(cString: program))
    }
  }

  /// The folder of the toolchain that this program's standard library belongs to.
  static var toolchain: String {
    get throws {
      let maps = try text(of: "/proc/self/maps").split(separator: "\n")
      let ending = "/lib/swift/linux/libswiftCore.so"
      guard let line = maps.first(where: { $0.hasSuffix(ending) }), let path = line.firstIndex(of: "/") else {
        throw ChildProcess.Failure(description: "this program's standard library isn't that of a toolchain")
      }
      return String(line[path...].dropLast(ending.count))
    }
  }

  static func directory(of path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  static func text(of path: String) throws -> String {
    let file = try #require(fopen(path, "r"), "\(path) can't be read")
    defer { fclose(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { text += buffer[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
