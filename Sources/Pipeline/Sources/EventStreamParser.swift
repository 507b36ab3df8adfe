import Glibc

/// Takes a stream of server-sent events apart, however it is cut into reads (HTML standard, section 9.2.6).
///
/// Lines end with LF, CR or CR LF; one byte order mark at the start is passed over; an event that the end of the
/// stream cuts off is dropped, as the standard wants it. It keeps one event at most, within a bound.
package struct EventStreamParser: Sendable {
  /// What the stream says; bytes are valid until the call they were handed to returns.
  package enum Item {
    /// An event with its name, `message` where it has none; its data may be empty.
    case event(name: String, data: UnsafeRawBufferPointer)
    /// The time after which a lost stream is asked for again.
    case retry(Milliseconds)
    /// An event beyond the bound, which is passed over; how many bytes of it came.
    case tooLong(bytes: Int)
    /// An id that is no position: it is longer than ``maximumIDBytes``.
    case longID(bytes: Int)
  }

  /// The most bytes of an id: it is stored, and sent as a header.
  package static let maximumIDBytes = 4_096

  /// The most bytes of an event's data.
  package let maximumBytes: Int
  /// The id behind the last event that was complete; empty before there is one.
  package private(set) var lastEventID: String
  private var pendingID: String
  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false
  /// The bytes of an event that is being passed over; nil while none is.
  private var skippedBytes: Int?
  private var isAtStart = true
  private var skipsLineFeed = false

  /// Makes a parser at the start of a stream.
  ///
  /// - Parameter lastEventID: the id that was asked for, which stands until the stream gives another.
  package init(maximumBytes: Int, lastEventID: String = "") {
    self.maximumBytes = maximumBytes
    self.lastEventID = lastEventID
    pendingID = lastEventID
  }

  /// Hands on what the bytes complete.
  package mutating func parse(_ bytes: UnsafeRawBufferPointer, _ body: (Item) -> Void) {
    var rest = bytes[...]
    if skipsLineFeed, let first = rest.first {
      skipsLineFeed = false
      if first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
    }
    while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      keep(rest[..<end])
      let isReturn = rest[end] == UInt8(ascii: "\r")
      rest = rest[(end + 1)...]
      if isReturn {
        if rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() } else { skipsLineFeed = rest.isEmpty }
      }
      endLine(body)
    }
    keep(rest)
  }

  /// Room for the name of a field and the colon beside what a field may hold.
  private var maximumLineBytes: Int { maximumBytes + 64 }

  private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    if let skipped = skippedBytes {
      skippedBytes = skipped + bytes.count
      // Only whether the line is empty counts, since an empty one ends the event.
      if line.isEmpty, let first = bytes.first { line = [first] }
    } else if line.count + bytes.count > maximumLineBytes {
      skip(bytes.count)
    } else {
      line.append(contentsOf: bytes)
    }
  }

  private mutating func skip(_ count: Int) {
    skippedBytes = data.count + line.count + count
    data.removeAll(keepingCapacity: true)
    if line.isEmpty { line = [0] } else { line.removeSubrange(1...) }
  }

  private mutating func endLine(_ body: (Item) -> Void) {
    if isAtStart {
      isAtStart = false
      if line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    }
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return dispatch(body) }
    guard skippedBytes == nil else { return }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
    // A line that begins with a colon is a comment.
    guard colon > 0 else { return }
    var start = min(colon + 1, line.count)
    if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
    let value = line[start...]
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "data":
      guard data.count + value.count <= maximumBytes else { return skip(0) }
      data.append(contentsOf: value)
      data.append(UInt8(ascii: "\n"))
      hasData = true
    case "event":
      name = String(decoding: value, as: UTF8.self)
    case "id" where value.count > Self.maximumIDBytes:
      body(.longID(bytes: value.count))
    case "id" where !value.contains(0):
      pendingID = String(decoding: value, as: UTF8.self)
    case "retry" where !value.isEmpty && value.allSatisfy({ (0x30...0x39).contains($0) }):
      body(.retry(Milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? .max)))
    default: break
    }
  }

  private mutating func dispatch(_ body: (Item) -> Void) {
    lastEventID = pendingID
    if let skipped = skippedBytes {
      body(.tooLong(bytes: skipped))
    } else if hasData {
      data.removeLast()
      let name = name.isEmpty ? "message" : name
      data.withUnsafeBytes { body(.event(name: name, data: $0)) }
    }
    skippedBytes = nil
    hasData = false
    name = ""
    data.removeAll(keepingCapacity: true)
  }
}
