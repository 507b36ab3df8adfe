import Pipeline
import Scripting

/// A reducer: how a number compares with its own moving mean.
struct Trend: NativeReducer {
  struct State: NativeState, Equatable {
    var mean: Double?

    init() {}
    init(stored value: Value) throws { mean = value["mean"]?.double }
    var stored: Value { ["mean": mean.map { .number($0) } ?? .null] }
  }

  struct NoNumber: Error, CustomStringConvertible {
    let field: String
    var description: String { "expected a number in '\(field)'" }
  }

  let field: String
  let weight: Double
  let topics = ["trend"]

  init(field: String, weight: Double) {
    self.field = field
    self.weight = weight
  }

  init(fields: FieldReader) { self.init(field: fields.text("field"), weight: fields.number("weight")) }

  func reduce(into state: inout State, message: NativeMessage) throws -> [NativeEffect] {
    guard let value = message.value[field]?.double ?? message.value[field]?.text.flatMap(Double.init) else {
      throw NoNumber(field: field)
    }
    let mean = state.mean ?? value
    state.mean = mean + (value - mean) * weight
    return [.emit(topic: "trend", ["value": .number(value), "mean": .number(mean)])]
  }

  static let spec = ComponentSpec(
    kind: .reducer, name: "trend", summary: "Compares a number with its own moving mean",
    fields: [
      FieldSpec("field", .text, required: true, help: "The field of the messages", example: "load"),
      FieldSpec("weight", .number(0...1), default: 0.1, help: "How much the newest number counts"),
    ],
    example: "trend = { reducer = reducer.trend { field = \"load\" }, from = { \"load\" } }")
}
