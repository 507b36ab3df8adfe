import Scripting

/// One passage of a history through the scripts and reducers that have nothing stored, before the first live message.
///
/// What they emit goes on to the scripts that they feed, as far as these have nothing stored either; nothing else of
/// what they ask for happens.
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
  /// The first messages at which reducers written in Swift failed, for the quarantine.
  private(set) var nativeFailures: [QuarantineRow] = []

  init(_ wiring: EngineWiring, sourceNames: [String]) {
    self.wiring = wiring
    self.sourceNames = sourceNames
  }

  /// Runs a history.
  ///
  /// - Parameters:
  ///   - now: the time of the start.
  ///   - log: takes what there is to tell.
  ///   - told: sees each message, behind the ends of runs that it led to which may fall otherwise another time.
  /// - Returns: one sentence where a history that is required came to nothing.
  mutating func run(
    _ history: History, at now: Timestamp, log: (LogLevel, _ script: String, String) -> Void,
    told: (RecordedHappening) -> Void
  ) -> String? {
    guard !history.isEmpty else { return nil }
    for message in history.messages {
      take(message, history.numbers)
      for runner in wiring.runners {
        for kill in runner.takeKills() { told(.kill(kill)) }
      }
      told(.history(message))
    }
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

  private mutating func take(_ message: RecordedHistory, _ numbers: [History.Input: [FieldPath]]) {
    let input = History.Input(script: message.script, input: message.input)
    if let native = wiring.natives.first(where: { $0.stage.name == message.script }) {
      guard native.stage.isCold else { return }
      read(message, numbers[input])
      return take(message, native)
    }
    guard let place = wiring.runners.firstIndex(where: { $0.name == message.script }) else { return }
    let runner = wiring.runners[place]
    guard runner.isCold, runner.inputs.contains(message.input) else { return }
    let feed = wiring.feeds.firstIndex { $0.contains { $0.runner === runner && $0.input == message.input } }
    let number = feed ?? wiring.sources(of: runner).first ?? 0
    read(message, numbers[input])
    let failure = runner.warmUp(
      with: batch, input: message.input, source: feed.map { sourceNames[$0] } ?? message.input,
      number: UInt16(number))
    count(failure?.reason, of: input)
    var emittedCount = 0
    handOn(from: place, &emittedCount)
  }

  /// Lets a reducer written in Swift see a message, and the scripts behind it what it emits.
  private mutating func take(_ message: RecordedHistory, _ native: EngineWiring.Native) {
    let input = History.Input(script: message.script, input: message.input)
    let feed = native.inputs.first { $0.value == message.input }?.key
    let outcome: NativeOutcome
    if let fault = batch.fault(at: 0) {
      outcome = .failed(reason: fault.reason)
    } else {
      outcome = native.stage.warmUp(
        with: NativeMessage(
          batch.value(at: 0), input: message.input, source: feed.map { sourceNames[$0] } ?? message.input,
          time: message.time, isReplayed: true))
    }
    switch outcome {
    case .skipped: count(nil, of: input)
    case .failed(let reason):
      count(reason, of: input)
      guard nativeFailures.count < ScriptRunner.historyQuarantineLimit else { return }
      nativeFailures.append(
        QuarantineRow(
          time: message.time, script: message.script, source: feed.map { sourceNames[$0] } ?? "",
          input: message.input, reason: reason, place: "", traceback: "", message: message.message))
    case .accepted(_, let values, _):
      count(nil, of: input)
      var emittedCount = 0
      for (name, value) in values {
        guard let topic = native.topics.first(where: { $0.name == name }) else { continue }
        let message = EmittedMessage(
          topic: name, json: value.json, time: message.time, received: message.time,
          source: UInt16(feed ?? 0), isReplayed: true, isLate: false)
        handOn(message, from: message.topic, of: native.stage.name, to: topic.feeds)
        handOn(from: 0, &emittedCount)
      }
    }
  }

  /// Counts a message, and why it failed if it did.
  private mutating func count(_ failure: String?, of input: History.Input) {
    results[input, default: Result()].count += 1
    guard let failure else { return }
    results[input]?.failedCount += 1
    if results[input]?.firstFailure.isEmpty == true { results[input]?.firstFailure = failure }
  }

  private func read(_ message: RecordedHistory, _ numbers: [FieldPath]?) {
    batch.removeAll()
    _ = message.message.withUnsafeBytes {
      batch.append(
        $0, time: message.time.milliseconds, received: message.time.milliseconds, replayed: true,
        isText: message.isText)
    }
    if !message.topic.isEmpty { batch.setTopic(message.topic) }
    _ = batch.decode()
    for path in numbers ?? [] where batch.isDecoded(at: 0) { batch.makeNumbers(of: path, at: 0) }
  }

  /// Hands what was emitted on to the scripts that come behind; one message of the history leads to so many at most.
  private func handOn(from first: Int, _ count: inout Int) {
    for place in first..<wiring.runners.count {
      let runner = wiring.runners[place]
      for case .emit(let message) in runner.takeRequests() {
        guard let topic = wiring.topics[place].first(where: { $0.name == message.topic }) else { continue }
        let before = count
        count += topic.feeds.count
        guard count <= Scripts.emitLimit else {
          if before <= Scripts.emitLimit { runner.refuseInWarmUp(message, limit: Scripts.emitLimit) }
          continue
        }
        handOn(message, from: topic.name, of: runner.name, to: topic.feeds)
      }
    }
  }

  private func handOn(
    _ message: EmittedMessage, from topic: String, of origin: String, to feeds: [EngineWiring.Feed]
  ) {
    emitted.removeAll()
    emitted.append(
      message.json, time: message.time.milliseconds, received: message.received.milliseconds, replayed: true)
    if message.isLate { emitted.markLate(at: 0) }
    _ = emitted.decode()
    for feed in feeds where feed.runner.isCold {
      _ = feed.runner.warmUp(
        with: emitted, input: feed.input, source: origin, topic: topic, number: message.source)
    }
  }
}
