import Pipeline
import Scripting

/// Reads the files of a replay once for several engines, some pieces ahead of what these play.
///
/// Whoever has nothing to play takes the next piece from it and decodes that, so that reading and decoding go to the
/// cores that are free.
actor ReplayFeed {
  /// What one place of the files holds, for all engines to read.
  ///
  /// Messages are changed only by who took the piece from the feed, before the round is handed to the engines; from then
  /// on all of them only read it, until the feed has it back.
  enum Piece: Sendable {
    case messages(MergedMessages)
    case happening(RecordedHappening)
  }

  /// Pieces that are played between two meetings of all engines.
  struct Round: Sendable {
    fileprivate(set) var pieces: [Piece] = []
    /// Whether the files are at their end.
    fileprivate(set) var isOver = false
    fileprivate(set) var failure: FileError?
    fileprivate(set) var progress: ReplayProgress
  }

  /// So many bytes of messages, or pieces, that meeting costs nothing, and so few that they, and what happens in them,
  /// need no room.
  private static let roundBytes = 8 * RecordingReader.batchBytes
  private static let maximumPieces = 256
  /// How many pieces' memory is kept.
  private static let spareCount = 16

  private let reader: RecordingReader
  /// By the number of the source: whether its messages are handed to scripts as the JSON that they are.
  private let isDecoded: [Bool]
  private var round: Round
  private var byteCount = 0
  private var spare: [MergedMessages] = []
  /// When the files begin, nil where there is nothing to read.
  nonisolated let start: Timestamp?
  /// Where the clock begins.
  nonisolated let beginning: Timestamp

  /// Looks at the beginning of the files.
  ///
  /// - Parameter isDecoded: by the number of the source, whether its messages are handed on as the JSON that they are.
  /// - Throws: ``UsageError`` or `FileError`, as when the files were looked at before.
  init(_ plan: ReplayPlan, isDecoded: [Bool], logger: Logger) throws {
    reader = try plan.open { file, line, fault in
      logger.write(.warn, plan.files[file].path, "line \(line) is skipped: \(fault)")
    }
    // No script of a shared replay begins with one, and ends of runs in files are known beforehand.
    _ = try reader.takeHistory()
    start = try reader.start()
    beginning = start ?? plan.from ?? RecordingForm.firstTime
    self.isDecoded = isDecoded
    round = Round(progress: ReplayProgress(reader, time: beginning))
  }

  /// Reads and decodes pieces of the next round until there are enough, beside others who do.
  nonisolated func work() async {
    while let piece = await read() {
      guard case .messages(let messages) = piece else { continue }
      for source in messages.sources where isDecoded[source] { _ = messages.batch(of: source).decode() }
    }
  }

  private func read() -> Piece? {
    guard !round.isOver, byteCount < Self.roundBytes, round.pieces.count < Self.maximumPieces else {
      return nil
    }
    do throws(FileError) {
      guard let next = try reader.next() else {
        round.isOver = true
        return nil
      }
      let piece: Piece
      switch next {
      case .happening(let happening): piece = .happening(happening)
      case .messages, .merged:
        let messages = reader.exchange(spare.popLast() ?? MergedMessages())
        byteCount += messages.byteCount
        piece = .messages(messages)
      }
      round.pieces.append(piece)
      return piece
    } catch {
      round.failure = error
      round.isOver = true
      return nil
    }
  }

  /// Hands over what was read, and takes back what was played.
  func exchange(_ played: Round?) -> Round {
    for piece in played?.pieces ?? [] where spare.count < Self.spareCount {
      guard case .messages(let messages) = piece else { continue }
      messages.removeAll()
      spare.append(messages)
    }
    var full = round
    full.progress = ReplayProgress(reader, time: beginning)
    round = Round(progress: full.progress)
    round.isOver = full.isOver
    byteCount = 0
    return full
  }
}
