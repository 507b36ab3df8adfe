internal import Scripting

/// A function that stands in a configuration.
public struct FunctionReference: Sendable, Hashable {
  /// What the configuration's machine knows it by.
  let number: UInt32
  /// Where it stands.
  public let place: Place

  /// Recognises a function; nil for any other value.
  init?(_ value: Value, at place: Place) {
    guard Self.isFunction(value), let number = value["$function"]?.double.flatMap({ UInt32(exactly: $0) })
    else {
      return nil
    }
    self.number = number
    self.place = place
  }

  /// Whether a value of a configuration stands for a function.
  static func isFunction(_ value: Value) -> Bool {
    if case .map(let members) = value { members["$function"] != nil } else { false }
  }
}
