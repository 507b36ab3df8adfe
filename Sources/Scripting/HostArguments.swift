internal import LuaShim

/// What a script gave a function of the host, as the door wrote it; values are made of what is asked for.
///
/// Valid while the call lasts.
package struct HostArguments {
  private let batch: MessageBatch

  /// Takes the list that is the first message of a decoded batch.
  init(_ batch: MessageBatch) { self.batch = batch }

  /// How many there are.
  package var count: Int { Int(script_batch_node(batch.raw, 0, 0).count) }

  /// All of them.
  package var values: [Value] {
    if case .list(let values) = batch.value(at: 0) { values } else { [] }
  }

  /// A text; nil for anything else, or nothing.
  package func text(at index: Int) -> String? {
    guard let node = item(index)?.node else { return nil }
    let found = script_batch_node(batch.raw, 0, node)
    return found.kind == SCRIPT_TEXT ? String(found.text) : nil
  }

  /// One of them as JSON, as ``Value/json`` writes it; nil where there are fewer.
  package func json(at index: Int) -> String? {
    guard let item = item(index) else { return nil }
    return item.hasRareFloats ? values[index].json : String(item.bytes)
  }

  private func item(_ index: Int) -> (node: UInt32, bytes: script_text, hasRareFloats: Bool)? {
    var node: UInt32 = 0
    var bytes = script_text()
    var hasRareFloats = false
    guard script_batch_item(batch.raw, 0, UInt32(index), &node, &bytes, &hasRareFloats) else { return nil }
    return (node, bytes, hasRareFloats)
  }
}
