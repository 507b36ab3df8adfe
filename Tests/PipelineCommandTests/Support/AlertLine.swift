import Scripting

/// One alert as channels write it in JSON.
struct AlertLine: Hashable {
  let id: String
  let name: String
  let text: String

  /// Reads the lines of a channel, a last one that was cut short left out.
  static func all(_ output: String) throws -> [AlertLine] {
    var alerts: [AlertLine] = []
    for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let value = try Value(json: String(line))
      alerts.append(
        AlertLine(
          id: value["id"]?.text ?? "", name: value["name"]?.text ?? "", text: value["text"]?.text ?? ""))
    }
    return alerts
  }
}
