import Scripting

/// One passage of a history through the scripts that have nothing stored, before the first live message.
///
/// What their handlers emit goes on to the scripts that they feed, as far as these have nothing stored either;
/// nothing else of what they ask for happens.
struct WarmUp {
  /// What the history of one input came to.
  private struct Result {
    var count = 0
    var failedCount = 0
    var firstFailure = ""
  }

  private let wiring: EngineWiring
  private let sourceNames: [String]
  private let batch = MessageBatch()
  private let emitted = MessageBatch()
  private var results: [History.Input: Result] = [:]

  init(_ wiring: EngineWiring, sourceNames: [String]) {
    self.wiring = wiring
    self.sourceNames = sourceNames
  }

  /// Runs a history.
  ///
  /// - Parameters:
  ///   - now: the time of the start.
  ///   - log: takes what there is to tell.
  ///   - told: sees each message that decides what the scripts' state is, before it is handled.
  /// - Returns: one sentence where a history that is required came to nothing.
  mutating func run(
    _ history: History, at now: Timestamp, log: (LogLevel, _ script: String, String) -> Void,
    told: (RecordedHistory) -> Void
  ) -> String? {
    guard !history.isEmpty else { return nil }
    for message in history.messages { take(message, history.numbers, told) }
    for runner in wiring.runners where runner.isCold { runner.endWarmUp(at: now) }
    for (script, text) in history.notes { log(.warn, script, text) }
    var refusal: String?
    for failure in history.failures {
      log(.error, failure.input.script, "\(failure.description); it starts cold")
      if failure.isRequired { refusal = refusal ?? "\(failure.description); it is 'required'" }
    }
    for (input, result) in results.sorted(by: {
      ($0.key.script, $0.key.input) < ($1.key.script, $1.key.input)
    }) {
      let about = "M.on.\(input.input) was warmed up with \(result.count) messages"
      if result.failedCount == 0 {
        log(.info, input.script, about)
      } else {
        log(.warn, input.script, "\(about), of which \(result.failedCount) failed: \(result.firstFailure)")
      }
      if result.failedCount == result.count, history.required.contains(input) {
        refusal =
          refusal
          ?? "no message of the history of M.on.\(input.input) of \(input.script) gets through, and it is "
          + "'required': \(result.firstFailure)"
      }
    }
    return refusal
  }

  private mutating func take(
    _ message: RecordedHistory, _ numbers: [History.Input: [FieldPath]], _ told: (RecordedHistory) -> Void
  ) {
    guard let place = wiring.runners.firstIndex(where: { $0.name == message.script }) else { return }
    let runner = wiring.runners[place]
    guard runner.isCold, runner.inputs.contains(message.input) else { return }
    let input = History.Input(script: message.script, input: message.input)
    let feed = wiring.feeds.firstIndex { $0.contains { $0.runner === runner && $0.input == message.input } }
    let number = feed ?? wiring.sources(of: runner).first ?? 0
    batch.removeAll()
    _ = message.message.withUnsafeBytes {
      batch.append(
        $0, time: message.time.milliseconds, received: message.time.milliseconds, replayed: true,
        isText: message.isText)
    }
    if !message.topic.isEmpty { batch.setTopic(message.topic) }
    _ = batch.decode()
    for path in numbers[input] ?? [] where batch.isDecoded(at: 0) { batch.makeNumbers(of: path, at: 0) }
    results[input, default: Result()].count += 1
    let failure = runner.warmUp(
      with: batch, input: message.input, source: feed.map { sourceNames[$0] } ?? message.input,
      number: UInt16(number))
    // What the clock or the memory has ended left nothing behind, and may end otherwise in a replay.
    if failure.map({ !RecordedKill.causes.contains($0.cause) }) ?? true { told(message) }
    if let failure {
      results[input]?.failedCount += 1
      if results[input]?.firstFailure.isEmpty == true { results[input]?.firstFailure = failure.reason }
    }
    handOn(from: place)
  }

  /// Hands what was emitted on to the scripts that come behind.
  private func handOn(from first: Int) {
    var count = 0
    for place in first..<wiring.runners.count {
      for case .emit(let message) in wiring.runners[place].takeRequests() {
        guard let topic = wiring.topics[place].first(where: { $0.name == message.topic }) else { continue }
        emitted.removeAll()
        emitted.append(
          message.json, time: message.time.milliseconds, received: message.received.milliseconds,
          replayed: true)
        if message.isLate { emitted.markLate(at: 0) }
        _ = emitted.decode()
        for feed in topic.feeds where feed.runner.isCold && count < Scripts.emitLimit {
          count += 1
          _ = feed.runner.warmUp(
            with: emitted, input: feed.input, source: wiring.runners[place].name, topic: topic.name,
            number: message.source)
        }
      }
    }
  }
}
