import Composable
import HTTP

/// The HTTP requests of scripts on their way: so many at a time, and those to one host no closer than their scripts
/// ask for.
actor WebRequests {
  /// The most requests under way together; further ones wait.
  private static let concurrency = 16

  private struct Lane: Hashable {
    var script: String
    var host: String
  }

  private let transport: HTTPTransport
  private let strictTransport: HTTPTransport
  private var nextStarts: [Lane: ContinuousClock.Instant] = [:]
  private var runningCount = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ loop: TransferLoop) {
    transport = HTTPTransport(loop)
    var options = HTTPTransport.Options()
    options.maximumRedirects = 0
    strictTransport = HTTPTransport(loop, options: options)
  }

  /// Sends a request when its turn has come, and gives its reply.
  ///
  /// - Throws: `CancellationError`.
  func send(_ request: WebRequest, of script: String) async throws -> WebReply {
    try await wait(for: Lane(script: script, host: request.host), request.pace)
    await enter()
    defer { leave() }
    try Task.checkCancellation()
    do {
      let response = try await (request.followsRedirects ? transport : strictTransport).send(request.request)
      return WebReply(response)
    } catch let failure as TransferFailure {
      return WebReply(error: failure.description)
    }
  }

  private func wait(for lane: Lane, _ pace: Milliseconds) async throws {
    guard pace > .zero else { return }
    let now = ContinuousClock.now
    let start = max(nextStarts[lane] ?? now, now)
    if nextStarts.count > 1_000 { nextStarts = nextStarts.filter { $0.value > now } }
    nextStarts[lane] = start + .milliseconds(pace.count)
    if start > now { try await Task.sleep(until: start) }
  }

  private func enter() async {
    if runningCount < Self.concurrency {
      runningCount += 1
    } else {
      // Whoever leaves hands its place over.
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty { runningCount -= 1 } else { waiting.removeFirst().resume() }
  }
}
