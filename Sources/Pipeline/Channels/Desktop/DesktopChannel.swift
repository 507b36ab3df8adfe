import Threads

/// Shows alerts on the desktop through `notify-send`, which has to be installed.
struct DesktopChannel: Channel {
  let name: String
  private let command: String
  private let timeout: Milliseconds
  private let thread: WorkThread

  /// Throws a ``ChannelError`` if the process can have no more threads.
  init(name: String, command: String, timeout: Milliseconds) throws(ChannelError) {
    self.name = name
    self.command = command
    self.timeout = timeout
    thread = try WorkThread(forChannel: name)
  }

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    let arguments = [command] + Self.arguments(alert)
    let timeout = timeout
    return await thread.run { Self.run(arguments, timeout: timeout) }
      ?? .failed(reason: "the channel is closed")
  }

  func close() async { thread.close() }

  /// What stands behind the command: texts come after `--`, so that none is taken for an option.
  static func arguments(_ alert: Alert) -> [String] {
    let message = ChatMessage(alert)
    let urgency =
      switch (alert.kind, alert.severity) {
      case (.resolved, _), (_, .info): "low"
      case (_, .warning): "normal"
      case (_, .critical): "critical"
      }
    // The body may hold a little markup (Desktop Notifications Specification); the summary is plain.
    let body = message.text.map(\.withoutMarkup).joined()
    return ["--app-name=pipeline", "--urgency=\(urgency)", "--", message.heading, body]
  }

  private static func run(_ arguments: [String], timeout: Milliseconds) -> DeliveryOutcome {
    do throws(SystemFailure) {
      let ending = try ProgramRun.run(arguments, timeout: .milliseconds(timeout.count))
      let said = ending.errors.isEmpty ? "" : ": \(String(ending.errors.prefix(200)).printable)"
      switch ending.status {
      case 0: return .delivered
      case nil: return .retry(after: nil, reason: "\(arguments[0]) took longer than \(timeout)")
      // Without a session there is nobody to show it to; another attempt changes nothing.
      case let status?: return .failed(reason: "\(arguments[0]) ended with \(status)\(said)")
      }
    } catch {
      return .failed(reason: "can't start \(arguments[0]): \(error.description); install libnotify-bin")
    }
  }
}
