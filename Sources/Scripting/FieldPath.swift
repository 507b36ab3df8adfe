internal import LuaShim

/// The way to a field of a message: names with dots between, numbers from 1 for the items of lists.
package struct FieldPath: Sendable, Hashable {
  /// The path as it is written.
  package let text: String
  private let bytes: ContiguousArray<CChar>

  /// Makes a path of its text; an empty one is the message itself.
  package init(_ text: String) {
    self.text = text
    bytes = ContiguousArray(text.utf8CString)
  }

  /// Lends the path's bytes, with a zero behind them.
  func withBytes<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // There is the zero at least.
    bytes.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}

/// What stands in a field of a decoded message.
package enum FieldContent {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// A text, or an integer beyond 64 bits in its digits; valid until the next call on the batch.
  case text(UnsafeRawBufferPointer)
  case list(count: Int)
  case map(count: Int)
}

extension MessageBatch {
  /// What stands at a path of a decoded message, nil where it has no such field; it allocates nothing.
  package func content(of path: FieldPath, at index: Int) -> FieldContent? {
    var node = script_node()
    let isThere = path.withBytes { script_batch_find(raw, UInt32(index), $0, &node) }
    guard isThere else { return nil }
    switch node.kind {
    case SCRIPT_NULL: return .null
    case SCRIPT_FALSE: return .boolean(false)
    case SCRIPT_TRUE: return .boolean(true)
    case SCRIPT_INTEGER: return .integer(node.integer)
    case SCRIPT_NUMBER: return .number(node.number)
    case SCRIPT_LIST: return .list(count: Int(node.count))
    case SCRIPT_MAP: return .map(count: Int(node.count))
    default: return .text(UnsafeRawBufferPointer(start: node.text.bytes, count: node.text.count))
    }
  }
}
