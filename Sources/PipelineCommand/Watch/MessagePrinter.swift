import Glibc
import Pipeline
import Scripting
import Synchronization

/// Prints the messages of one source as they come, up to a number of them.
final class MessagePrinter: Sendable {
  private struct Progress {
    var count: Int64 = 0
    var failure: OutputFailure?
  }

  private let source: String
  private let output: Output
  private let isJSON: Bool
  private let colour: Bool
  private let limit: Int64
  private let finish: @Sendable () -> Void
  private let progress = Mutex(Progress())

  /// Makes a printer.
  ///
  /// - Parameters:
  ///   - format: nil for text on a terminal and the lines of a recording otherwise.
  ///   - limit: how many messages to print.
  ///   - finish: called when no more is wanted: the limit is reached, or nothing can be written.
  init(
    source: String, output: Output, format: ConsoleChannel.Format?, limit: Int64,
    finish: @escaping @Sendable () -> Void
  ) {
    self.source = source
    self.output = output
    self.limit = limit
    self.finish = finish
    let isTerminal = output.isTerminal
    isJSON = (format ?? (isTerminal ? .text : .json)) == .json
    colour = isTerminal && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
  }

  /// How many messages were printed.
  var count: Int64 { progress.withLock { $0.count } }

  /// Why nothing more could be written.
  var failure: OutputFailure? { progress.withLock { $0.failure } }

  /// Prints the messages of a batch.
  func print(_ batch: MessageBatch) {
    _ = batch.decode()
    progress.withLock { progress in
      for index in 0..<batch.count {
        guard progress.count < limit, progress.failure == nil else { return }
        do throws(OutputFailure) {
          try output.write(bytes(of: batch, at: index))
          progress.count += 1
        } catch {
          progress.failure = error
        }
        if progress.count == limit || progress.failure != nil { finish() }
      }
    }
  }

  private func bytes(of batch: MessageBatch, at index: Int) -> [UInt8] {
    let time = Timestamp(milliseconds: batch.received(at: index))
    let message = batch.bytes(at: index)
    let fault = batch.fault(at: index)
    let topic = batch.topic(at: index)
    if isJSON {
      return RecordedLine.bytes(
        time: time, source: source, topic: topic, message: message, isJSON: fault == nil)
    }
    var title = "\(time.rfc3339())  \(source.printable)  \(counted(message.count, "byte"))"
    if !topic.isEmpty { title += ", topic \(topic.printable)" }
    if let fault { title += ", not JSON: \(fault.reason.printable)" }
    if colour { title = "\u{1b}[2m\(title)\u{1b}[0m" }
    let body =
      fault == nil ? JSONLayout.lines(message) : String(decoding: message, as: UTF8.self).printable
    return Array("\(title)\n\(body)\n".utf8)
  }
}
