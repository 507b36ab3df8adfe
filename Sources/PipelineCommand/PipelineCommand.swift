import Glibc

@main
struct PipelineCommand {
  static func main() async {
    // A reader who goes away is noticed where it is written to.
    signal(SIGPIPE, SIG_IGN)
    keepStandardDescriptors()
    let tool = CommandLineTool(commands: .all)
    let code = await tool.run(Array(CommandLine.arguments.dropFirst()), Console())
    // Nothing is buffered. exit(3) would take the data of libraries away from threads that are still at work.
    _exit(code.rawValue)
  }

  /// Fills closed standard descriptors, so that no file opened later takes their place; writing to them fails.
  private static func keepStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // Takes the lowest free number, which is this one.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
