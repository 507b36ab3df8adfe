package import Scripting

/// What can happen to the engine.
///
/// An action is handed on by copying it, several times a turn. What is rare and large stands apart, so that those which
/// come with each message stay small.
package enum EngineAction: Sendable {
  /// The program begins: sources are to connect.
  case start
  /// One read of a source gave these messages. The position is where the source resumes behind them.
  case batch(MessageBatch, source: Int, connection: Int, position: String?)
  /// Several sources gave messages in this order, as recordings tell; nothing happened to their connections between.
  case merged(MergedMessages)
  /// Something happened to a source's connection.
  indirect case source(Int, SourceMachine.Event)
  /// Messages of a source are missing.
  indirect case gap(SourceGap, source: Int)
  /// A server answered about a subscription of a source, or failed to.
  indirect case subscription(Int, SubscriptionReport)
  /// Time has come for whatever is due.
  case tick
  /// A commit is durable, or has failed.
  case stored(changes: Int, StorageError?)
  /// Users have asked for something by way of the storage.
  case ordered
  /// The host noticed something about itself that its user has to know.
  indirect case noticed(Alert)
  /// What became of an attempt to deliver an alert.
  indirect case delivered(Delivery, DeliveryOutcome)
  /// What became of an HTTP request of a script.
  indirect case replied(script: String, WebRequest, WebReply)
  /// Scripts, or who feeds them, were replaced by newer forms between two turns.
  case reloaded([ScriptReloadReport])
  /// The program is to end: no more messages.
  case stop
}
