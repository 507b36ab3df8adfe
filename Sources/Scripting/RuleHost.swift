/// The host's side of `alert.rule` and `rule:check`.
///
/// Called on the machine's thread while a handler runs; nothing here may call back into the machine.
package protocol RuleHost: AnyObject {
  /// Takes a declared rule and returns its index; rules are numbered from 0 in the order of declaration.
  func declare(_ rule: Value) throws(HostFunctionError) -> Int

  /// Judges a value; true asks for the alert's text.
  func check(rule: Int, value: Double, data: Value?, call: ScriptCall) throws(HostFunctionError) -> Bool

  /// Takes the text that `check` asked for; nil when the rule has no text function.
  func describe(rule: Int, text: String?, call: ScriptCall)
}
