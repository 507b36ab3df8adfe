public import Scripting

/// A message to send that may hold references to the environment, which are filled in when it is sent.
public struct MessageTemplate: Sendable, Hashable {
  private let template: Value
  private let place: Place

  init(_ template: Value, place: Place) {
    self.template = template
    self.place = place
  }

  /// Makes a message without references.
  public init(_ value: Value) {
    self.init(value, place: Place(file: "the program"))
  }

  /// The message to send: a text goes out as it is, anything else as JSON.
  ///
  /// - Throws: `SecretError` if a variable it refers to isn't set.
  public func resolve(
    _ environment: (String) -> String? = ProcessEnvironment.value(of:)
  ) throws(SecretError) -> Value {
    try Self.resolve(template, place, environment)
  }

  /// The text to put on the wire: a text as it is, anything else as JSON.
  ///
  /// - Throws: `SecretError` if a variable it refers to isn't set.
  public func text(
    _ environment: (String) -> String? = ProcessEnvironment.value(of:)
  ) throws(SecretError) -> String {
    let message = try resolve(environment)
    return message.text ?? message.json
  }

  /// Whether items go into the message.
  var mentionsItems: Bool { template.mentionsItem || template.mentions("{items}") }

  /// Whether the message has room for one item alone.
  var needsSingleItems: Bool { template.needsSingleItem }

  private static func resolve(
    _ value: Value, _ place: Place, _ environment: (String) -> String?
  ) throws(SecretError) -> Value {
    switch value {
    case .list(let elements):
      var resolved: [Value] = []
      for (index, element) in elements.enumerated() {
        resolved.append(try resolve(element, place.element(index + 1), environment))
      }
      return .list(resolved)
    case .map(let members):
      if let reference = EnvironmentReference(value) {
        let place = place.at(line: reference.line)
        return .text(try Secret(.environment(name: reference.name), place: place).resolve(environment))
      }
      var resolved: [String: Value] = [:]
      for (name, member) in members {
        resolved[name] = try resolve(member, place.member(name), environment)
      }
      return .map(resolved)
    default:
      return value
    }
  }
}

extension MessageTemplate: CustomStringConvertible {
  /// The message with the names of its variables in place of their texts.
  public var description: String { LuaText.write(template) }
}
