import Glibc
import Synchronization

/// Writes the log to standard error; may be called from any thread.
package final class Logger: Sendable {
  /// What a program does that logs.
  package enum Use: Sendable {
    /// It follows feeds: floods are held back, and a reader of standard error who has stopped reading never
    /// stops the program; lines are dropped and counted instead.
    case live
    /// It does one thing and ends: every line is written, however long that takes, and without a time.
    case batch
  }

  private struct State {
    var throttle = LogThrottle()
    var dropped = 0
  }

  /// The least level that is written.
  package let level: LogLevel
  private let use: Use
  private let style: LogLine.Style
  private let descriptor: Int32
  private let now: @Sendable () -> Timestamp
  private let state = Mutex(State())

  /// Makes a logger.
  ///
  /// - Parameters:
  ///   - descriptor: where lines go; it stays the caller's.
  ///   - now: the time of lines and windows.
  package init(
    level: LogLevel, use: Use, descriptor: Int32 = STDERR_FILENO,
    now: @escaping @Sendable () -> Timestamp = Timestamp.systemClock
  ) {
    self.level = level
    self.use = use
    self.descriptor = descriptor
    self.now = now
    style = LogLine.isJournal(descriptor) ? .journal : use == .live ? .timed : .untimed
  }

  /// Writes a line, if its level is to be written and it is no part of a flood.
  package func write(_ level: LogLevel, _ origin: String, _ text: String) {
    guard level >= self.level else { return }
    let time = now()
    state.withLock { state in
      if use == .live {
        tell(state.throttle.close(at: time), at: time, &state)
        guard state.throttle.admits(origin: origin, at: time) else { return }
      }
      put(LogLine.bytes(level, origin, text, time: time, style: style), at: time, &state)
    }
  }

  /// Tells what was held back in windows that are over; to be called now and then while nothing is logged.
  package func settle() {
    let time = now()
    state.withLock { state in tell(state.throttle.close(at: time), at: time, &state) }
  }

  /// Tells everything that was held back, at the end of the program.
  package func finish() {
    let time = now()
    state.withLock { state in tell(state.throttle.closeAll(), at: time, &state) }
  }

  private func tell(_ held: [LogThrottle.Held], at time: Timestamp, _ state: inout State) {
    for held in held {
      let lines = held.lines == 1 ? "1 more line was" : "\(held.lines) more lines were"
      let text =
        "\(lines) left out, since at most \(state.throttle.limit) are written in \(state.throttle.span)"
      put(LogLine.bytes(.warn, held.origin, text, time: time, style: style), at: time, &state)
    }
  }

  private func put(_ line: [UInt8], at time: Timestamp, _ state: inout State) {
    // A descriptor that is ready takes a whole line, since none is longer than PIPE_BUF (pipe(7)).
    guard use == .batch || isReady else {
      state.dropped += 1
      return
    }
    if state.dropped > 0 {
      let text = "\(state.dropped) lines were dropped, since nobody read standard error"
      state.dropped = 0
      send(LogLine.bytes(.warn, "log", text, time: time, style: style))
      guard isReady else {
        state.dropped += 1
        return
      }
    }
    send(line)
  }

  private var isReady: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) == 1
  }

  /// A log that can't be written has nowhere to say so: the line is given up.
  private func send(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EINTR {
        continue
      } else if count < 0, errno == EAGAIN, use == .batch {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else {
        return
      }
    }
  }
}
