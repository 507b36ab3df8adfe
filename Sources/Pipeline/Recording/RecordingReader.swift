package import Scripting

/// Reads files of recorded messages as one, in the order of their times; at equal times in the order of the files.
package final class RecordingReader {
  /// A piece of a recording.
  package enum Piece {
    /// Messages of one source, valid until the next piece is taken.
    case messages(MessageBatch, source: Int)
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
  private let begin: Timestamp?
  private let end: Timestamp?
  private let fault: FaultSink
  private let batch = MessageBatch()
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
  package init(
    _ cursors: [RecordingCursor], from begin: Timestamp? = nil, to end: Timestamp? = nil,
    isSingle: Bool = false, fault: @escaping FaultSink
  ) {
    self.cursors = cursors
    self.begin = begin
    self.end = end
    self.isSingle = isSingle
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
    return earliest.flatMap { cursors[$0].entry }.map { Timestamp(milliseconds: $0.time) }
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
      batch.removeAll()
      isTaken = false
    }
    if let failure { throw failure }
    do throws(FileError) {
      _ = try start()
      while let index = earliest {
        if let happening = cursors[index].happening {
          if batch.count > 0 { return takeBatch() }
          try advance(index)
          return .happening(happening)
        }
        if try gather(from: index) { return takeBatch() }
      }
    } catch {
      failure = error
      guard batch.count > 0 else { throw error }
    }
    return batch.count > 0 ? takeBatch() : nil
  }

  /// Gathers messages of one file up to what happened beside them, or to where another file comes first; true where
  /// the batch can't take the next one.
  private func gather(from index: Int) throws(FileError) -> Bool {
    let cursor = cursors[index]
    let (fault, last, end) = (fault, lastTime(of: index), end)
    let lastRead = end.map { min(last, max($0.milliseconds, .min + 1) - 1) } ?? last
    while let entry = cursor.entry, entry.time <= last, let message = entry.message {
      if isSingle || entry.source != source || batch.byteCount + message.count > Self.batchBytes {
        if batch.count > 0 { return true }
        source = entry.source
      }
      messageCount += 1
      batch.append(
        message, time: entry.time, received: entry.time, epoch: 1, replayed: false, isText: false)
      if !entry.topic.isEmpty { batch.setTopic(entry.topic) }
      if !isSingle { messageCount += cursor.gather(into: batch, through: lastRead, room: Self.batchBytes) }
      try cursor.advance { fault(index, $0, $1) }
      if let end, let time = cursor.entry?.time, time >= end.milliseconds { cursor.finish() }
    }
    return false
  }

  /// The last time at which the entries of a file come before those of all others; at equal times the earlier file
  /// comes first.
  private func lastTime(of index: Int) -> Int64 {
    var last = Int64.max
    for (other, cursor) in cursors.enumerated() where other != index {
      // A file that is not the first of all has an earlier entry than those before it, so there is a time before.
      if let time = cursor.entry?.time { last = min(last, other < index ? time - 1 : time) }
    }
    return last
  }

  private func takeBatch() -> Piece {
    isTaken = true
    return .messages(batch, source: source)
  }

  /// The place of the file with the earliest entry.
  private var earliest: Int? {
    if cursors.count == 1 { return cursors[0].entry == nil ? nil : 0 }
    var earliest: (time: Int64, index: Int)?
    for (index, cursor) in cursors.enumerated() {
      guard let time = cursor.entry?.time else { continue }
      if earliest.map({ time < $0.time }) ?? true { earliest = (time, index) }
    }
    return earliest?.index
  }

  private func advance(_ index: Int) throws(FileError) {
    let cursor = cursors[index]
    try cursor.advance { line, fault in self.fault(index, line, fault) }
    if let end, let time = cursor.entry?.time, time >= end.milliseconds { cursor.finish() }
  }
}
