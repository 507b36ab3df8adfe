import Scripting

/// Where the keys of a source's messages stand, as far as its scripts say so.
struct MessageKeys: Sendable, Hashable {
  /// The path that each script names for the messages that it gets, each once; empty where none has keys.
  var paths: [FieldPath]
  /// Whether every script keeps these messages under the key at the one path.
  var isShared: Bool

  /// The path at which all scripts find their key; nil where they don't agree.
  var sharedPath: String? { isShared ? paths.first?.text : nil }

  /// What tells the keys of messages apart; the same for messages that have the same at every path.
  func hash(of batch: MessageBatch, at index: Int) -> Int {
    var hasher = Hasher()
    for path in paths { hasher.combine(batch.hash(of: path, at: index)) }
    return hasher.finalize()
  }
}

extension EngineWiring {
  /// Where the keys of a source's messages stand; nil where nobody but its scripts can tell.
  func keys(of source: Int) -> MessageKeys? {
    var paths: [FieldPath] = []
    var isShared = !hasTopics && !feeds[source].isEmpty
    for feed in feeds[source] {
      switch feed.runner.key(of: feed.input) {
      case .none: isShared = false
      case .function: return nil
      case .path(let text):
        let path = FieldPath(text)
        if !paths.contains(path) { paths.append(path) }
      }
    }
    // What a reducer in Swift does with a message can't be seen.
    guard !natives.contains(where: { $0.inputs[source] != nil }) else { return nil }
    return MessageKeys(paths: paths, isShared: isShared && paths.count == 1)
  }
}

extension ScriptRunner {
  /// How a script finds the key of a message.
  enum Key: Hashable {
    case none
    case path(String)
    case function
  }

  /// How the script finds the key of the messages of an input.
  func key(of input: String) -> Key {
    switch declarations["keys"]?[input] {
    case .text(let path)?: .path(path)
    case nil: .none
    default: .function
    }
  }
}
