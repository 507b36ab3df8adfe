internal import CSQLite

/// A compiled statement.
final class Statement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }
  deinit { sqlite3_finalize(handle) }

  func step() -> Int32 { sqlite3_step(handle) }

  func reset() {
    // The result repeats the error of the last step, which was told then.
    _ = sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT, whose macro isn't imported: SQLite copies the bytes.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number): return sqlite3_bind_double(handle, index, number)
    case .text(var text):
      // The pointer of an empty text may be null, which would mean NULL.
      if text.isEmpty { return sqlite3_bind_text(handle, index, "", 0, transient) }
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text64(
            handle, index, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), transient)
      }
    }
  }

  func value(at column: Int) -> SQLValue {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(handle, column) else { return .text("") }
      let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      guard let bytes = sqlite3_column_blob(handle, column) else { return .blob([]) }
      return .blob(
        Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))))
    default: return .null
    }
  }
}
