/// A value that several features, or several stores, hold together.
///
///     struct State: Equatable {
///       @Shared var settings: Settings
///     }
///
/// Whoever makes the state gives the shared value, as one of ``SharedValues``:
///
///     let settings = await dependencies.shared.file("settings.json", as: .json, default: Settings())
///     let store = Store(initialState: Player.State(settings: settings)) { Player() }
///
/// Copies refer to the same value: what one feature changes, all others read at once. A reducer changes it
/// like any part of its state. A change made elsewhere starts no turn in a store; a feature that must react
/// reads ``changes()`` in an effect. In a test store every change has to be claimed.
///
/// Two shared values are equal when they are the same one, or hold equal values.
@propertyWrapper
public struct Shared<Value: Sendable & Equatable>: Sendable {
  let reference: SharedReference<Value>

  init(_ reference: SharedReference<Value>) { self.reference = reference }

  /// Makes a value that is shared by nothing but the copies of this one, and isn't persisted.
  ///
  /// - Parameters:
  ///   - value: The value to begin with.
  ///   - name: What failure texts call it.
  public init(_ value: Value, name: String = "shared") {
    reference = SharedReference(value, name: name)
  }

  /// The value; a change is made in place, and is whole before anyone else reads it.
  public var wrappedValue: Value {
    get { reference.read() }
    nonmutating _modify {
      if let claims = SharedClaims.current {
        var value = claims.value(of: reference)
        defer { claims.claim(value, of: reference) }
        yield &value
      } else {
        reference.beginChange()
        defer { reference.endChange() }
        yield &reference.value
      }
    }
  }

  /// The shared value itself, to hand on to another feature.
  public var projectedValue: Self { self }

  /// Reads and changes the value without anyone else in between.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try body(&wrappedValue)
  }

  /// The value of now, then each that differs. Who reads slower than it changes gets the newest one only.
  public func changes() -> AsyncStream<Value> { reference.changes() }
}

extension Shared: Equatable {
  /// Whether both are the same shared value, or hold equal ones.
  public static func == (a: Self, b: Self) -> Bool {
    a.reference === b.reference || a.wrappedValue == b.wrappedValue
  }
}

extension Shared: CustomReflectable, CustomStringConvertible {
  /// Shows the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
  /// The value's text.
  public var description: String { "\(wrappedValue)" }
}
