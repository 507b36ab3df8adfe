import Scripting

/// What scripts without any stored state are warmed up with.
package struct History: Sendable {
  /// One input of one script.
  struct Input: Sendable, Hashable {
    var script: String
    var input: String
  }

  /// A history that can't be used, or of which nothing can.
  struct Failure: Sendable, Hashable {
    var input: Input
    /// Why, in words that follow on "can't read the history of …:".
    var reason: String
    var isRequired: Bool

    /// The failure as one sentence.
    var description: String {
      "can't read the history of M.on.\(input.input) of \(input.script): \(reason)"
    }
  }

  /// The messages of all inputs, in the order of their times.
  package internal(set) var messages: [RecordedHistory] = []
  /// The fields of each input whose texts are numbers.
  var numbers: [Input: [FieldPath]] = [:]
  /// The inputs whose history is required.
  var required: Set<Input> = []
  var failures: [Failure] = []
  /// What else is to be told, a sentence each, by the script.
  var notes: [(script: String, text: String)] = []

  /// Makes a history of messages that need no more to be read; at equal times they keep their order.
  package init(_ messages: [RecordedHistory] = []) {
    self.messages = messages
    sort()
  }

  /// Why histories can't be used, or of which nothing can, a sentence each.
  package var failureTexts: [String] { failures.map(\.description) }

  var isEmpty: Bool { messages.isEmpty && failures.isEmpty && notes.isEmpty }

  mutating func sort() { messages.sort { $0.time < $1.time } }
}
