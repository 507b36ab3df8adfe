import Pipeline
import Scripting
import Synchronization

/// One recording: what sources send, line by line into a file.
final class Recorder: Sendable {
  private struct Progress {
    var messageCount = 0
    var failure: FileError?
  }

  private let names: [String]
  private let path: String
  /// Written by the engine's thread alone while the recording runs.
  private let writer: Mutex<RecordingWriter>
  private let progress = Mutex(Progress())
  private let failed: @Sendable (FileError) -> Void

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - names: the sources in the order of their numbers.
  ///   - failed: is called when the file can't be written any more; nothing is recorded from then on.
  /// - Throws: `FileError` for a file that can't be written, ``UsageError`` for a size that is none.
  init(
    to path: String, _ arguments: Arguments, names: [String],
    failed: @escaping @Sendable (FileError) -> Void
  ) throws {
    self.path = path
    self.names = names
    self.failed = failed
    writer = Mutex(
      try RecordingWriter(
        path: path, maximumBytes: try Self.maximumBytes(arguments),
        isCompressed: arguments.has("gzip") || path.hasSuffix(".gz")))
  }

  /// Connects to sources and records what they send until the time is over, they end, or a signal comes.
  ///
  /// - Throws: ``UsageError`` for arguments that don't fit, `FileError` for a file that can't be written,
  ///   `StartError` when the sources can't be started.
  static func run(
    _ configuration: Configuration, _ arguments: Arguments, _ console: Console
  ) async throws -> ExitCode {
    guard let path = arguments.text("output") else { throw UsageError("name the file with --output FILE") }
    let known = configuration.sources.keys.sorted()
    var names = known
    if arguments.operands.count > 1 { names = Array(arguments.operands.dropFirst()) }
    for name in names where !known.contains(name) { throw UsageError.unknownSource(name, among: known) }
    let watch = SourceWatch(names, of: configuration)
    let stop = watch.stop
    let recorder = try Recorder(to: path, arguments, names: watch.names, failed: { _ in stop() })
    return try await watch.run(
      arguments, console, observer: { recorder.write($0) }, finish: { try recorder.finish($0) })
  }

  private static func maximumBytes(_ arguments: Arguments) throws(UsageError) -> Int64? {
    guard let text = arguments.text("max-size") else { return nil }
    guard let size = SizeText.read(text), size >= 1_024 else {
      throw UsageError(
        "--max-size: expected a size such as 100MB, at least 1KiB, got '\(UsageError.shown(text))'")
    }
    return size
  }

  /// Records what happened, on the engine's thread.
  func write(_ observation: SourceObservation) {
    guard progress.withLock({ $0.failure == nil }) else { return }
    var lines: [UInt8] = []
    var count = 0
    switch observation {
    case .happening(let happening): lines = RecordedLine.bytes(happening, sources: names)
    case .messages(let batch, let source):
      _ = batch.decode()
      count = (0..<batch.count).count { isRecorded(batch, $0) }
      for index in 0..<batch.count {
        guard isRecorded(batch, index) else { continue }
        lines += RecordedLine.bytes(
          time: Timestamp(milliseconds: batch.received(at: index)), source: names[source],
          topic: batch.topic(at: index), message: batch.bytes(at: index),
          isJSON: batch.fault(at: index) == nil)
      }
    }
    do throws(FileError) {
      try writer.withLock { writer throws(FileError) in try writer.write(lines, at: .systemClock()) }
      progress.withLock { $0.messageCount += count }
    } catch {
      progress.withLock { $0.failure = error }
      failed(error)
    }
  }

  /// Whether a message is the feed's: also one that was there before, but not what a session answers.
  private func isRecorded(_ batch: MessageBatch, _ index: Int) -> Bool {
    !batch.isSkipped(at: index) || batch.isRepeated(at: index)
  }

  /// Brings the rest to the disk, and logs how much there is.
  ///
  /// - Throws: `FileError` for whatever could not be written.
  func finish(_ logger: Logger) throws(FileError) {
    if let failure = progress.withLock({ $0.failure }) { throw failure }
    try writer.withLock { writer throws(FileError) in try writer.finish() }
    let count = progress.withLock { $0.messageCount }
    logger.write(.info, "record", "\(counted(count, "message")) in \(path)")
  }
}
