extension IdentifiedArray {
  /// Which rows went since a `forEach` reducer last looked.
  @usableFromInline
  enum Removals {
    case none
    /// Exactly these.
    case rows([ID])
    /// All but the present ones: the collection is another one, or too many went to remember.
    case unknown(present: [ID: Int])
  }

  @usableFromInline
  mutating func noteRemoval(of id: ID) {
    guard !hasRemovals || removed != nil else { return }
    if let count = removed?.count, count >= Swift.max(64, elements.count) { return forgetRemovals() }
    hasRemovals = true
    removed = removed ?? []
    removed?.append(id)
  }

  @usableFromInline
  mutating func forgetRemovals() {
    hasRemovals = true
    removed = nil
  }

  @usableFromInline
  mutating func takeRemovals() -> Removals {
    guard hasRemovals else { return .none }
    hasRemovals = false
    guard let ids = removed else { return .unknown(present: positions) }
    removed = nil
    return .rows(ids)
  }
}
