import Glibc

/// A broker of Debian's `mosquitto` for one test, on the loopback.
final class Broker {
  private static let program = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].first { (path: String) in
    access(path, X_OK) == 0
  }
  static let isAvailable = program != nil
  static let reason = "there is no mosquitto; install Debian's package mosquitto"

  let port: Int
  private var process: RunningCommand?
  private let folder: TemporaryFolder
  private let configuration: String

  /// Starts a broker.
  ///
  /// - Parameter options: lines of its configuration beside the listener.
  init(in folder: TemporaryFolder, options: String = "allow_anonymous true") throws {
    self.folder = folder
    port = try Self.freePort()
    configuration = folder.path("mosquitto.conf")
    try folder.write(
      "mosquitto.conf",
      """
      listener \(port) 127.0.0.1
      \(options)
      user root
      persistence true
      persistence_location \(folder.root)/
      log_dest stderr
      """)
    try start()
  }

  /// Starts it again after ``stop()``.
  func start() throws {
    let process = try RunningCommand(
      program: Self.program ?? "mosquitto", ["-v", "-c", configuration], in: folder)
    try process.wait(for: "running")
    self.process = process
    // It says so a moment before signals can end it; whether it takes the message or not, it has got there then.
    _ = try CommandRun(
      program: "/usr/bin/mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-t", "started", "-m", "1"], in: folder)
  }

  /// Ends it cleanly; what it must keep is stored.
  func stop() throws {
    process?.send(signal: SIGTERM)
    _ = try process?.finish()
    process = nil
  }

  /// Waits for a line of its log.
  func wait(for text: String, times: Int = 1) throws { try process?.wait(for: text, times: times) }

  /// Publishes with Debian's own client.
  func publish(_ topic: String, _ payload: String, _ options: String...) throws {
    let run = try CommandRun(
      program: "/usr/bin/mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-t", topic, "-m", payload] + options, in: folder)
    guard run.status == 0 else { throw CommandFailure("mosquitto_pub failed: \(run.errors)") }
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw CommandFailure("there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
