import PipelineCommand

@main
struct PipelineProgram {
  static func main() async { await Program().main() }
}
