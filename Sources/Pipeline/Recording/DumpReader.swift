/// Reads the lines of a file that holds nothing but a source's messages, which carry their times.
package struct DumpReader: Sendable {
  private let time: DumpTime
  private var table: TableReader?

  /// Makes a reader.
  ///
  /// - Parameter table: reads lines of a table; nil for a JSON message a line.
  package init(time: DumpTime, table: TableReader? = nil) {
    self.time = time
    self.table = table
  }

  /// Takes a line apart; nil where there is no message: at the header of a table, and inside of a row that goes on
  /// in the next line.
  ///
  /// - Parameter keep: keeps what isn't part of the line as long as the message is needed.
  /// - Throws: ``RecordedLineFault`` with what is wrong.
  mutating func read(
    _ line: UnsafeRawBufferPointer, keep: ([UInt8]) -> UnsafeRawBufferPointer
  ) throws(RecordedLineFault) -> (time: Int64, message: UnsafeRawBufferPointer)? {
    guard table != nil else { return (try time.read(from: line), line) }
    guard let row = try table?.row(line) else { return nil }
    let message = keep(row)
    return (try time.read(from: message), message)
  }
}
