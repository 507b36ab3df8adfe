/// What shall follow an action: nothing, further actions, work outside the store, or cancellation.
///
/// An effect is a description; the store performs it after the reducer has returned.
public struct Effect<Action: Sendable>: Sendable {
  @usableFromInline let operation: Operation

  @usableFromInline
  enum Operation: Sendable {
    case none
    case send(Action)
    /// An action of a child that can go while it waits.
    case sendFrom(FeatureOrigin, Action)
    case other(Compound)
  }

  /// Whatever is more than one action to send.
  @usableFromInline
  indirect enum Compound: Sendable {
    case run(Run)
    case merge([Effect])
    case concatenate([Effect])
    case cancel(EffectID)
    case cancellable(EffectID, cancelInFlight: Bool, Effect)
    case debounce(EffectID, Duration, Effect)
    case throttle(EffectID, Duration, latest: Bool, Effect)
    /// Belongs to a child feature.
    case feature(FeatureOrigin, Effect)
    /// The child feature at a place is gone: cancels all it had started.
    case endFeature(UInt32)
    /// These rows of a `forEach` are gone.
    case endRows(UInt32, [EffectID])
    /// Those rows of a `forEach` are gone for which the function answers true.
    case endRowsWhere(UInt32, @Sendable (EffectID) -> Bool)
    /// Runs with the dependencies of a subtree.
    case dependencies(Dependencies, Effect)
    case issue(message: String, action: Action?)
  }

  /// Work outside the store.
  @usableFromInline
  struct Run: Sendable {
    let name: String?
    let priority: TaskPriority?
    let location: CodeLocation
    let operation: @Sendable (Send<Action>) async throws -> Void
    let handler: (@Sendable (any Error, Send<Action>) async -> Void)?
  }

  @inlinable
  init(_ operation: Operation) { self.operation = operation }

  @inlinable
  init(_ compound: Compound) { operation = .other(compound) }

  /// Nothing follows.
  @inlinable
  public static var none: Self { Self(.none as Operation) }

  /// Sends an action after those already queued, in the same turn.
  @inlinable
  public static func send(_ action: Action) -> Self { Self(.send(action) as Operation) }

  /// Whether nothing follows.
  @inlinable
  var isNone: Bool { if case .none = operation { true } else { false } }

  /// Runs work outside the store's isolation, which may send any number of actions.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; that of the sender where nil.
  ///   - name: What diagnostics call the task; its line of source where nil.
  ///   - operation: The work. The actions it sends are handled in their order. It should end soon after its
  ///     task is cancelled; what it sends from then on is dropped.
  ///   - handler: Takes an error thrown by the operation. Without one, an error is reported as an issue,
  ///     except `CancellationError` after a cancel.
  ///   - fileID: The module and file of the caller, for diagnostics.
  ///   - filePath: The path of the caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  public static func run(
    priority: TaskPriority? = nil, name: String? = nil,
    operation: @escaping @Sendable (Send<Action>) async throws -> Void,
    catch handler: (@Sendable (any Error, Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let location = CodeLocation(fileID, line, filePath: filePath, column: column)
    return Self(
      .run(Run(name: name, priority: priority, location: location, operation: operation, handler: handler)))
  }

  @usableFromInline
  static func issue(_ message: String, _ action: Action?) -> Self {
    Self(.issue(message: message, action: action))
  }
}
