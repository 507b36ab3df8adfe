import Glibc
public import Pipeline

/// The program `pipeline` with the components of a registry: all its commands know them.
///
/// ```swift
/// @main
/// struct Host {
///   static func main() async {
///     var registry = Registry.builtIn
///     registry.register(source: Ticks.spec) { _ in Ticks() }
///     await Program(registry: registry).main()
///   }
/// }
/// ```
public struct Program: Sendable {
  private let registry: Registry

  /// Makes a program whose configurations can name the components of a registry.
  public init(registry: Registry = .builtIn) { self.registry = registry }

  /// Runs a command as `pipeline` would.
  ///
  /// - Parameter arguments: the command and what follows it, without a program's name.
  /// - Returns: what the process is to end with: 0 for success, 1 where what was asked about failed, 2 for wrong
  ///   usage or a faulty configuration.
  public func run(_ arguments: [String]) async -> Int32 {
    // A reader who goes away is noticed where it is written to.
    signal(SIGPIPE, SIG_IGN)
    let tool = CommandLineTool(commands: .all(registry))
    return await tool.run(arguments, Console(registry: registry)).rawValue
  }

  /// Runs what the process was started for, and ends the process.
  public func main() async -> Never {
    Self.keepStandardDescriptors()
    let code = await run(Array(Self.words.dropFirst()))
    // Nothing is buffered. exit(3) would take the data of libraries away from threads that are still at work.
    _exit(code)
  }

  /// The words that the process was started with.
  ///
  /// The runtime looks for them beside the environment, and finds none where a preloaded library has moved that.
  private static var words: [String] {
    let words = CommandLine.arguments
    guard words.isEmpty else { return words }
    do throws(FileError) {
      let line = try TextFile.read("/proc/self/cmdline", maximumBytes: 4 << 20)
      return line.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    } catch {
      return []
    }
  }

  /// Fills closed standard descriptors, so that no file opened later takes their place; writing to them fails.
  private static func keepStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // Takes the lowest free number, which is this one.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
