import Glibc
import Scripting
import TestPeers
import Testing

/// Statistics against a slow reference that computes each value anew from all that was added, in whole numbers of 128
/// bits, so that the reference itself is exact up to its last division.
@Suite("Statistics against a slow reference")
struct StatisticReferenceTests {
  enum Kind: String, CaseIterable {
    case sma, min, max, vwap, rsi, rate, zscore, ema
  }

  enum Window: Sendable {
    case count(Int)
    case over(Int64)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var kind: Kind
    var window: Window
    /// Added to each value.
    var offset: Double
    /// Milliseconds between two values.
    var interval: Int64

    var testDescription: String { "\(kind) \(window) at \(offset), every \(interval) ms" }

    var declaration: String {
      switch window {
      case .count(let count): "stats.\(kind) { count = \(count) }"
      case .over(let over): "stats.\(kind) { over = \"\(over)ms\" }"
      }
    }
  }

  static let cases = Kind.allCases.flatMap { kind in
    [0, 1e9, -1e12].flatMap { offset in
      [Window.count(2), .count(14), .count(500), .over(1_000), .over(60_000)].flatMap { window -> [Case] in
        // Closer together, values of a minute share entries; see `dense`.
        let intervals: [Int64] = if case .over(60_000) = window { [70, 700, 1_900] } else { [1, 40, 700] }
        return intervals.map { Case(kind: kind, window: window, offset: offset, interval: $0) }
      }
    }
  }

  /// One value, as a number of 1/1024.
  struct Sample {
    var time: Int64
    var units: Int64
    var volume: Int64
    var value: Double { Double(units) / 1_024 }
  }

  @Test("each value agrees over a long run", arguments: cases)
  func agrees(_ trialCase: Case) throws {
    let machine = StatisticMachine(try ScriptTrial(StatisticMachine.source(trialCase.declaration)))
    var random = SeededRandom(seed: UInt64(trialCase.interval) &+ UInt64(bitPattern: Int64(trialCase.offset)))
    var samples: [Sample] = []
    var units: Int64 = 0
    for index in 0..<1_500 {
      // A walk with jumps and calm spells.
      if random.next() % 100 == 0 { units += Int64(random.next() % 2_000_000) - 1_000_000 }
      if random.next() % 10 < 8 { units += Int64(random.next() % 2_001) - 1_000 }
      samples.append(
        Sample(
          time: Int64(index) * trialCase.interval, units: Int64(trialCase.offset) * 1_024 + units,
          volume: Int64(random.next() % 100)))
    }
    let values = try machine.add(samples)
    var checked = 0
    for index in stride(from: 0, to: samples.count, by: 7) {
      let reference = Reference(trialCase, Array(samples[...index]))
      let (expected, tolerance) = try #require(reference.value)
      guard let expected else {
        #expect(values[index] == nil, "value \(index)")
        continue
      }
      checked += 1
      let value = try #require(values[index], "value \(index) of \(expected)")
      let distance = abs(value - expected)
      guard distance > tolerance else { continue }
      Issue.record("value \(index): expected \(expected), got \(value), off by \(distance)")
      return
    }
    #expect(checked > 50)
  }

  @Test(
    "values that are far too large leave no trace once they have left the window", arguments: [3, 40, 1_000])
  func spikes(count: Int) throws {
    for kind in ["sma", "zscore"] {
      let trial = try ScriptTrial(StatisticMachine.source("stats.\(kind) { count = \(count) }"))
      let machine = StatisticMachine(trial)
      let clean = StatisticMachine(
        try ScriptTrial(StatisticMachine.source("stats.\(kind) { count = \(count) }")))
      let small = (0..<(count * 3)).map { Double($0 % 7) + 0.1 }
      let spikes = [1e100, -1e60, 1e80, 3e30, -1e16, 1e12]
      _ = try machine.add(values: spikes + small)
      _ = try clean.add(values: small)
      let got = try #require(try machine.add(values: [3.25]).last ?? nil)
      let expected = try #require(try clean.add(values: [3.25]).last ?? nil)
      #expect(abs(got - expected) <= 1e-14 * abs(expected), "\(kind)")
    }
  }

