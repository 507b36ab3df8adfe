import Testing

@testable import Pipeline

@Suite("Whether a feed gives data")
struct FeedWatchTests {
  /// Plays a line of events, one a word and second: `+` connecting, `c` connected, `x` lost, `q` no more wanted, `s`
  /// stale, `d` data, `.` nothing, `m` a minute of nothing. Gives what was told, with the second.
  private static func told(_ line: String, mustGiveData: Bool) -> [String] {
    var watch = FeedWatch()
    var told: [String] = []
    var now = Timestamp(milliseconds: 0)
    func note(_ change: FeedWatch.Change?) {
      switch change {
      case nil: break
      case .down(let since, let reason):
        told.append("\(now.milliseconds / 1_000) down since \(since.milliseconds / 1_000): \(reason)")
      case .back(let since):
        told.append("\(now.milliseconds / 1_000) back since \(since.milliseconds / 1_000)")
      case .left(let since):
        told.append("\(now.milliseconds / 1_000) left since \(since.milliseconds / 1_000)")
      }
    }
    func hear(_ event: ConnectionEvent, isWanted: Bool = true) {
      note(watch.heard(event, isWanted: isWanted, mustGiveData: mustGiveData, at: now))
    }
    for word in line where word != " " {
      switch word {
      case "+": hear(.connecting)
      case "c": hear(.connected)
      case "x": hear(.disconnected(code: 1006, reason: "lost"))
      case "q": hear(.disconnected(code: 1000, reason: "enough"), isWanted: false)
      case "s": hear(.stale)
      case "d": note(watch.received())
      default: break
      }
      let end = now + .seconds(word == "m" ? 60 : 1)
      while let due = watch.due, due <= end {
        now = max(now, due)
        note(watch.tick(at: now))
      }
      now = end
    }
    return told
  }

  @Test(
    arguments: [
      ("a start and a short loss are no news", true, "+cd.x.....+cd", []),
      (
        "a minute without a connection is", true, "+cd x + x m m",
        ["63 down since 3: disconnected (1006): lost"]
      ),
      (
        "and so is the data after it", true, "+cd x mm +cd",
        ["63 down since 3: disconnected (1006): lost", "126 back since 3"]
      ),
      ("a server that was never there", false, "+m", ["60 down since 0: there was no connection yet"]),
      (
        "a connection is enough where silence is no fault", false, "+m+c",
        ["60 down since 0: there was no connection yet", "62 back since 0"]
      ),
      (
        "connecting alone brings back no feed that must give data", true, "+m+c.x",
        ["60 down since 0: there was no connection yet"]
      ),
      (
        "accepted and dropped again and again", true, "+cx+cx+cx m",
        ["60 down since 0: disconnected (1006): lost"]
      ),
      ("silent for too long", true, "+cd s x", ["3 down since 3: it is connected and silent"]),
      (
        "silent again after a reconnect is no more news", true, "+cd s x+c s x mm",
        ["3 down since 3: it is connected and silent"]
      ),
      ("connected and quiet, within stale_after", true, "+c mmm", []),
      ("not wanted any more", true, "+cd q mm", []),
      (
        "not wanted any more after it was told", true, "+cd x mm q",
        ["63 down since 3: disconnected (1006): lost", "124 left since 3"]
      ),
    ] as [(String, Bool, String, [String])])
  func told(what: String, mustGiveData: Bool, line: String, told: [String]) {
    #expect(Self.told(line, mustGiveData: mustGiveData) == told, "\(what)")
  }
}
