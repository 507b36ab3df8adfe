import Testing

@testable import Pipeline

@Suite("The simulated feed")
struct SimulatedFeedTests {
  private static func messages(
    _ settings: SimulatedSettings, _ count: Int, start: Int64 = 1_700_000_000_000
  ) -> [String] {
    var feed = SimulatedFeed(settings, startingAt: Timestamp(milliseconds: start))
    return withUnsafeTemporaryAllocation(byteCount: SimulatedFeed.maximumMessageBytes, alignment: 1) {
      buffer in
      (0..<count).compactMap { _ in
        feed.write(into: buffer).map { String(decoding: buffer[..<$0], as: UTF8.self) }
      }
    }
  }

  @Test("The same seed gives the same messages, another seed others")
  func deterministic() {
    for kind in SimulatedSettings.Kind.allCases {
      let first = Self.messages(.init(kind: kind, seed: 7), 1_000)
      #expect(Self.messages(.init(kind: kind, seed: 7), 1_000) == first)
      #expect(Self.messages(.init(kind: kind, seed: 8), 1_000) != first)
    }
  }

  @Test("The messages of a seed stay what they are from version to version")
  func golden() {
    #expect(
      Self.messages(.init(price: 67_123.45), 3)
        == ["{\"bitcoin\":\"67134.42\"}", "{\"bitcoin\":\"67093.31\"}", "{\"bitcoin\":\"67169.35\"}"])
    #expect(
      Self.messages(.init(kind: .trades), 1) == [
        "{\"event\":\"trade\",\"time\":1700000000000,\"symbol\":\"SOLUSDT\",\"id\":3000000001,"
          + "\"price\":\"67010.62\",\"quantity\":\"0.1421\",\"buyer\":5000000002,\"seller\":5000000003,"
          + "\"traded\":1699999999999,\"side\":\"buy\",\"maker\":false,\"venue\":\"SIM\","
          + "\"currency\":\"USDT\",\"seq\":1}"
      ])
  }

  @Test("Prices move by small steps and stay positive")
  func walk() {
    let settings = SimulatedSettings(price: 100, volatility: 0.01)
    let prices = Self.messages(settings, 5_000).compactMap { Double($0.dropFirst(12).dropLast(2)) }
    #expect(prices.count == 5_000)
    #expect(zip(prices, prices.dropFirst()).allSatisfy { abs($1 - $0) <= 0.0351 * $0 + 0.01 })
    #expect(Set(prices).count > 1_000)
    let steps = zip(prices, prices.dropFirst()).map { ($1 - $0) / $0 }
    let deviation = (steps.map { $0 * $0 }.reduce(0, +) / Double(steps.count)).squareRoot()
    #expect((0.009...0.011).contains(deviation))
    let wild = Self.messages(SimulatedSettings(price: 0.01, volatility: 0.1), 1_000)
    #expect(wild.allSatisfy { !$0.contains("-") && !$0.contains("\"0.00\"") })
  }

  @Test("Without volatility the price stands still")
  func still() {
    #expect(Set(Self.messages(.init(price: 5, volatility: 0), 50)) == ["{\"bitcoin\":\"5.00\"}"])
  }

  @Test("Every symbol gets its messages and a walk of its own")
  func symbols() {
    let messages = Self.messages(.init(symbols: ["a", "b", "c"]), 3_000)
    for symbol in ["a", "b", "c"] {
      let count = messages.count { $0.hasPrefix("{\"\(symbol)\":") }
      #expect((900...1_100).contains(count))
    }
  }

  @Test("A trade has 14 fields, about 230 bytes, and numbers that count on")
  func trades() {
    let messages = Self.messages(.init(kind: .trades), 200)
    #expect(messages.allSatisfy { $0.count { $0 == ":" } == 14 && $0.count { $0 == "," } == 13 })
    #expect(messages.allSatisfy { (215...245).contains($0.utf8.count) })
    #expect(messages.enumerated().allSatisfy { $1.hasSuffix(",\"seq\":\($0 + 1)}") })
    #expect(messages[20].contains("\"time\":1700000002000,"))
  }

  @Test("The longest message fits the buffer")
  func longest() {
    let symbol = String(repeating: "x", count: 32)
    let settings = SimulatedSettings(kind: .trades, symbols: [symbol], price: 1e12, volatility: 0)
    #expect(
      Self.messages(settings, 1, start: .max).allSatisfy { $0.utf8.count < SimulatedFeed.maximumMessageBytes }
    )
  }

  @Test("Messages are due at the rate, without drift")
  func due() {
    var feed = SimulatedFeed(.init(rate: 3), startingAt: Timestamp(milliseconds: 5_000))
    var times: [Int64?] = []
    withUnsafeTemporaryAllocation(byteCount: SimulatedFeed.maximumMessageBytes, alignment: 1) { buffer in
      for _ in 0..<3_001 {
        times.append(feed.nextDue?.milliseconds)
        _ = feed.write(into: buffer)
      }
    }
    #expect(times.prefix(4) == [5_000, 5_333, 5_666, 6_000])
    #expect(times[3_000] == 1_005_000)
  }

  @Test("After the count the feed has ended")
  func count() {
    #expect(Self.messages(.init(count: 3), 10).count == 3)
    var feed = SimulatedFeed(.init(count: 1), startingAt: Timestamp(milliseconds: 0))
    #expect(feed.nextDue != nil)
    withUnsafeTemporaryAllocation(byteCount: SimulatedFeed.maximumMessageBytes, alignment: 1) { buffer in
      #expect(feed.write(into: buffer) != nil)
      #expect(feed.nextDue == nil)
      #expect(feed.write(into: buffer) == nil)
    }
  }
}
