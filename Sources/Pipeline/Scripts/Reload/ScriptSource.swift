import Scripting

/// The text of a script with all that it was loaded with: where two are the same, the script need not be reloaded.
package struct ScriptSource: Sendable {
  package var file: ScriptFile
  var parameters: [String: Value]
  var limits: MachineLimits
  var logByteLimit: Int
  var effectByteLimit: Int
  var outputs: ScriptOutputs?

  /// Whether a script of this source does the same as one of another, of which it required some modules.
  func isSame(as other: ScriptSource, requiring modules: [String]) -> Bool {
    file.source == other.file.source && modules.allSatisfy { file.modules[$0] == other.file.modules[$0] }
      && parameters == other.parameters && limits == other.limits && logByteLimit == other.logByteLimit
      && effectByteLimit == other.effectByteLimit && outputs == other.outputs
  }
}
