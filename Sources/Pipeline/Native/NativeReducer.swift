public import Scripting

/// A reducer written in Swift, which a configuration names like a script: message in, state changed, effects out.
///
/// ```swift
/// struct Spread: NativeReducer {
///   struct State: NativeState { … }
///   func reduce(into state: inout State, message: NativeMessage) throws -> [NativeEffect] {
///     state.last = message.value["price"]?.double ?? state.last
///     return [.emit(topic: "last", .number(state.last))]
///   }
/// }
/// ```
///
/// It runs on the engine's thread, before the scripts: it must not wait. What it emits reaches scripts in the same
/// turn. Its state is stored in the same commit as everything else of the turn. With a `warm_up` it begins with a
/// history, as scripts do: of what it asks for then, only values that it emits reach anyone, the scripts which begin
/// as well.
public protocol NativeReducer: Sendable {
  /// What it keeps for each key.
  associatedtype State: NativeState

  /// The key whose state a message is about, nil for a message to skip; without this method all have the empty one.
  func key(of message: NativeMessage) -> String?

  /// Changes the state of a key, and says what is to happen besides.
  ///
  /// - Throws: any error; the state is then as before, and the message goes to the quarantine with the error's text.
  func reduce(into state: inout State, message: NativeMessage) throws -> [NativeEffect]

  /// The topics that it emits, which configurations name as `reducer.topic`.
  var topics: [String] { get }
}

extension NativeReducer {
  /// All messages have the empty key.
  public func key(of message: NativeMessage) -> String? { "" }
  /// It emits nothing.
  public var topics: [String] { [] }
}

/// What a native reducer keeps for a key, as a value that can be stored.
public protocol NativeState: Sendable {
  /// Makes the state of a key that no message has had.
  init()
  /// Makes a state from what ``stored`` gave.
  ///
  /// - Throws: any error, which is told in the log; the key then starts afresh.
  init(stored value: Value) throws
  /// The state as plain data.
  var stored: Value { get }
}

/// A message as a native reducer sees it.
public struct NativeMessage: Sendable, Hashable {
  /// The content.
  public var value: Value
  /// The input of the reducer that the message came in by.
  public var input: String
  /// The name of the source.
  public var source: String
  /// When it happened, or else came in.
  public var time: Timestamp
  /// Whether the source sent it before, or it belongs to a history.
  public var isReplayed: Bool

  /// Makes a message, as tests do.
  public init(
    _ value: Value, input: String = "", source: String = "", time: Timestamp = Timestamp(milliseconds: 0),
    isReplayed: Bool = false
  ) {
    self.value = value
    self.input = input
    self.source = source
    self.time = time
    self.isReplayed = isReplayed
  }
}

/// What a native reducer wants to happen, once its state stands.
public enum NativeEffect: Sendable, Hashable {
  /// Tells an alert under the key in hand; it goes where the routes say.
  case alert(name: String, text: String, severity: Severity = .info, labels: [String: String] = [:])
  /// Hands a value on to the scripts that take the topic; numbers that JSON has no form for, nan and the infinities,
  /// arrive as null.
  case emit(topic: String, Value)
  /// Writes a line to the log.
  case log(String)
}

extension Registry {
  /// Adds a reducer that is written in Swift, as ``register(source:make:)`` adds a source.
  public mutating func register(
    reducer spec: ComponentSpec, make: @escaping @Sendable (FieldReader) throws -> any NativeReducer
  ) {
    precondition(spec.kind == .reducer, "\(spec.constructor) is no reducer")
    register(spec) { NativeReducerSettings(reducer: try make($0)) }
  }
}

/// A native reducer as a configuration uses it.
struct NativeReducerSettings: Sendable {
  let reducer: any NativeReducer

  func makeRunner(name: String) -> any NativeStage {
    func make(_ reducer: some NativeReducer) -> any NativeStage { NativeRunner(name: name, reducer: reducer) }
    return make(reducer)
  }
}
