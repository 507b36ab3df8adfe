/// The host's side of what a script does while it runs: its rules, and taking back what a failed run asked for.
///
/// Called on the machine's thread while a handler runs; nothing here may call back into the machine, except to
/// set its deadline.
package protocol ScriptHost: AnyObject {
  /// Takes a declared rule, in which `$functions` lists the options that are functions, and returns its index; rules are numbered from 0 in the order of declaration.
  func declare(_ rule: Value) throws(HostFunctionError) -> Int

  /// Judges a value; true asks for the alert's text. Truth is what the rule's `when` function said of the value,
  /// nil for a rule without one. The data given with the value are JSON, valid during the call.
  func check(
    rule: Int, value: Double, truth: Bool?, data: UnsafeRawBufferPointer?, call: ScriptCall
  ) throws(HostFunctionError) -> Bool

  /// Takes the text that `check` asked for; nil when the rule has no text function.
  func describe(rule: Int, text: String?, call: ScriptCall)

  /// Takes back everything that was asked for under the number of a run.
  func undo(run: UInt32)
}
