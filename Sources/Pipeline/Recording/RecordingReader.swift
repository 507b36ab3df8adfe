package import Scripting

/// Reads files of recorded messages as one, in the order of their times; at equal times in the order of the files.
package final class RecordingReader {
  /// A piece of a recording.
  package enum Piece {
    /// Messages of one source, valid until the next piece is taken.
    case messages(MessageBatch, source: Int)
    /// Messages of any sources, valid until the next piece is taken.
    case merged(MergedMessages)
    /// Something that happened beside messages.
    case happening(RecordedHappening)
  }

  /// Is told of lines that are skipped: the place of the file, and the line's number among those that aren't blank.
  package typealias FaultSink = (_ file: Int, _ line: Int, RecordedLineFault) -> Void

  /// The most bytes of a batch, unless a single message is larger.
  package static let batchBytes = 256 << 10

  /// The files in order.
  package let cursors: [RecordingCursor]
  /// Whether each message is a piece of its own, for who waits between them.
  private let isSingle: Bool
  /// Whether a piece may hold messages of several sources.
  private let merges: Bool
  private let begin: Timestamp?
  /// The last time that is read.
  private let lastTime: Int64
  private let fault: FaultSink
  /// The time of what each file gives next, the last of all times at its end.
  @exclusivity(unchecked) private var heads: [Int64]
  @exclusivity(unchecked) private var messages = MergedMessages()
  @exclusivity(unchecked) private var source = 0
  private var isTaken = false
  private var isBegun = false
  private var failure: FileError?
  /// Messages handed on.
  @exclusivity(unchecked) package private(set) var messageCount = 0

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - begin: what is before it is passed over.
  ///   - end: what is at it, or behind it, isn't read any more.
  ///   - isSingle: whether each message is a piece of its own, for who waits between them.
  ///   - merges: whether a piece may hold messages of several sources; they come one after the other otherwise.
  package init(
    _ cursors: [RecordingCursor], from begin: Timestamp? = nil, to end: Timestamp? = nil,
    isSingle: Bool = false, merges: Bool = false, fault: @escaping FaultSink
  ) {
    self.cursors = cursors
    self.begin = begin
    lastTime = end.map { max($0.milliseconds, .min + 1) - 1 } ?? .max
    heads = Array(repeating: .max, count: cursors.count)
    self.isSingle = isSingle
    self.merges = merges && !isSingle
    self.fault = fault
  }

  /// Looks at the first entry of each file and returns the earliest time; nil where there is nothing to read.
  ///
  /// - Throws: ``FileError`` when a file can't be read.
  package func start() throws(FileError) -> Timestamp? {
    if !isBegun {
      isBegun = true
      for index in cursors.indices {
        try advance(index)
        try skip(index)
      }
    }
    return earliest.flatMap { cursors[$0.index].entry }.map { Timestamp(milliseconds: $0.time) }
  }

  /// Takes the messages of histories that the files begin with, whatever their times, and the ends of runs that these
  /// led to.
  ///
  /// - Throws: ``FileError`` when a file can't be read.
  package func takeHistory() throws(FileError) -> (messages: [RecordedHistory], kills: [RecordedKill]) {
    precondition(!isBegun, "what a recording begins with has to be taken before anything else")
    isBegun = true
    var (messages, kills): ([RecordedHistory], [RecordedKill]) = ([], [])
    for index in cursors.indices {
      try advance(index)
      beginning: while true {
        switch cursors[index].happening {
        case .history(let message): messages.append(message)
        case .kill(let kill) where kill.source.isEmpty: kills.append(kill)
        default: break beginning
        }
        try advance(index)
      }
      try skip(index)
    }
    return (messages, kills)
  }

  /// Passes over what is too early.
  private func skip(_ index: Int) throws(FileError) {
    while let time = cursors[index].entry?.time, time < begin?.milliseconds ?? .min { try advance(index) }
  }

  /// The next piece; nil at the end.
  ///
  /// - Throws: ``FileError`` when reading fails on the way; what came before has been handed on.
  package func next() throws(FileError) -> Piece? {
    if isTaken {
      messages.removeAll()
      isTaken = false
    }
    if let failure { throw failure }
    do throws(FileError) {
      _ = try start()
      while let (index, last) = earliest {
        switch try gather(from: index, through: last) {
        case .another: continue
        case .full: return takeMessages()
        case .happening(let happening):
          if messages.count > 0 { return takeMessages() }
          try advance(index)
          return .happening(happening)
        }
      }
    } catch {
      failure = error
      guard messages.count > 0 else { throw error }
    }
    return messages.count > 0 ? takeMessages() : nil
  }

  /// What ends the messages that are gathered from one file.
  private enum Ending {
    /// Another file comes first.
    case another
    /// The piece can't take the next one.
    case full
    /// Something that happened beside messages, which isn't taken yet.
    case happening(RecordedHappening)
  }

  /// Gathers messages of one file up to a time.
  private func gather(from index: Int, through last: Int64) throws(FileError) -> Ending {
    let cursor = cursors[index]
    defer { heads[index] = cursor.entry?.time ?? .max }
    let lastRead = min(last, lastTime)
    while let entry = cursor.entry, entry.time <= last {
      guard let message = entry.message else {
        guard let happening = cursor.happening else {
          preconditionFailure("an entry without a message has to tell what happened")
        }
        return .happening(happening)
      }
      let isFull = isSingle || messages.byteCount + message.count > Self.batchBytes
      if messages.count > 0, isFull || (!merges && entry.source != source) { return .full }
      source = entry.source
      messageCount += 1
      messages.append(message, entry)
      if !isSingle, cursor.mayGather(through: lastRead) {
        messageCount += messages.fill(room: Self.batchBytes) {
          cursor.gather(into: $0, through: lastRead, room: $1)
        }
      }
      try cursor.advance { fault(index, $0, $1) }
      if let time = cursor.entry?.time, time > lastTime { cursor.finish() }
    }
    return .another
  }

  private func takeMessages() -> Piece {
    isTaken = true
    messages.finish()
    return merges ? .merged(messages) : .messages(messages.batch(of: source), source: source)
  }

  /// Hands out the messages of the last piece for good, and goes on with others in their place.
  package func exchange(_ next: MergedMessages) -> MergedMessages {
    precondition(isTaken, "messages are handed out once")
    next.removeAll()
    isTaken = false
    defer { messages = next }
    return messages
  }

  /// The file with the earliest entry, and the last time at which its entries come before those of all others; at equal
  /// times the earlier file comes first.
  private var earliest: (index: Int, last: Int64)? {
    var (index, time, last) = (0, heads.first ?? .max, Int64.max)
    for other in heads.indices.dropFirst() {
      let head = heads[other]
      if head < time {
        last = time == .max ? .max : time - 1
        (index, time) = (other, head)
      } else {
        last = min(last, head)
      }
    }
    guard time == .max else { return (index, last) }
    // It may be that of an entry.
    return cursors.firstIndex { $0.entry != nil }.map { ($0, .max) }
  }

  private func advance(_ index: Int) throws(FileError) {
    let cursor = cursors[index]
    try cursor.advance { line, fault in self.fault(index, line, fault) }
    if let time = cursor.entry?.time, time > lastTime { cursor.finish() }
    heads[index] = cursor.entry?.time ?? .max
  }
}
