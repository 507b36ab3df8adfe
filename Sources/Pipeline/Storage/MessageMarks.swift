import Scripting

/// What goes with a message besides its bytes, as far as a handler may have seen it.
package struct MessageMarks: Sendable, Hashable {
  /// The message's topic, empty where it has none.
  package var topic = ""
  /// When it happened, where that isn't when it came in.
  package var happened: Timestamp?
  /// Whether the source sent it before, or it is of a history.
  package var isReplayed = false
  package var isLate = false
  package var sequence: Int64?
  /// Whether it is text as it is, and no JSON.
  package var isText = false

  /// Makes the marks of a message that has none.
  package init() {}

  /// Takes the marks of a message of a batch.
  ///
  /// - Parameter topic: that of messages without one of their own.
  init(_ batch: MessageBatch, at index: Int, topic: String) {
    self.topic = batch.topic(at: index)
    if self.topic.isEmpty { self.topic = topic }
    if batch.time(at: index) != batch.received(at: index) {
      happened = Timestamp(milliseconds: batch.time(at: index))
    }
    isReplayed = batch.isReplayed(at: index)
    isLate = batch.isLate(at: index)
    sequence = batch.sequence(at: index)
    isText = batch.isText(at: index)
  }

  /// The marks as one text, empty where there are none.
  var encoded: String {
    var members: [String: Value] = [:]
    if !topic.isEmpty { members["topic"] = .text(topic) }
    if let happened { members["time"] = .integer(happened.milliseconds) }
    if isReplayed { members["replayed"] = true }
    if isLate { members["late"] = true }
    if let sequence { members["sequence"] = .integer(sequence) }
    if isText { members["text"] = true }
    return members.isEmpty ? "" : Value.map(members).json
  }

  /// Reads what ``encoded`` wrote; what it didn't write are no marks.
  init(encoded: String) {
    guard let value = try? Value(json: encoded) else { return }
    topic = value["topic"]?.text ?? ""
    if case .integer(let time)? = value["time"] { happened = Timestamp(milliseconds: time) }
    isReplayed = value["replayed"] == true
    isLate = value["late"] == true
    isText = value["text"] == true
    if case .integer(let number)? = value["sequence"] { sequence = number }
  }
}
