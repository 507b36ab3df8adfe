import Composable
import Synchronization

/// A dead man's switch: asks for a URL while all is well, so that somebody else notices when that stops.
///
/// It takes no alerts from routes; a drill is one beat.
final class HeartbeatChannel: Channel {
  private struct State {
    var isUnderWay = false
    /// What was last said in the log; nil while the beats arrive.
    var trouble: String?
  }

  let name: String
  /// The time between two beats.
  let interval: Milliseconds
  private let receiver: HTTPReceiver
  private let request: HTTPClient.Request
  private let log: LogSink
  private let state = Mutex(State())

  init(
    name: String, interval: Milliseconds, receiver: HTTPReceiver, request: HTTPClient.Request,
    log: @escaping LogSink
  ) {
    self.name = name
    self.interval = interval
    self.receiver = receiver
    self.request = request
    self.log = log
  }

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome { await receiver.deliver(request) }

  /// Beats, unless a beat is still under way or something is wrong with the host; says in the log what changed.
  ///
  /// - Parameter trouble: what is wrong with the host, nil if all is well.
  func beat(trouble: String?) {
    if let trouble { return note("no heartbeat: \(trouble)") }
    let mayBegin = state.withLock { state in
      defer { state.isUnderWay = true }
      return !state.isUnderWay
    }
    guard mayBegin else { return }
    Task {
      let outcome = await receiver.deliver(request)
      state.withLock { $0.isUnderWay = false }
      switch outcome {
      case .delivered: note(nil)
      case .retry(_, let reason), .failed(let reason): note("the heartbeat fails: \(reason)")
      }
    }
  }

  private func note(_ trouble: String?) {
    let isNew = state.withLock { state in
      defer { state.trouble = trouble }
      return state.trouble != trouble
    }
    guard isNew else { return }
    if let trouble { log(.warn, name, trouble) } else { log(.info, name, "the heartbeat arrives again") }
  }
}
