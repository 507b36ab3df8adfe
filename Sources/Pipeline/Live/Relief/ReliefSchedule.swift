/// Who reads the sources: the engine while its turns are short, the relief while one of them lasts.
///
/// Pure: it is told what both threads do, with the time in monotonic nanoseconds, and answers what follows. While the
/// engine holds the sources, nothing waits; what the relief reads does, until the engine has handled all of it.
struct ReliefSchedule: Sendable, Hashable {
  /// Who reads the sources.
  enum Holder: Sendable, Hashable {
    case engine
    case relief
  }

  /// What the relief does next.
  enum Look: Sendable, Hashable {
    /// Sleep until it is called: the engine is at rest, or has an alarm set at its next turn.
    case sleep
    /// Look again at a time.
    case lookAgain(at: UInt64)
    /// Read the sources.
    case read
  }

  /// How long a turn may last until the relief reads, in nanoseconds.
  ///
  /// Long enough that a turn which had to leave its processor to others for a moment isn't taken for a slow one: what is
  /// read ahead costs twice. Short enough that a ping is answered well within 100 ms.
  let patience: UInt64

  /// How often the relief reads in an interval, in nanoseconds, while the engine handles in short turns what waits. So
  /// scripts that are fast catch up with any feed, and then the engine reads itself again.
  static let burst = 16
  static let interval: UInt64 = 20_000_000

  /// Makes a schedule of an engine that holds the sources.
  init(patience: UInt64 = 10_000_000) { self.patience = patience }

  /// Who reads the sources.
  private(set) var holder = Holder.engine
  /// When the engine last left the sources to work; nil while it waits for them.
  private var left: UInt64?
  /// When the interval began, and how often the relief has read in it.
  private var phase: UInt64 = 0
  private var reads = 0
  /// When the relief is going to look by itself.
  private var alarm: UInt64?

  /// The engine has looked at the sources and goes to work.
  ///
  /// - Returns: when the relief has to be made to look, nil where it will by itself. Short turns that follow one another
  ///   put an alarm off before it goes off, since a thread that wakes takes a processor from somebody: no more than twice
  ///   each ``patience``, however many they are.
  mutating func leave(at now: UInt64) -> UInt64? {
    left = now
    guard holder == .engine else { return nil }
    if let alarm, alarm >= now + patience / 2 { return nil }
    alarm = now + patience
    return alarm
  }

  /// The engine is done and about to wait for the sources.
  mutating func rest() { if holder == .engine { left = nil } }

  /// The engine has handled all that waited, and reads the sources again.
  ///
  /// - Returns: whether the relief had them.
  mutating func takeBack() -> Bool {
    guard holder == .relief else { return false }
    holder = .engine
    left = nil
    return true
  }

  /// The engine has more in its hands than one turn should handle: what it can't must wait, and others with it.
  ///
  /// - Returns: whether that is new to the relief.
  mutating func callRelief() -> Bool {
    guard holder == .engine else { return false }
    holder = .relief
    (phase, reads) = (0, 0)
    return true
  }

  /// The relief looks what there is to do.
  mutating func look(at now: UInt64) -> Look {
    alarm = nil
    guard let left else { return .sleep }
    let end = left + patience
    if holder == .relief, now >= phase + Self.interval { (phase, reads) = (now, 0) }
    guard now >= end || (holder == .relief && reads < Self.burst) else {
      let next = holder == .relief ? min(end, phase + Self.interval) : end
      alarm = next
      return .lookAgain(at: next)
    }
    if holder == .engine {
      holder = .relief
      (phase, reads) = (now, 0)
    }
    reads += 1
    return .read
  }
}
