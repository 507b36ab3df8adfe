extension Registry {
  /// Adds a source that is written in Swift.
  ///
  /// A spec that contradicts itself or is of another kind, or a name already taken, stops the program with a
  /// sentence.
  ///
  /// - Parameters:
  ///   - spec: its declaration, of the kind `source`: configurations are checked by it, and help comes from it.
  ///   - make: makes the source from its checked options.
  public mutating func register(
    source spec: ComponentSpec, make: @escaping @Sendable (FieldReader) throws -> any NativeSource
  ) {
    precondition(spec.kind == .source, "\(spec.constructor) is no source")
    register(spec) { NativeSourceSettings(source: try make($0)) }
  }

  /// Adds a channel that is written in Swift, as ``register(source:make:)`` adds a source.
  public mutating func register(
    channel spec: ComponentSpec, make: @escaping @Sendable (FieldReader) throws -> any NativeChannel
  ) {
    precondition(spec.kind == .channel, "\(spec.constructor) is no channel")
    register(spec) { NativeChannelSettings(channel: try make($0)) }
  }
}
