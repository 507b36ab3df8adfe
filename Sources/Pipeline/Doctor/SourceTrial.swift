import Scripting
import Synchronization

/// One connection of one source, as a host would make it, until the first message or an end.
final class SourceTrial: Sendable {
  /// What happened, each with its time from the start.
  struct Outcome: Sendable {
    var connected: Milliseconds?
    var firstMessage: Milliseconds?
    /// The size of the first message, its topic, and why it can't be decoded.
    var message: (bytes: Int, topic: String, fault: String?)?
    var isStale = false
    /// The end, with the code of a close frame or a status, if there was one before a message.
    var end: (code: Int, reason: String)?
    /// What the source complained about besides.
    var notices: [String] = []
    /// Why it could not be tried at all.
    var startFailure: String?
  }

  private struct Progress {
    var outcome = Outcome()
    var isOver = false
  }

  private let progress = Mutex(Progress())
  private let begin = ContinuousClock.now
  private let stopper: AsyncStream<Void>.Continuation
  private let stopRequests: AsyncStream<Void>

  init() { (stopRequests, stopper) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Tries the one source of a configuration, no longer than a time.
  func run(_ configuration: Configuration, registry: Registry, limit: Milliseconds) async -> Outcome {
    let (assembly, findings) = Assembly.assemble(configuration, registry: registry)
    guard let assembly else {
      progress.withLock { $0.outcome.startFailure = findings.sorted.first?.description }
      return progress.withLock { $0.outcome }
    }
    let options = LiveOptions(duration: limit, keepsState: false, observer: { [self] in observe($0) })
    do {
      let outcome = try await LiveHost.run(
        assembly, options: options, registry: registry, stopRequests: stopRequests,
        log: { [self] level, _, text in note(level, text) })
      _ = outcome
    } catch {
      progress.withLock { $0.outcome.startFailure = "\(error)" }
    }
    return progress.withLock { $0.outcome }
  }

  private func observe(_ observation: SourceObservation) {
    let passed = (ContinuousClock.now - begin) / .milliseconds(1)
    let time = Milliseconds(Int64(passed))
    let isOver = progress.withLock { progress in
      guard !progress.isOver else { return false }
      switch observation {
      case .messages(let batch, _):
        _ = batch.decode()
        progress.outcome.firstMessage = time
        progress.outcome.message = (
          bytes: batch.bytes(at: 0).count, topic: batch.topic(at: 0), fault: batch.fault(at: 0)?.reason
        )
        progress.isOver = true
      case .happening(.event(let event)):
        switch event.event {
        case .connecting: break
        case .connected: progress.outcome.connected = time
        case .stale: progress.outcome.isStale = true
        case .disconnected(let code, let reason):
          // The end of the trial itself is none of the source.
          guard reason != "the program ends" else { return false }
          progress.outcome.end = (code, reason)
          progress.isOver = true
        }
      case .happening: break
      }
      return progress.isOver
    }
    if isOver { stopper.yield() }
  }

  private func note(_ level: LogLevel, _ text: String) {
    guard level >= .warn else { return }
    progress.withLock { progress in
      guard progress.outcome.notices.count < 5 else { return }
      progress.outcome.notices.append(text)
    }
  }
}
