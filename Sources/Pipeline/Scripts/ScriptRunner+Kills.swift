import Scripting

/// Ends by the clock and by memory, which a recording tells, so that a replay comes to the same.
extension ScriptRunner {
  /// Ends a run as a recording tells, without trying, when it comes to it.
  package func foretell(_ kill: RecordedKill) { foretold.add(kill) }

  /// The ends that a recording has to tell, since the last call.
  func takeKills() -> [RecordedKill] {
    guard !kills.isEmpty else { return [] }
    defer { kills.removeAll() }
    return kills
  }

  /// Runs something that no message of a source led to, unless its end is foretold.
  func run(
    _ input: String, key: String, at time: Timestamp, _ body: () -> ScriptFailure?
  ) -> ScriptFailure? {
    let number = runCounts.next(input, at: time)
    if let kill = foretold.take(input: input, key: key, at: time, behind: number) { return kill.failure }
    let failure = body()
    if let failure, RecordedKill.causes.contains(failure.cause) {
      kills.append(
        RecordedKill(
          time: time, script: name, cause: failure.cause, input: input, key: key, after: number,
          reason: failure.reason))
    }
    return failure
  }

  /// Hands messages to a handler up to the first whose end is foretold, or that one alone.
  func run(
    _ batch: MessageBatch, in range: Range<Int>, _ ends: [ForetoldKills.End], with handler: UInt32
  ) -> (next: Int, failure: ScriptFailure?) {
    guard let end = ends.first(where: { $0.index >= range.lowerBound && $0.index < range.upperBound }) else {
      return machine.handle(batch, in: range, with: handler)
    }
    guard end.index == range.lowerBound else {
      return machine.handle(batch, in: range.lowerBound..<end.index, with: handler)
    }
    var failure = end.kill.failure
    failure.message = end.index
    return (end.index + 1, failure)
  }

  /// Notes the failure of a message that a recording has to tell.
  ///
  /// - Parameter number: how many runs of the input came before one of another script's at the same time.
  func note(
    _ failure: ScriptFailure, of batch: MessageBatch, input: String, source: String, topic: String,
    number: Int
  ) {
    guard RecordedKill.causes.contains(failure.cause) else { return }
    let isEmitted = !topic.isEmpty
    kills.append(
      RecordedKill(
        time: Timestamp(milliseconds: batch.received(at: failure.message)), script: name,
        cause: failure.cause,
        input: input, source: isEmitted ? "" : source, after: isEmitted ? number : failure.message,
        reason: failure.reason))
  }
}

/// How many runs of each input there were at one time that no message of a source led to: what tells them apart.
struct RunCounts {
  private var time = Timestamp(milliseconds: .min)
  private var counts: [(input: String, count: Int)] = []

  /// Counts a run; returns how many of its input came before it at the same time.
  mutating func next(_ input: String, at time: Timestamp) -> Int {
    if time != self.time {
      self.time = time
      counts.removeAll(keepingCapacity: true)
    }
    guard let place = counts.firstIndex(where: { $0.input == input }) else {
      counts.append((input, 1))
      return 0
    }
    defer { counts[place].count += 1 }
    return counts[place].count
  }
}

/// The ends of runs that a recording has told and that are still to come.
struct ForetoldKills {
  /// How the message of an index ends.
  struct End {
    var index: Int
    var kill: RecordedKill
  }

  private var kills: [RecordedKill] = []

  mutating func add(_ kill: RecordedKill) { kills.append(kill) }

  /// Takes the end of a run that no message of a source leads to, behind so many of its input at the same time.
  mutating func take(input: String, key: String, at time: Timestamp, behind number: Int) -> RecordedKill? {
    let index = kills.firstIndex {
      $0.source.isEmpty && $0.input == input && $0.key == key && $0.time == time && $0.after == number
    }
    return index.map { kills.remove(at: $0) }
  }

  /// Takes the ends of messages of a source in a range, in order.
  mutating func takeMessages(_ range: Range<Int>, input: String, source: String) -> [End] {
    guard !kills.isEmpty else { return [] }
    var ends: [End] = []
    for place in kills.indices.reversed() where kills[place].source == source && kills[place].input == input {
      if kills[place].after < range.count {
        let kill = kills.remove(at: place)
        ends.append(End(index: range.lowerBound + kill.after, kill: kill))
      } else {
        kills[place].after -= range.count
      }
    }
    return ends.sorted { $0.index < $1.index }
  }
}

extension RecordedKill {
  var failure: ScriptFailure { ScriptFailure(reason: reason, cause: cause) }
}
