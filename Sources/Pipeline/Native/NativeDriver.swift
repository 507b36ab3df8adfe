import Threads

/// Drives a ``NativeSource``: a task for each connection, whose messages come through a queue.
final class NativeDriver: SourceDriver {
  private let source: any NativeSource
  private var queue: NativeQueue?
  private var task: Task<Void, Never>?
  private var failure: String?
  private var isReported = false

  init(_ source: any NativeSource) { self.source = source }

  deinit { close(code: 1000, reason: "") }

  var descriptor: Int32? { queue?.descriptor }

  var nextDeadline: UInt64? { failure != nil || (queue != nil && !isReported) ? 0 : nil }

  func connect(_ connection: Int, position: String?) {
    close(code: 1000, reason: "")
    isReported = false
    let queue: NativeQueue
    do throws(SystemFailure) {
      queue = try NativeQueue()
    } catch {
      failure = "can't make its queue: \(error.description)"
      return
    }
    self.queue = queue
    task = Task.detached { [source] in
      do {
        try await source.run(sending: MessageSender(queue: queue), after: position)
        queue.finish(nil)
      } catch {
        queue.finish("\(error)")
      }
    }
  }

  func sendOpening() {}

  func close(code: UInt16, reason: String) {
    task?.cancel()
    queue?.close()
    task = nil
    queue = nil
    failure = nil
  }

  func process(now: UInt64, into output: inout SourceOutput) {
    if let failure {
      output.events.append(.closed(SourceMachine.End(reason: failure)))
      close(code: 1000, reason: "")
      return
    }
    guard let queue else { return }
    if !isReported {
      isReported = true
      output.events.append(.opened)
    }
    let contents = queue.take()
    var start = 0
    contents.bytes.withUnsafeBytes { bytes in
      for end in contents.ends {
        output.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
    }
    output.position = contents.position
    guard let end = contents.end else { return }
    output.events.append(end.map { .closed(SourceMachine.End(reason: $0)) } ?? .ended)
    close(code: 1000, reason: "")
  }
}

/// A native source as a configuration uses it.
struct NativeSourceSettings: SourceSettings {
  let source: any NativeSource

  var machine: SourceMachine.Settings {
    SourceMachine.Settings(
      connectTimeout: nil, staleAfter: source.staleAfter, afterLoss: .reconnect(ReconnectPolicy()))
  }

  var resumes: Bool { true }

  func makeDriver() -> any SourceDriver { NativeDriver(source) }
}
