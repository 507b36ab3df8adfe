/// Rows of byte fields in one contiguous buffer, for rows too many to be objects of their own.
///
/// A row has a fixed number of fields; the first ones are its key. A field is bytes, or null. A row whose
/// first field after the key is null says that the row of that key is removed. Rows are kept in the order
/// they were added, and a later row of the same key stands for it: see ``compact()``.
package struct RowBuffer: Sendable {
  /// The number of fields in each row.
  package let columns: Int
  /// How many of the first fields identify a row.
  package let keyColumns: Int
  private(set) var bytes: [UInt8] = []
  /// Where each field ends in `bytes`, shifted left by one; the lowest bit says that the field is null.
  private(set) var ends: [Int] = []
  /// How many rows there were after the last compaction.
  private(set) var compactedCount = 0

  /// Makes an empty buffer for rows of some fields, the first of which are the key.
  package init(columns: Int, keyColumns: Int) {
    precondition(keyColumns > 0 && keyColumns < columns, "a row needs a key and at least one field more")
    self.columns = columns
    self.keyColumns = keyColumns
  }

  /// The number of whole rows.
  package var count: Int { ends.count / columns }
  package var isEmpty: Bool { ends.isEmpty }
  /// The bytes of all fields together.
  package var byteCount: Int { bytes.count }

  /// Forgets all rows and keeps the memory for the next ones.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    compactedCount = 0
  }

  /// Adds the next field of the row being written.
  package mutating func add(_ field: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: field)
    ends.append(bytes.count << 1)
  }

  /// Adds a text in UTF-8 as the next field.
  package mutating func add(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count << 1)
  }

  /// Adds bytes as the next field.
  package mutating func add(_ field: [UInt8]) {
    bytes.append(contentsOf: field)
    ends.append(bytes.count << 1)
  }

  /// Adds the bytes that a closure appends as the next field.
  package mutating func add(_ write: (inout [UInt8]) -> Void) {
    write(&bytes)
    ends.append(bytes.count << 1)
  }

  /// Adds an integer as the next field, in eight bytes.
  package mutating func add(_ integer: Int64) {
    withUnsafeBytes(of: integer.littleEndian) { add($0) }
  }

  /// Adds a null as the next field.
  package mutating func addNull() { ends.append(bytes.count << 1 | 1) }

  /// Adds all rows of another buffer of the same shape.
  package mutating func append(_ other: RowBuffer) {
    precondition(other.columns == columns && other.keyColumns == keyColumns, "rows of another shape")
    let start = bytes.count << 1
    bytes.append(contentsOf: other.bytes)
    for end in other.ends { ends.append(end + start) }
  }
}

extension RowBuffer {
  /// A view of the fields, valid during the call that handed it out.
  package struct Fields {
    let bytes: UnsafeRawBufferPointer
    let ends: UnsafeBufferPointer<Int>
    let columns: Int

    /// The bytes of a field, nil for a null.
    package subscript(row: Int, column: Int) -> UnsafeRawBufferPointer? {
      let index = row * columns + column
      guard ends[index] & 1 == 0 else { return nil }
      let start = index == 0 ? 0 : ends[index - 1] >> 1
      return UnsafeRawBufferPointer(rebasing: bytes[start..<(ends[index] >> 1)])
    }
  }

  /// Reads fields in place, without copying one.
  package func withFields<R>(_ body: (Fields) throws -> R) rethrows -> R {
    try bytes.withUnsafeBytes { bytes in
      try ends.withUnsafeBufferPointer { ends in
        try body(Fields(bytes: bytes, ends: ends, columns: columns))
      }
    }
  }

  /// A copy of a field's bytes, nil for a null.
  package func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
    withFields { fields in fields[row, column].map { Array($0) } }
  }

  /// A field as text, nil for a null; invalid UTF-8 is repaired.
  package func text(_ row: Int, _ column: Int) -> String? {
    withFields { fields in fields[row, column].map { String(decoding: $0, as: UTF8.self) } }
  }

  /// A field written as an integer, nil for a null or for a field of another length.
  package func integer(_ row: Int, _ column: Int) -> Int64? {
    withFields { fields in
      guard let field = fields[row, column], field.count == 8 else { return nil }
      return Int64(littleEndian: field.loadUnaligned(as: Int64.self))
    }
  }

  /// Whether a row says that the row of its key is removed.
  package func isRemoval(_ row: Int) -> Bool { ends[row * columns + keyColumns] & 1 == 1 }

  mutating func replace(bytes: [UInt8], ends: [Int]) {
    self.bytes = bytes
    self.ends = ends
    compactedCount = count
  }
}
