import Testing

@testable import Pipeline

@Suite("Who reads the sources")
struct ReliefScheduleTests {
  /// What one of both threads does, at a time in microseconds.
  enum Step: Sendable {
    /// The engine leaves for work; whether an alarm is set, in microseconds.
    case leave(UInt64, alarm: UInt64?)
    case rest
    /// Whether the relief had the sources.
    case takeBack(Bool)
    case callRelief(Bool)
    case look(UInt64, ReliefSchedule.Look)
  }

  private static func again(_ microseconds: UInt64) -> ReliefSchedule.Look {
    .lookAgain(at: microseconds * 1_000)
  }

  static let rows: [(name: String, steps: [Step], holder: ReliefSchedule.Holder)] = [
    ("nothing has happened", [.look(0, .sleep)], .engine),
    ("a short turn", [.leave(0, alarm: 2_000), .rest, .look(2_000, .sleep)], .engine),
    ("a long turn", [.leave(0, alarm: 2_000), .look(2_000, .read), .look(3_000, .read)], .relief),
    (
      "short turns put the alarm off, where it is near",
      [
        .leave(0, alarm: 2_000), .rest, .leave(500, alarm: nil), .rest, .leave(1_000, alarm: nil), .rest,
        .leave(1_001, alarm: 3_001), .rest, .leave(1_900, alarm: nil), .rest, .look(3_001, .sleep),
        .leave(5_000, alarm: 7_000),
      ], .engine
    ),
    (
      "only the last time the engine left counts",
      [.leave(0, alarm: 2_000), .leave(900, alarm: nil), .look(2_000, again(2_900)), .look(2_900, .read)],
      .relief
    ),
    (
      "the engine is back",
      [
        .leave(0, alarm: 2_000), .look(2_500, .read), .takeBack(true), .look(2_600, .sleep), .takeBack(false),
      ],
      .engine
    ),
    (
      "the next turn after the relief sets an alarm again",
      [.leave(0, alarm: 2_000), .look(2_000, .read), .takeBack(true), .leave(9_000, alarm: 11_000)], .engine
    ),
    (
      "a rest while something waits changes nothing",
      [
        .leave(0, alarm: 2_000), .look(2_000, .read), .rest, .leave(4_000, alarm: nil),
        .look(4_100, .read),
      ],
      .relief
    ),
    (
      "the relief is called",
      [
        .leave(0, alarm: 2_000), .callRelief(true), .callRelief(false), .look(10, .read),
      ],
      .relief
    ),
    (
      "an alarm that was set before the relief had the sources goes off behind it",
      [
        .leave(0, alarm: 2_000), .callRelief(true), .takeBack(true), .leave(1_000, alarm: nil),
        .look(2_000, again(3_000)), .look(3_000, .read),
      ], .relief
    ),
  ]

  @Test("step by step", arguments: rows.indices)
  func table(row: Int) {
    let (name, steps, holder) = Self.rows[row]
    var schedule = ReliefSchedule(patience: 2_000_000)
    for (index, step) in steps.enumerated() {
      let place: Comment = "\(name), step \(index + 1)"
      switch step {
      case .leave(let time, let alarm):
        #expect(schedule.leave(at: time * 1_000) == alarm.map { $0 * 1_000 }, place)
      case .rest: schedule.rest()
      case .takeBack(let wasRelieved): #expect(schedule.takeBack() == wasRelieved, place)
      case .callRelief(let isNew): #expect(schedule.callRelief() == isNew, place)
      case .look(let time, let look): #expect(schedule.look(at: time * 1_000) == look, place)
      }
    }
    #expect(schedule.holder == holder, "\(name)")
  }

  @Test("an engine that handles in short turns what waits is relieved so often, and no more")
  func burst() {
    var schedule = ReliefSchedule(patience: 2_000_000)
    #expect(schedule.leave(at: 0) != nil)
    for _ in 0..<ReliefSchedule.burst {
      #expect(schedule.look(at: 2_000_000) == .read)
      #expect(schedule.leave(at: 2_000_000) == nil)
    }
    #expect(schedule.look(at: 2_100_000) == Self.again(4_000))
    #expect(schedule.leave(at: 21_500_000) == nil)
    #expect(schedule.look(at: 21_600_000) == Self.again(22_000))
    for _ in 0..<ReliefSchedule.burst { #expect(schedule.look(at: 22_000_000) == .read) }
    #expect(schedule.look(at: 22_100_000) == Self.again(23_500))
    // A turn that lasts is relieved whatever has been read.
    for _ in 0..<100 { #expect(schedule.look(at: 23_500_000) == .read) }
  }

  @Test(
    "whatever both do, a turn that lasts is relieved, and an engine at rest is not",
    arguments: 1...50 as ClosedRange<UInt64>)
  func always(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var schedule = ReliefSchedule(patience: 2_000_000)
    var now: UInt64 = 0
    var alarm: UInt64?
    /// When the engine last left, nil while it rests.
    var left: UInt64?
    for _ in 0..<2_000 {
      now += random.next() % 1_500_000
      // The alarm goes off before anything else happens at a later time.
      while let due = alarm, due <= now {
        alarm = nil
        switch schedule.look(at: due) {
        case .lookAgain(let time):
          #expect(time > due)
          alarm = time
        case .sleep: #expect(left == nil && schedule.holder == .engine)
        case .read: #expect(schedule.holder == .relief)
        }
      }
      if let left, schedule.holder == .engine { #expect(now < left + schedule.patience) }
      switch random.next() % 4 {
      case 0, 1:
        if let time = schedule.leave(at: now) {
          // What goes off may be put off, but no later than the turn that begins needs it.
          #expect(alarm.map { $0 < now + schedule.patience / 2 } ?? true)
          #expect(time == now + schedule.patience)
          alarm = time
        }
        left = now
      case 2:
        schedule.rest()
        if schedule.holder == .engine { left = nil }
      default:
        if schedule.takeBack() { left = nil }
      }
    }
  }
}
