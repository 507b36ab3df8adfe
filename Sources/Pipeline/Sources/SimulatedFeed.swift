/// A feed made up from a seed: the same settings and start give the same messages, byte by byte.
///
/// The prices walk at random: each message moves the price of one symbol by a nearly normal step.
package struct SimulatedFeed: Sendable {
  /// The most bytes of one message; buffers given to `write(into:)` need as many.
  package static let maximumMessageBytes = 512

  private static let lowestPrice: Int64 = 1
  private static let highestPrice: Int64 = 100_000_000_000_000

  private let settings: SimulatedSettings
  private let start: Timestamp
  private let symbols: [[UInt8]]
  private let venue: [UInt8] = Array("SIM".utf8)
  /// The prices in hundredths, by symbol.
  private var prices: [Int64]
  private var random: SeededRandom
  /// The number of messages written.
  package private(set) var written: Int64 = 0

  /// Makes a feed whose first message is due at a time.
  package init(_ settings: SimulatedSettings, startingAt start: Timestamp) {
    self.settings = settings
    self.start = start
    symbols = settings.symbols.map { Array($0.utf8) }
    let price = Int64((settings.price * 100).rounded())
    prices = Array(repeating: min(max(price, Self.lowestPrice), Self.highestPrice), count: symbols.count)
    random = SeededRandom(seed: UInt64(bitPattern: settings.seed))
  }

  /// When the next message is due; nil after the last.
  package var nextDue: Timestamp? {
    if let count = settings.count, written >= count { return nil }
    // Beyond 2^53 milliseconds, some 285,000 years, a `Double` would skip.
    let offset = min(Double(written) * 1_000 / settings.rate, 0x1p53)
    return start + Milliseconds(Int64(offset))
  }

  /// Writes the next message into the buffer and returns its length in bytes; nil after the last.
  ///
  /// It allocates nothing. The buffer must hold `maximumMessageBytes`.
  package mutating func write(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard let due = nextDue else { return nil }
    let index = symbols.count == 1 ? 0 : Int(random.below(UInt64(symbols.count)))
    let step = Double(prices[index]) * settings.volatility * random.nearlyNormal()
    prices[index] = min(max(prices[index] + Int64(step.rounded()), Self.lowestPrice), Self.highestPrice)
    written += 1
    var writer = ByteWriter(buffer)
    switch settings.kind {
    case .prices: writePrice(index, to: &writer)
    case .trades: writeTrade(index, at: due, to: &writer)
    }
    return writer.count
  }

  private func writePrice(_ index: Int, to writer: inout ByteWriter) {
    writer.write("{\"")
    writer.write(symbols[index])
    writer.write("\":\"")
    writer.write(UInt64(prices[index]), places: 2)
    writer.write("\"}")
  }

  private mutating func writeTrade(_ index: Int, at due: Timestamp, to writer: inout ByteWriter) {
    let bits = random.next()
    let quantity = random.below(20_000) + 1
    let isBuy = bits & 1 == 0
    writer.write("{\"event\":\"trade\",\"time\":")
    writer.write(due.milliseconds)
    writer.write(",\"symbol\":\"")
    writer.write(symbols[index])
    writer.write("\",\"id\":")
    writer.write(3_000_000_000 + written)
    writer.write(",\"price\":\"")
    writer.write(UInt64(prices[index]), places: 2)
    writer.write("\",\"quantity\":\"")
    writer.write(quantity, places: 4)
    writer.write("\",\"buyer\":")
    writer.write(5_000_000_000 + 2 * written)
    writer.write(",\"seller\":")
    writer.write(5_000_000_001 + 2 * written)
    writer.write(",\"traded\":")
    writer.write(due.milliseconds - Int64(bits >> 61))
    writer.write(isBuy ? ",\"side\":\"buy\"" : ",\"side\":\"sell\"")
    writer.write(bits & 2 == 0 ? ",\"maker\":true" : ",\"maker\":false")
    writer.write(",\"venue\":\"")
    writer.write(venue)
    writer.write("\",\"currency\":\"USDT\",\"seq\":")
    writer.write(written)
    writer.write("}")
  }
}
