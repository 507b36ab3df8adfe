import Scripting

/// Sees the values that the rules of a script are given, one by one.
///
/// Called on the engine's thread, which waits for it.
package protocol RuleObserver: AnyObject {
  /// A handler's run checked a value; a run that fails is undone.
  func checked(rule: Int, key: UInt32, value: Double, at time: Timestamp, run: UInt32)
  /// What a run checked doesn't count.
  func undone(run: UInt32)
}

extension ScriptRunner {
  /// Lets an observer see what rules are given from now on, or nobody with nil.
  package func observeRules(_ observer: (any RuleObserver)?) { session.ruleObserver = observer }

  /// The key of a number that a ``RuleObserver`` is told.
  package func keyName(_ key: UInt32) -> String { machine.keyName(key) }
}
