/// Makes a JSON message of each row of a table (RFC 4180): an object with the columns as its members.
///
/// A cell that reads as a number, `true` or `false` in JSON is one, an empty one is null, and any other, as well as
/// whatever stands in quotes, is a text. Commas, semicolons or tabs separate cells: whichever the header has most of
/// or, where the columns are given, makes as many cells of the first row.
package struct TableReader: Sendable {
  /// The most bytes of a row that goes on over several lines.
  private static let maximumRowBytes = 1 << 20

  private typealias Cell = (text: [UInt8], isQuoted: Bool)

  private var columns: [String]
  private var separator: UInt8?
  /// The lines so far of a row with a quoted line break.
  private var unfinished: [UInt8] = []
  private var isQuoteOpen = false

  /// Makes a reader.
  ///
  /// - Parameter columns: the names of the columns; none if the first line says them.
  package init(columns: [String] = []) { self.columns = columns }

  /// A row as JSON; nil for the header, and for a line behind which its row goes on.
  ///
  /// - Throws: ``RecordedLineFault`` for a row that isn't as long as the header.
  mutating func row(_ line: UnsafeRawBufferPointer) throws(RecordedLineFault) -> [UInt8]? {
    let quotes = line.count { $0 == UInt8(ascii: "\"") }
    guard unfinished.isEmpty, quotes == 0 else {
      if quotes % 2 == 1 { isQuoteOpen.toggle() }
      unfinished.append(contentsOf: line)
      if isQuoteOpen {
        unfinished.append(UInt8(ascii: "\n"))
        guard unfinished.count > Self.maximumRowBytes else { return nil }
        unfinished = []
        isQuoteOpen = false
        throw RecordedLineFault("a quotation mark is never closed")
      }
      var whole: [UInt8] = []
      swap(&whole, &unfinished)
      let row = whole.withUnsafeBytes { cells(of: $0) }
      return try message(row)
    }
    return try message(cells(of: line))
  }

  private mutating func cells(of line: UnsafeRawBufferPointer) -> [Cell] {
    let separator = separator ?? Self.separator(of: line, columnCount: columns.count)
    self.separator = separator
    return Self.cells(of: line, separator)
  }

  private mutating func message(_ cells: [Cell]) throws(RecordedLineFault) -> [UInt8]? {
    guard !columns.isEmpty else {
      columns = cells.map { String(decoding: $0.text, as: UTF8.self) }
      return nil
    }
    guard cells.count == columns.count else {
      throw RecordedLineFault("expected \(columns.count) cells as in the header, got \(cells.count)")
    }
    var writer = JSONWriter()
    writer.beginObject()
    for (name, cell) in zip(columns, cells) {
      writer.key(name)
      if !cell.isQuoted, cell.text.isEmpty {
        writer.null()
      } else if !cell.isQuoted, Self.isScalar(cell.text) {
        cell.text.withUnsafeBytes { writer.json($0) }
      } else {
        writer.text(String(decoding: cell.text, as: UTF8.self))
      }
    }
    writer.endObject()
    return writer.bytes
  }

  private static func separator(of line: UnsafeRawBufferPointer, columnCount: Int) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let counts = candidates.map { candidate in line.count { $0 == candidate } }
    // Where the columns are known, a comma may also be the mark of decimals.
    if columnCount > 1, let fitting = Array(zip(candidates, counts)).last(where: { $0.1 == columnCount - 1 })
    {
      return fitting.0
    }
    let most = counts.max() ?? 0
    return zip(candidates, counts).first { $0.1 == most }?.0 ?? candidates[0]
  }

  private static func cells(
    of line: UnsafeRawBufferPointer, _ separator: UInt8
  ) -> [Cell] {
    let quote = UInt8(ascii: "\"")
    var cells: [Cell] = []
    var cell: Cell = ([], false)
    var isInside = false
    var position = 0
    while position < line.count {
      let byte = line[position]
      position += 1
      if isInside {
        if byte != quote {
          cell.text.append(byte)
        } else if position < line.count, line[position] == quote {
          cell.text.append(quote)
          position += 1
        } else {
          isInside = false
        }
      } else if byte == quote, cell.text.isEmpty {
        isInside = true
        cell.isQuoted = true
      } else if byte == separator {
        cells.append(cell)
        cell = ([], false)
      } else {
        cell.text.append(byte)
      }
    }
    return cells + [cell]
  }

  /// Whether a text is a number, true or false, in the form that JSON has for them (RFC 8259, sections 3 and 6).
  private static func isScalar(_ text: [UInt8]) -> Bool {
    if text == Array("true".utf8) || text == Array("false".utf8) { return true }
    return text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      return scanner.takeNumber() && scanner.isAtEnd
    }
  }
}
