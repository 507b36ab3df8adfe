import Pipeline
import PipelineCommand

/// A host of its own: the program `pipeline` with a source, a reducer and a channel more.
@main
struct CustomHost {
  static func main() async { await Program(registry: .custom).main() }
}

extension Registry {
  /// What comes with `pipeline`, and the components of this example.
  static let custom: Registry = {
    var registry = Registry.builtIn
    registry.register(source: MachineLoad.spec) { MachineLoad(fields: $0) }
    registry.register(reducer: Trend.spec) { Trend(fields: $0) }
    registry.register(channel: StatusFile.spec) { StatusFile(fields: $0) }
    return registry
  }()
}
