extension Route {
  /// Whether the functions of the route need more stack than a thread may have left.
  @inlinable var isLarge: Bool { max(MemoryLayout<Whole>.size, MemoryLayout<Part>.size) > 32_768 }

  /// Says whether the whole is in the case of this route.
  ///
  /// The whole is `inout` because a build without optimization would copy it to the stack otherwise.
  @inlinable
  func matches(_ whole: inout Whole) -> Bool {
    if isLarge { return matchesLarge(&whole) }
    return matchesSmall(&whole)
  }

  // Functions of their own, because a frame has room for the copies of both branches.
  @inlinable
  func matchesSmall(_ whole: inout Whole) -> Bool { extract(whole) != nil }

  /// Moves the part out of the whole, changes it and puts it back; the whole must be in this case.
  @inlinable
  func modify<Result>(_ whole: inout Whole, _ body: (inout Part) -> Result) -> Result {
    if isLarge { return modifyLarge(&whole, body) }
    return modifySmall(&whole, body)
  }

  @inlinable
  func modifySmall<Result>(_ whole: inout Whole, _ body: (inout Part) -> Result) -> Result {
    withUnsafeMutablePointer(to: &whole) { pointer in
      // Between move and initialize the memory is empty; nothing in between throws or returns early.
      var part = take(pointer.move())
      let result = body(&part)
      pointer.initialize(to: embed(part))
      return result
    }
  }

  // A call of its own, so that the whole is gone before the part is changed and the part is referenced once.
  @usableFromInline @inline(never)
  func take(_ whole: consuming Whole) -> Part {
    guard let part = extract(whole) else {
      preconditionFailure("A route that matched didn't extract its part.")
    }
    return part
  }

  // MARK: - Large parts

  /// Room for the copies that the functions of the route make, in bytes.
  private var room: Int { 16 * max(MemoryLayout<Whole>.size, MemoryLayout<Part>.size) }

  @usableFromInline @inline(never)
  func matchesLarge(_ whole: inout Whole) -> Bool {
    withUnsafeMutablePointer(to: &whole) { whole in
      var matches = false
      LargeStack.run(room: room) { matches = extract(whole.pointee) != nil }
      return matches
    }
  }

  /// As ``modify(_:_:)``, with the part on the heap; the body runs on the caller's thread.
  @usableFromInline @inline(never)
  func modifyLarge<Result>(_ whole: inout Whole, _ body: (inout Part) -> Result) -> Result {
    withUnsafeMutablePointer(to: &whole) { whole in
      let part = UnsafeMutablePointer<Part>.allocate(capacity: 1)
      defer { part.deallocate() }
      LargeStack.run(room: room) { part.initialize(to: take(whole.move())) }
      let result = body(&part.pointee)
      LargeStack.run(room: room) { whole.initialize(to: embed(part.move())) }
      return result
    }
  }
}
