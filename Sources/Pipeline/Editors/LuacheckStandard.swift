/// The names that Lua files can use, as standards of the linter luacheck.
struct LuacheckStandard {
  static let mark = "-- Written by `pipeline types`: what scripts, configurations and tests can use.\n"

  let text: String

  /// Writes the names of scripts and configurations as one standard, as both lie in one folder, and those of tests as
  /// another.
  init(_ registry: Registry) {
    let tests = registry.functions.filter { $0.files == [.test] }.map(\.name)
    let common = registry.functions.filter { $0.files != [.test] }.map(\.name)
    let all =
      common + registry.constants.map(\.name) + registry.components.map(\.constructor) + LuaLibrary.names
    let variables = registry.types.compactMap(\.variable)
    text =
      Self.mark + """
        stds.pipeline = {
        \(Self.globals(all, without: variables))
        }
        stds.pipeline_tests = {
        \(Self.globals(tests, without: variables))
        }
        std = "pipeline"
        files["**/*_test.lua"] = { std = "+pipeline_tests" }
        exclude_files = { "types" }
        unused_args = false

        """
  }

  /// Paths as a table of globals and their fields; those of a type's variable are no globals.
  private static func globals(_ names: [String], without variables: [String]) -> String {
    var lines: [String] = []
    var members: [String: [String]] = [:]
    for name in names where !name.contains(":") {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      guard !variables.contains(parts[0]) || parts.count == 1 else { continue }
      if parts.count == 1 {
        lines.append("    \"\(name)\",")
      } else {
        members[parts[0], default: []].append(parts[1])
      }
    }
    lines.sort()
    for (table, fields) in members.sorted(by: { $0.key < $1.key }) {
      let fields = fields.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      lines.append("    \(table) = { fields = { \(fields) } },")
    }
    return "  read_globals = {\n" + lines.joined(separator: "\n") + "\n  },"
  }
}
