/// An ``IdentifiedArray`` of elements that know their ids.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>
where Element.ID: Sendable

extension IdentifiedArray where Element: Identifiable, Element.ID == ID {
  /// Makes a collection of elements under their own ids; of equal ids the last one counts.
  @inlinable
  public init(_ elements: some Sequence<Element>) { self.init(elements, id: \.id) }

  /// Appends an element; returns false, without a change, where its id exists.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> Bool { insert(element, id: element.id, at: count) }

  /// Inserts an element before a position; returns false, without a change, where its id exists.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> Bool {
    insert(element, id: element.id, at: position)
  }

  /// Replaces the element of the same id, or appends it.
  @inlinable
  public mutating func update(_ element: Element) { update(element, id: element.id) }
}

extension IdentifiedArray: ExpressibleByArrayLiteral where Element: Identifiable, Element.ID == ID {
  /// Makes a collection of elements under their own ids.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}
