import Composable
import Scripting

/// Messages of several sources in one turn.
extension Scripts {
  /// What scripts are told before the message of an index.
  private typealias News = (index: Int, gap: SourceGap, isForAll: Bool)

  /// What one source gave of merged messages.
  private struct Share {
    let source: Int
    let name: String
    let batch: MessageBatch
    /// How many messages of the batch there are up to and with each that was read; nil where they are the same.
    let ends: [Int]?
    let notes: [MessageIntake.Note]
    /// What scripts are told of the notes, where these were counted before.
    var news: [News] = []
    /// How many notes were told.
    var told = 0

    /// The indices in the batch of messages that were read.
    func range(_ read: Range<Int>) -> Range<Int> {
      guard let ends else { return read }
      let start = read.lowerBound == 0 ? 0 : ends[read.lowerBound - 1]
      return start..<(read.isEmpty ? start : ends[read.upperBound - 1])
    }
  }

  /// Hands messages to the scripts: one at a time where scripts feed scripts; otherwise each script walks through its
  /// own, those of several sources in the order in which they came.
  func reduce(
    _ messages: MergedMessages, _ state: inout EngineState, _ effects: inout [Effect<EngineAction>]
  ) {
    var shares: [Share?] = Array(repeating: nil, count: state.sources.count)
    for source in messages.sources { shares[source] = share(of: source, messages, &state) }
    guard !wiring.hasTopics else {
      for run in messages.runs { pass(run, &shares[run.source], &state, &effects) }
      return
    }
    for source in messages.sources { countNotes(&shares[source], &state) }
    for runner in wiring.runners {
      let feeds = messages.sources.flatMap { source in
        wiring.feeds[source].filter { $0.runner === runner }.map { (source: source, input: $0.input) }
      }
      guard feeds.count != 1 else {
        if let share = shares[feeds[0].source] {
          var news = share.news[...]
          hand(0..<share.batch.count, of: share, &news, to: runner, [feeds[0].input])
        }
        continue
      }
      guard !feeds.isEmpty else { continue }
      hand(messages.runs, of: shares, to: runner, feeds)
    }
  }

  private func share(of source: Int, _ messages: MergedMessages, _ state: inout EngineState) -> Share {
    let read = messages.batch(of: source)
    let intake = wiring.intakes[source]
    var ends: [Int]? = []
    let batch = intake?.parts(of: read, ends: &ends) ?? read
    if batch.decode() > 0 { quarantineFaulty(batch, source, &state) }
    let notes = intake?.inspect(batch, connection: state.sources[source].machine.connection) ?? []
    return Share(
      source: source, name: state.sources[source].name, batch: batch, ends: batch === read ? nil : ends,
      notes: notes)
  }

  private func countNotes(_ share: inout Share?, _ state: inout EngineState) {
    guard let all = share, !all.notes.isEmpty else { return }
    share?.news = all.notes.compactMap { note in
      count(note, of: all.batch, all.source, all.name, &state).map { (note.index, $0.gap, $0.isForAll) }
    }
  }

  /// Hands the messages of a run on one at a time, with all that follows each.
  private func pass(
    _ run: MergedMessages.Run, _ share: inout Share?, _ state: inout EngineState,
    _ effects: inout [Effect<EngineAction>]
  ) {
    guard let all = share else { return }
    var told = all.told
    for index in all.range(run.range) {
      advance(to: Timestamp(milliseconds: all.batch.received(at: index)), &state, &effects)
      while told < all.notes.count, all.notes[told].index == index {
        tell(all.notes[told], of: all.batch, all.source, all.name, &state)
        told += 1
      }
      reduceNatively(all.batch, at: index, all.source, all.name, &state)
      handle(all.batch, index..<(index + 1), all.source, all.name)
      settle(&state, &effects)
    }
    share?.told = told
  }

  /// Hands runs to a script that several of them feed, or that takes one in several inputs.
  private func hand(
    _ runs: [MergedMessages.Run], of shares: [Share?], to runner: ScriptRunner,
    _ feeds: [(source: Int, input: String)]
  ) {
    var inputs: [[String]] = Array(repeating: [], count: shares.count)
    for feed in feeds { inputs[feed.source].append(feed.input) }
    var news = shares.map { share in (share?.news ?? [])[...] }
    for run in runs {
      guard let share = shares[run.source], !inputs[run.source].isEmpty else { continue }
      let range = share.range(run.range)
      if inputs[run.source].count == 1 {
        hand(range, of: share, &news[run.source], to: runner, inputs[run.source])
      } else {
        // All inputs get a message before any gets the next one.
        for index in range {
          hand(index..<(index + 1), of: share, &news[run.source], to: runner, inputs[run.source])
        }
      }
    }
  }

  /// Hands messages to inputs of a script, and before each what it reveals.
  private func hand(
    _ range: Range<Int>, of share: Share, _ news: inout ArraySlice<News>, to runner: ScriptRunner,
    _ inputs: [String]
  ) {
    let number = UInt16(share.source)
    var next = range.lowerBound
    func hand(upTo end: Int) {
      guard next < end else { return }
      for input in inputs {
        runner.handle(share.batch, in: next..<end, input: input, source: share.name, number: number)
      }
      next = end
    }
    while let (index, gap, isForAll) = news.first, index < range.upperBound {
      hand(upTo: index)
      for input in inputs {
        runner.gap(
          gap, input: input, source: number, name: share.name, share.batch, index, isForAll: isForAll)
      }
      news.removeFirst()
    }
    hand(upTo: range.upperBound)
  }
}
