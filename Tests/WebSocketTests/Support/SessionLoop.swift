import Glibc

@testable import WebSocket

/// Drives many sessions on the calling thread, as an event loop does.
enum SessionLoop {
  /// Works until something is true of each session or it has ended; fails after 60 s.
  static func run(_ sessions: [Session], until isDone: (RecordingSink) -> Bool) throws {
    let limit = monotonicNanoseconds() + 60_000_000_000
    var waiting = sessions
    while !waiting.isEmpty {
      waiting.removeAll { $0.step() == .finished || isDone($0.sink) }
      let now = monotonicNanoseconds()
      guard now < limit else { throw Session.TimedOut() }
      let due = waiting.compactMap { $0.connection.nextDeadline }.min() ?? limit
      var polls = waiting.map { pollfd(fd: $0.connection.fileDescriptor, events: Int16(POLLIN), revents: 0) }
      let span = due > now ? min((due - now + 999_999) / 1_000_000, 1000) : 0
      poll(&polls, nfds_t(polls.count), Int32(span))
    }
  }
}
