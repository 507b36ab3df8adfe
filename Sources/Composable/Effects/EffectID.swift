/// Any hashable value as the name of an effect or a row; values of different types differ.
@usableFromInline
struct EffectID: Hashable, Sendable {
  // Not `AnyHashable`, which looks for a type's own way of being converted each time one is made.
  @usableFromInline let box: EffectIDBox

  @inlinable
  init(_ value: some Hashable & Sendable) { box = TypedEffectIDBox(value) }

  /// The value, where it is of this type.
  func value<Value: Hashable & Sendable>(as type: Value.Type) -> Value? {
    (box as? TypedEffectIDBox<Value>)?.value
  }

  @usableFromInline
  static func == (a: Self, b: Self) -> Bool { a.box === b.box || a.box.equals(b.box) }

  @usableFromInline
  func hash(into hasher: inout Hasher) { box.hash(into: &hasher) }
}

// Sendable because a box holds nothing but the value of its subclass, which is Sendable and never changes.
@usableFromInline
class EffectIDBox: @unchecked Sendable {
  @inlinable
  init() {}

  func equals(_ other: EffectIDBox) -> Bool { preconditionFailure("The subclass compares.") }
  func hash(into hasher: inout Hasher) { preconditionFailure("The subclass hashes.") }
}

// Sendable as its base class is: the one value is Sendable and never changes.
@usableFromInline
final class TypedEffectIDBox<Value: Hashable & Sendable>: EffectIDBox, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }

  override func equals(_ other: EffectIDBox) -> Bool {
    // The exact type, so that no dynamic cast is needed.
    type(of: other) == Self.self && unsafeDowncast(other, to: Self.self).value == value
  }

  override func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
