/// Keeps floods out of the log: of each origin only so many lines within a window, the rest is counted.
///
/// A window of an origin begins with its first line. It knows no clock; every call is told the time.
package struct LogThrottle: Sendable {
  /// Lines of an origin that were held back in one window.
  package struct Held: Sendable, Hashable {
    package var origin: String
    package var lines: Int

    /// Makes a count.
    package init(origin: String, lines: Int) {
      self.origin = origin
      self.lines = lines
    }
  }

  private struct Window {
    var end: Timestamp
    var lines = 0
    var held = 0
  }

  /// The most lines of an origin within a window.
  package let limit: Int
  /// How long a window lasts.
  package let span: Milliseconds
  /// The most origins that are told apart; lines of further ones share a window.
  package static let maximumOrigins = 1_000
  private static let others = "others"
  private var windows: [String: Window] = [:]

  /// Makes a throttle with no window open.
  package init(limit: Int = 20, span: Milliseconds = .seconds(10)) {
    self.limit = limit
    self.span = span
  }

  /// Whether a line may be written; one that may not is counted.
  package mutating func admits(origin: String, at time: Timestamp) -> Bool {
    let isNew = windows[origin] == nil
    let origin = isNew && windows.count >= Self.maximumOrigins ? Self.others : origin
    var window = windows[origin] ?? Window(end: time + span)
    defer { windows[origin] = window }
    guard window.lines < limit else {
      window.held += 1
      return false
    }
    window.lines += 1
    return true
  }

  /// Closes the windows that are over, and gives what was held back in them, by origin.
  ///
  /// To be called before ``admits(origin:at:)`` at the same time.
  package mutating func close(at time: Timestamp) -> [Held] {
    // An end further away than a window lasts means that the clock was set back.
    let latest = time + span
    return take { $0.end <= time || latest < $0.end }
  }

  /// Closes all windows, as at the end of a program.
  package mutating func closeAll() -> [Held] { take { _ in true } }

  /// When the next window with something held back ends, nil for none.
  package var nextEnd: Timestamp? { windows.values.filter { $0.held > 0 }.map(\.end).min() }

  private mutating func take(_ isOver: (Window) -> Bool) -> [Held] {
    let over = windows.filter { isOver($0.value) }
    for origin in over.keys { windows[origin] = nil }
    return over.filter { $0.value.held > 0 }.map { Held(origin: $0.key, lines: $0.value.held) }
      .sorted { $0.origin < $1.origin }
  }
}
