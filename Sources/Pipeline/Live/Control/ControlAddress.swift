import Glibc

/// Where the running host of a configuration can be spoken to.
///
/// Beside its storage, `btc.db.sock` for `btc.db`. A host that stores nothing has a socket in `XDG_RUNTIME_DIR`, or in a
/// folder of the user's own in `/tmp`, under a name that follows from the configuration's path.
package enum ControlAddress {
  /// The socket's path.
  ///
  /// - Parameters:
  ///   - storage: the storage's file; nil for a host that stores nothing.
  ///   - configuration: the configuration's file.
  static func path(storage: String?, configuration: String) -> String {
    if let storage { return (resolved(storage) ?? storage) + ".sock" }
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in (resolved(configuration) ?? configuration).utf8 {
      hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }
    let name = String(hash, radix: 16)
    return "\(runtimeFolder)/\(String(repeating: "0", count: 16 - name.count))\(name).sock"
  }

  /// The folder for sockets of hosts that store nothing.
  static var runtimeFolder: String {
    if let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), folder.hasPrefix("/") {
      return "\(folder)/pipeline"
    }
    return "/tmp/pipeline-\(geteuid())"
  }

  /// Makes the folder of sockets, which nobody else may change.
  ///
  /// - Throws: ``FileError`` if it can't be made or is somebody else's.
  static func makeRuntimeFolder() throws(FileError) {
    let folder = runtimeFolder
    mkdir(folder, 0o700)
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      throw FileError("\"\(folder)\" has to be a folder that is only yours; set XDG_RUNTIME_DIR to one")
    }
  }

  /// Every path that a host of a configuration may listen at, the likeliest first.
  package static func paths(of configuration: Configuration, registry: Registry) -> [String] {
    var paths: [String] = []
    if let component = configuration.storage,
      let settings = try? registry.make(component, as: SQLiteSettings.self)
    {
      paths.append(path(storage: settings.file, configuration: configuration.file))
    }
    paths.append(path(storage: nil, configuration: configuration.file))
    return paths
  }

  private static func resolved(_ path: String) -> String? {
    if let resolved = Glibc.realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    // A storage that isn't made yet: its folder can be resolved all the same.
    guard let slash = path.lastIndex(of: "/") else { return realpath(of: ".").map { "\($0)/\(path)" } }
    return realpath(of: slash == path.startIndex ? "/" : String(path[..<slash])).map { $0 + path[slash...] }
  }

  private static func realpath(of folder: String) -> String? {
    guard let resolved = Glibc.realpath(folder, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
