import WebSocket

/// Drives `source.simulated`: messages when they are due.
final class SimulatedDriver: SourceDriver {
  private let settings: SimulatedSettings
  private var feed: SimulatedFeed?
  private var isReported = false
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: SimulatedFeed.maximumMessageBytes, alignment: 8)
  /// The most messages of one call.
  private static let limit = 1_024

  init(_ settings: SimulatedSettings) { self.settings = settings }

  deinit { buffer.deallocate() }

  let descriptor: Int32? = nil

  var nextDeadline: UInt64? {
    guard let feed else { return nil }
    guard isReported, let due = feed.nextDue else { return 0 }
    let wait = (due - .systemClock()).count
    return wait > 0 ? monotonicNanoseconds() + UInt64(wait) * 1_000_000 : 0
  }

  func connect(_ connection: Int, position: String?) {
    feed = SimulatedFeed(settings, startingAt: .systemClock())
    isReported = false
  }

  func sendOpening() {}

  func close(code: UInt16, reason: String) { feed = nil }

  func process(now: UInt64, into output: inout SourceOutput) {
    guard feed != nil else { return }
    if !isReported {
      isReported = true
      output.events.append(.opened)
    }
    var count = 0
    while count < Self.limit, let due = feed?.nextDue, due <= output.time,
      let length = feed?.write(into: buffer)
    {
      output.add(UnsafeRawBufferPointer(rebasing: buffer[..<length]))
      count += 1
    }
    if feed?.nextDue == nil {
      output.events.append(.ended)
      feed = nil
    }
  }
}