  @Test(
    "a long run through a window of a thousand loses no digits: 100,000 values, or ten million with PIPELINE_TEST_LONG"
  )
  func longRun() throws {
    let rounds = LongTests.areWanted ? 100 : 1
    var limits = MachineLimits()
    limits.steps = 1_000_000_000
    limits.milliseconds = 600_000
    let trial = try ScriptTrial(
      """
      local M = { state = { mean = stats.sma { count = 1000 }, z = stats.zscore { count = 1000 } }, on = {} }
      function M.on.feed(state, message)
        for i = 1, 100000 do
          local x = 1e9 + (i * 7919 % 10007) / 1024
          stats.add(state.mean, x) stats.add(state.z, x)
        end
        alert.send(stats.value(state.mean), stats.value(state.z))
      end
      return M
      """, limits: limits)
    for _ in 0..<rounds { #expect(trial.receive("{}") == nil) }
    let units = (99_001...100_000).map { Int128(1_000_000_000 * 1_024 + $0 * 7_919 % 10_007) }
    let sum = units.reduce(0, +), squares = units.reduce(0) { $0 + $1 * $1 }
    let mean = Double(sum) / 1_024 / 1_000
    let spread = Double(1_000 * squares - sum * sum) / (1_000 * 999)
    let z = Double(1_000 * units[999] - sum) / 1_000 / spread.squareRoot()
    #expect(trial.sent.count == rounds)
    for sent in trial.sent {
      let (gotMean, gotZ) = (try #require(sent[0].double), try #require(sent[1].double))
      #expect(abs(gotMean - mean) <= 2e-16 * mean)
      #expect(abs(gotZ - z) <= 1e-14 * abs(z))
    }
  }

  @Test(
    "more values than a duration's window keeps apart still give its value within a thousandth of it",
    arguments: [Kind.sma, .min, .max, .vwap, .zscore, .rsi])
  func dense(kind: Kind) throws {
    // 20 values a millisecond, 200,000 in the window; a ramp, so that the window's edge shows.
    var limits = MachineLimits()
    limits.steps = 1_000_000_000
    limits.milliseconds = 600_000
    let trial = try ScriptTrial(
      """
      local M = { state = { s = stats.\(kind) { over = "10s" } }, on = {} }
      function M.on.feed(state, message, ctx)
        for i = 1, 2000 do stats.add(state.s, ctx.time + i % 2\(kind == .vwap ? ", 1" : "")) end
        if ctx.time % 1000 == 0 then alert.send(stats.value(state.s)) end
      end
      return M
      """, limits: limits)
    for step in 0...200 { #expect(trial.receive("{}", time: Int64(step) * 100) == nil) }
    let last = try #require(trial.sent.last?.first?.double)
    let expected: [Kind: Double] = [
      .sma: 15_050.5, .min: 10_100, .max: 20_001, .vwap: 15_050.5, .zscore: 1.7146, .rsi: 52.5,
    ]
    let target = try #require(expected[kind])
    #expect(abs(last - target) <= target * 0.003, "\(last)")
    #expect(trial.machine.row(of: 0).utf8.count < 100_000)
  }
}

/// A script that gives every value of a message to one statistic and sends what came back.
struct StatisticMachine {
  let trial: ScriptTrial

  init(_ trial: ScriptTrial) { self.trial = trial }

  static func source(_ declaration: String) -> String {
    """
    local M = { state = { s = \(declaration) }, on = {} }
    local weighs = \(declaration.contains("vwap"))
    function M.on.feed(state, message, ctx)
      local out = {}
      for i, value in ipairs(message.values) do
        out[i] = stats.add(state.s, value, weighs and message.volumes[i] or nil) or json.null
      end
      alert.send(json.array(out))
    end
    return M
    """
  }

  func add(_ samples: [StatisticReferenceTests.Sample]) throws -> [Double?] {
    try samples.map { sample in
      try add(values: [sample.value], volumes: [sample.volume], at: sample.time)[0]
    }
  }

  func add(values: [Double], volumes: [Int64] = [], at time: Int64 = 0) throws -> [Double?] {
    let message: Value = [
      "values": .list(values.map { .number($0) }), "volumes": .list(volumes.map { .integer($0) }),
    ]
    if let failure = trial.receive(message.json, time: time) { throw failure }
    let sent = trial.host.sent.removeLast().arguments
    guard case .list(let results)? = sent.first else { return [] }
    return results.map(\.double)
  }
}

/// The value of a statistic from all samples, computed the long way.
private struct Reference {
  typealias Sample = StatisticReferenceTests.Sample

  let trialCase: StatisticReferenceTests.Case
  let samples: [Sample]

  init(_ trialCase: StatisticReferenceTests.Case, _ samples: [Sample]) {
    self.trialCase = trialCase
    self.samples = samples
  }

  /// The value, which may be absent, and how far off an answer may be.
  var value: (Double?, tolerance: Double)? {
    let newest = samples[samples.count - 1]
    let window: ArraySlice<Sample>
    switch trialCase.window {
    case .count(let count):
      guard samples.count >= count + (trialCase.kind == .rsi ? 1 : 0) else { return (Double?.none, 0) }
      window = samples.suffix(count)
    case .over(let over):
      guard newest.time - samples[0].time >= over else { return (Double?.none, 0) }
      let isRate = trialCase.kind == .rate
      window = samples.drop { isRate ? $0.time < newest.time - over : $0.time <= newest.time - over }
    }
    let count = Int128(window.count)
    let sum = window.reduce(Int128(0)) { $0 + Int128($1.units) }
    let scale = abs(newest.value) + 1
    switch trialCase.kind {
    case .sma: return (Double(sum) / 1_024 / Double(count), scale * 1e-15)
    case .min: return (window.map(\.value).min(), 0)
    case .max: return (window.map(\.value).max(), 0)
    case .vwap:
      let volume = window.reduce(0) { $0 + $1.volume }
      guard volume > 0 else { return (Double?.none, 0) }
      let product = window.reduce(Int128(0)) { $0 + Int128($1.units) * Int128($1.volume) }
      return (Double(product) / 1_024 / Double(volume), scale * 1e-15)
    case .zscore:
      guard count > 1 else { return (Double?.none, 0) }
      let squares = window.reduce(Int128(0)) { $0 + Int128($1.units) * Int128($1.units) }
      let spread = count * squares - sum * sum
      guard spread > 0 else { return (0, 0) }
      let deviation = (Double(spread) / Double(count * (count - 1))).squareRoot()
      let result = Double(count * Int128(newest.units) - sum) / Double(count) / deviation
      return (result, abs(result) * 1e-13 + 1e-15)
    case .rate:
      guard let oldest = window.first, newest.time > oldest.time else { return (Double?.none, 0) }
      let change = Double(newest.units - oldest.units) / 1_024
      return (change / Double(newest.time - oldest.time) * 1_000, abs(change) * 1e-12)
    case .rsi, .ema: return smoothed(window)
    }
  }

  private func smoothed(_ window: ArraySlice<Sample>) -> (Double?, tolerance: Double)? {
    let changes = zip(samples, samples.dropFirst()).map { Double($1.units - $0.units) / 1_024 }
    switch (trialCase.kind, trialCase.window) {
    case (.rsi, .count(let count)):
      var gain = changes.prefix(count).map { max($0, 0) }.reduce(0, +) / Double(count)
      var loss = changes.prefix(count).map { max(-$0, 0) }.reduce(0, +) / Double(count)
      for change in changes.dropFirst(count) {
        gain = (gain * Double(count - 1) + max(change, 0)) / Double(count)
        loss = (loss * Double(count - 1) + max(-change, 0)) / Double(count)
      }
      return (gain + loss > 0 ? 100 * gain / (gain + loss) : 50, 1e-9)
    case (.rsi, .over):
      let own = changes.suffix(window.count)
      let gain = own.map { max($0, 0) }.reduce(0, +)
      let loss = own.map { max(-$0, 0) }.reduce(0, +)
      return (gain + loss > 0 ? 100 * gain / (gain + loss) : 50, 1e-10)
    case (.ema, .count(let count)):
      var mean = samples.prefix(count).map(\.value).reduce(0, +) / Double(count)
      for sample in samples.dropFirst(count) { mean += 2 / Double(count + 1) * (sample.value - mean) }
      return (mean, (abs(mean) + 1) * 1e-13)
    case (.ema, .over(let over)):
      var mean = samples[0].value
      for (before, sample) in zip(samples, samples.dropFirst()) {
        mean += (1 - exp(-Double(sample.time - before.time) / Double(over))) * (sample.value - mean)
      }
      return (mean, (abs(mean) + 1) * 1e-13)
    default: return nil
    }
  }
}

/// A small generator whose numbers are the same in each run.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
