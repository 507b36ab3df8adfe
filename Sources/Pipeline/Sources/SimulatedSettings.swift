import Scripting

/// The settings of `source.simulated`, a feed made up from a seed.
package struct SimulatedSettings: ComponentSettings, Hashable {
  /// The form of the messages.
  package enum Kind: String, Sendable, CaseIterable {
    /// `{"bitcoin":"67123.45"}`
    case prices
    /// A trade of 14 fields, as exchanges send them.
    case trades

    /// The symbols used where none are given.
    var symbols: [String] {
      switch self {
      case .prices: ["bitcoin"]
      case .trades: ["BTCUSDT", "ETHUSDT", "SOLUSDT"]
      }
    }
  }

  /// The form of the messages.
  package var kind: Kind
  /// The names that messages are about; not empty.
  package var symbols: [String]
  /// Where chance starts from.
  package var seed: Int64
  /// Messages a second.
  package var rate: Double
  /// The price that every symbol starts from.
  package var price: Double
  /// The standard deviation of one step, as a fraction of the price.
  package var volatility: Double
  /// The number of messages after which the feed ends; nil for none.
  package var count: Int64?

  /// Makes the settings of a feed; the defaults are those of the declaration.
  package init(
    kind: Kind = .prices, symbols: [String]? = nil, seed: Int64 = 1, rate: Double = 10,
    price: Double = 67_000,
    volatility: Double = 0.0005, count: Int64? = nil
  ) {
    self.kind = kind
    self.symbols = symbols ?? kind.symbols
    self.seed = seed
    self.rate = rate
    self.price = price
    self.volatility = volatility
    self.count = count
  }

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    let symbols = fields.texts("symbols")
    self.init(
      kind: Kind(rawValue: fields.text("kind")) ?? .prices, symbols: symbols.isEmpty ? nil : symbols,
      seed: fields.integer("seed"), rate: fields.number("rate"), price: fields.number("price"),
      volatility: fields.number("volatility"), count: fields.optionalInteger("count"))
  }

  /// The declaration of `source.simulated`.
  package static let spec = ComponentSpec(
    kind: .source, name: "simulated",
    summary: "Makes up prices or trades from a seed, the same ones at each start; needs no network",
    fields: [
      FieldSpec(
        "kind", .choice(Kind.allCases.map(\.rawValue)), default: "prices",
        help: "The form of the messages: prices such as {\"bitcoin\":\"67123.45\"}, or trades of 14 fields"),
      FieldSpec(
        "symbols", .list(of: .text),
        help: "The names that messages are about, each message about one of them; without it \"bitcoin\" for "
          + "prices, and three pairs for trades",
        example: ["bitcoin", "ethereum"]),
      FieldSpec(
        "seed", .integer(.min ... .max), default: 1,
        help: "Where chance starts from; another seed is another feed"),
      FieldSpec(
        "rate", .number(0.001...1_000_000), unit: "messages a second", default: 10,
        help: "How fast messages come"),
      FieldSpec(
        "price", .number(0.01...1_000_000_000_000), default: 67_000,
        help: "The price that every symbol starts from"),
      FieldSpec(
        "volatility", .number(0...0.1), default: 0.0005,
        help: "The usual size of one step, as a fraction of the price (standard deviation)"),
      FieldSpec(
        "count", .integer(1 ... .max), unit: "messages",
        help: "The messages after which the feed ends; without it "
          + "it goes on"),
    ] + QueueOptions.fields,
    example: "btc = source.simulated { kind = \"prices\", rate = 20, price = 69900 }",
    check: { fields in
      let symbols = fields.texts("symbols")
      var faults: [ComponentSpec.Fault] = []
      if symbols.count > 10_000 {
        faults.append(.init("symbols", "expected at most 10000 symbols, got \(symbols.count)"))
      }
      for (index, symbol) in symbols.enumerated() where !isSymbol(symbol) {
        let expected = "expected up to 32 letters, digits and any of '_-./:'"
        faults.append(.init("symbols[\(index + 1)]", "\(expected), got \(LuaText.found(.text(symbol)))"))
      }
      return faults
    })

  /// Whether a symbol can stand in JSON as it is.
  private static func isSymbol(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
