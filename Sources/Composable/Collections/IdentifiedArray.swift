/// An ordered collection whose elements are found by id in constant time and changed in place.
///
/// Finding, changing and appending cost the same whatever the count; inserting and removing in the middle
/// move what follows. Ids are unique. Besides its elements it remembers which ids were removed since a
/// `forEach` reducer last looked; that memory is bounded and plays no part in equality.
public struct IdentifiedArray<ID: Hashable & Sendable, Element> {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var keys: [ID] = []
  @usableFromInline var positions: [ID: Int] = [:]
  // 0 in a collection that no `forEach` has seen yet.
  @usableFromInline var mark: UInt32 = 0
  @usableFromInline var hasRemovals = true
  @usableFromInline var removed: [ID]?

  /// Makes an empty collection.
  @inlinable
  public init() {}

  /// Makes a collection of elements under the ids found by a function; of equal ids the last one counts.
  @inlinable
  public init(_ elements: some Sequence<Element>, id: (Element) -> ID) {
    for element in elements { update(element, id: id(element)) }
  }

  /// The ids, in order.
  public var ids: [ID] { keys }

  /// Says whether there is an element of this id.
  @inlinable
  public func contains(_ id: ID) -> Bool { positions[id] != nil }

  /// The position of an id; nil for an unknown one.
  @inlinable
  public func index(id: ID) -> Int? { positions[id] }

  /// The element of an id; assigning nil removes it, assigning to an unknown id appends.
  @inlinable
  public subscript(id id: ID) -> Element? {
    get { positions[id].map { elements[$0] } }
    set {
      if let newValue { update(newValue, id: id) } else { remove(id: id) }
    }
  }

  /// Changes the element of an id in place; returns nil, without a call, where there is none.
  @inlinable @inline(__always)
  public mutating func modify<Result>(_ id: ID, _ body: (inout Element) -> Result) -> Result? {
    guard let position = positions[id] else { return nil }
    return body(&elements[position])
  }

  /// Replaces the element of this id, or appends it.
  @inlinable
  public mutating func update(_ element: Element, id: ID) {
    if let position = positions[id] {
      elements[position] = element
    } else {
      positions[id] = elements.count
      elements.append(element)
      keys.append(id)
    }
  }

  /// Inserts an element before a position; returns false, without a change, where the id exists.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, id: ID, at position: Int) -> Bool {
    guard positions[id] == nil else { return false }
    elements.insert(element, at: position)
    keys.insert(id, at: position)
    renumber(from: position)
    return true
  }

  /// Removes and returns the element of an id; nil where there is none.
  @inlinable
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    guard let position = positions[id] else { return nil }
    return remove(at: position)
  }

  /// Removes and returns the element at a position.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    let id = keys.remove(at: position)
    let element = elements.remove(at: position)
    positions[id] = nil
    renumber(from: position)
    noteRemoval(of: id)
    return element
  }

  /// Removes every element for which a function answers true.
  @inlinable
  public mutating func removeAll(where shouldRemove: (Element) throws -> Bool) rethrows {
    var keptElements: [Element] = []
    var keptKeys: [ID] = []
    var dropped: [ID] = []
    for (position, element) in elements.enumerated() {
      if try shouldRemove(element) {
        dropped.append(keys[position])
      } else {
        keptElements.append(element)
        keptKeys.append(keys[position])
      }
    }
    guard !dropped.isEmpty else { return }
    elements = keptElements
    keys = keptKeys
    for id in dropped {
      positions[id] = nil
      noteRemoval(of: id)
    }
    renumber(from: 0)
  }

  /// Removes every element.
  @inlinable
  public mutating func removeAll() { removeAll { _ in true } }

  /// Puts the elements in the order of a comparison; elements of equal rank keep theirs.
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    let order = try elements.indices.sorted {
      if try areInIncreasingOrder(elements[$0], elements[$1]) { return true }
      if try areInIncreasingOrder(elements[$1], elements[$0]) { return false }
      return $0 < $1
    }
    elements = order.map { elements[$0] }
    keys = order.map { keys[$0] }
    renumber(from: 0)
  }

  @usableFromInline
  mutating func renumber(from start: Int) {
    for position in start..<keys.count { positions[keys[position]] = position }
  }
}

extension IdentifiedArray: RandomAccessCollection {
  /// Zero.
  @inlinable public var startIndex: Int { 0 }
  /// The number of elements.
  @inlinable public var endIndex: Int { elements.count }

  /// The element at a position; it can be changed in place, under the same id.
  @inlinable
  public subscript(position: Int) -> Element {
    get { elements[position] }
    _modify { yield &elements[position] }
  }
}

extension IdentifiedArray: Sendable where Element: Sendable {}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether ids and elements are equal, in order.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { a.keys == b.keys && a.elements == b.elements }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Feeds ids and elements to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
    hasher.combine(elements)
  }
}

extension IdentifiedArray: CustomReflectable, CustomStringConvertible {
  /// Shows the elements under their ids.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: zip(keys, elements).map { Mirror.Child(label: "[id: \($0)]", value: $1) },
      displayStyle: .collection)
  }

  /// The elements in order.
  public var description: String { elements.description }
}
