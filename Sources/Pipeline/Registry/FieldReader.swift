public import Scripting

/// Typed access to the options of one component, after they were checked and defaults were filled in.
///
/// Asking for an option that isn't declared, or by another type than the declared one, is a mistake in the
/// program and stops it with a sentence. Options without a default have an `optional` form that gives nil.
public struct FieldReader: Sendable {
  /// The component the options belong to, such as `source.websocket`.
  public let owner: String
  private let values: [String: FieldValue?]

  init(owner: String, values: [String: FieldValue?]) {
    self.owner = owner
    self.values = values
  }

  /// The text of an option of type `text`, `choice` or `reference`, or the resolved path of a `file`.
  public func text(_ name: String) -> String { required(optionalText(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalText(_ name: String) -> String? { read(name, "a text", Self.text) }

  /// The secret of an option of type `url` or `secretText`.
  public func secret(_ name: String) -> Secret { required(optionalSecret(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalSecret(_ name: String) -> Secret? { read(name, "a secret", Self.secret) }

  /// The number of an option of type `integer`, or the bytes of a `size`.
  public func integer(_ name: String) -> Int64 { required(optionalInteger(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalInteger(_ name: String) -> Int64? {
    read(name, "an integer or a size") { if case .integer(let integer) = $0 { integer } else { nil } }
  }

  /// The number of an option of type `number`.
  public func number(_ name: String) -> Double { required(optionalNumber(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalNumber(_ name: String) -> Double? {
    read(name, "a number") { if case .number(let number) = $0 { number } else { nil } }
  }

  /// The value of an option of type `boolean`.
  public func boolean(_ name: String) -> Bool { required(optionalBoolean(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalBoolean(_ name: String) -> Bool? {
    read(name, "a boolean") { if case .boolean(let boolean) = $0 { boolean } else { nil } }
  }

  /// The span of an option of type `duration`.
  public func duration(_ name: String) -> Milliseconds { required(optionalDuration(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalDuration(_ name: String) -> Milliseconds? {
    read(name, "a duration") { if case .duration(let span) = $0 { span } else { nil } }
  }

  /// The options of an option of type `group`.
  public func group(_ name: String) -> FieldReader { required(optionalGroup(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalGroup(_ name: String) -> FieldReader? { read(name, "a group", Self.group) }

  /// The message of an option of type `message`.
  public func message(_ name: String) -> MessageTemplate { required(optionalMessage(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalMessage(_ name: String) -> MessageTemplate? { read(name, "a message", Self.message) }

  /// The value of an option of type `value`.
  public func value(_ name: String) -> Value { required(optionalValue(name), name) }

  /// The same as an option that may be absent: nil then.
  public func optionalValue(_ name: String) -> Value? {
    read(name, "a value") { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The function of an option of type `function`; nil if it is absent.
  public func optionalFunction(_ name: String) -> FunctionReference? {
    read(name, "a function") { if case .function(let function) = $0 { function } else { nil } }
  }

  /// The members of an option of type `headers`; empty if it is absent or a function.
  public func headers(_ name: String) -> [String: Secret] {
    headersFunction(name) == nil ? secretMap(name) : [:]
  }

  /// The function of an option of type `headers`; nil if it is absent or a table.
  public func headersFunction(_ name: String) -> FunctionReference? {
    let found: FunctionReference?? = read(name, "headers") { value in
      switch value {
      case .function(let function): .some(function)
      case .map: .some(nil)
      default: nil
      }
    }
    return found ?? nil
  }

  /// The elements of an option of type `list(of:)` with texts, choices, references or files; empty if absent.
  public func texts(_ name: String) -> [String] { list(name, "texts", Self.text) }

  /// The elements of an option of type `list(of: .message)`; empty if absent.
  public func messages(_ name: String) -> [MessageTemplate] { list(name, "messages", Self.message) }

  /// The elements of an option of type `list(of: .group)`; empty if absent.
  public func groups(_ name: String) -> [FieldReader] { list(name, "groups", Self.group) }

  /// The members of an option of type `map(of: .group)`; empty if absent.
  public func groupMap(_ name: String) -> [String: FieldReader] { map(name, "groups", Self.group) }

  /// The members of an option of type `map(of: .text)`; empty if absent.
  public func textMap(_ name: String) -> [String: String] { map(name, "texts", Self.text) }

  /// The elements of an option of type `list(of: .value)`; empty if absent.
  public func values(_ name: String) -> [Value] {
    list(name, "values") { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The members of an option of type `map(of: .value)`; empty if absent.
  public func valueMap(_ name: String) -> [String: Value] {
    map(name, "values") { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The members of an option of type `map(of: .secretText)`; empty if absent.
  public func secretMap(_ name: String) -> [String: Secret] { map(name, "secrets", Self.secret) }
}

extension FieldReader {
  private static func text(_ value: FieldValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  private static func secret(_ value: FieldValue) -> Secret? {
    if case .secret(let secret) = value { secret } else { nil }
  }

  private static func group(_ value: FieldValue) -> FieldReader? {
    if case .group(let group) = value { group } else { nil }
  }

  private static func message(_ value: FieldValue) -> MessageTemplate? {
    if case .message(let message) = value { message } else { nil }
  }

  private func list<Element>(_ name: String, _ kind: String, _ take: (FieldValue) -> Element?) -> [Element] {
    let elements = read(name, "a list") { if case .list(let elements) = $0 { elements } else { nil } }
    return (elements ?? []).map { convert($0, name, "a list of \(kind)", take) }
  }

  private func map<Element>(
    _ name: String, _ kind: String, _ take: (FieldValue) -> Element?
  ) -> [String: Element] {
    let members = read(name, "a map") { if case .map(let members) = $0 { members } else { nil } }
    return (members ?? [:]).mapValues { convert($0, name, "a map of \(kind)", take) }
  }

  private func read<Result>(_ name: String, _ kind: String, _ take: (FieldValue) -> Result?) -> Result? {
    guard let declared = values[name] else {
      preconditionFailure("\(owner) declares no option '\(name)'")
    }
    return declared.map { convert($0, name, kind, take) }
  }

  private func convert<Result>(
    _ value: FieldValue, _ name: String, _ kind: String, _ take: (FieldValue) -> Result?
  ) -> Result {
    guard let result = take(value) else {
      preconditionFailure("the option '\(name)' of \(owner) is not declared as \(kind)")
    }
    return result
  }

  private func required<Result>(_ value: Result?, _ name: String) -> Result {
    guard let value else {
      preconditionFailure("the option '\(name)' of \(owner) is absent; ask for it in its optional form")
    }
    return value
  }
}
