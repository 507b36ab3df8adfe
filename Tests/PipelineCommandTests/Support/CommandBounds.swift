/// What a program that a test starts may use at most.
struct CommandBounds {
  /// How long it may run before it is killed.
  var seconds = 60
  /// The memory of each of its processes.
  var dataBytes = 1 << 30
  /// How long a file may become by its writing; nil for any length.
  var fileBytes: Int?

  /// The program that sets bounds and then becomes another one; every Linux has it (util-linux).
  static let program = "/usr/bin/prlimit"

  var wrapper: [String] {
    var words = [Self.program, "--data=\(dataBytes)", "--core=0"]
    // The soft bound alone, so that it can be lifted again.
    if let fileBytes { words.append("--fsize=\(fileBytes):") }
    return words
  }
}
