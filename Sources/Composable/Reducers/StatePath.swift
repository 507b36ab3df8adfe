/// A place inside a state, reached by its offset in memory where the key path is a chain of stored properties.
@usableFromInline
struct StatePath<Root, Value> {
  @usableFromInline let offset: Int?
  @usableFromInline let keyPath: WritableKeyPath<Root, Value>

  @inlinable
  init(_ keyPath: WritableKeyPath<Root, Value>) {
    self.keyPath = keyPath
    self.offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// Changes the value in place, without a copy for stored properties.
  @inlinable @inline(__always)
  func modify<Result>(_ root: inout Root, _ body: (inout Value) -> Result) -> Result {
    guard let offset else { return body(&root[keyPath: keyPath]) }
    // `offset(of:)` promises that this address holds the property; `root` is accessed exclusively meanwhile.
    return withUnsafeMutablePointer(to: &root) { pointer in
      let address = UnsafeMutableRawPointer(pointer) + offset
      return body(&address.assumingMemoryBound(to: Value.self).pointee)
    }
  }
}
