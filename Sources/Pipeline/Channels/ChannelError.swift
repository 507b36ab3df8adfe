/// Why a channel can't be used, in one sentence.
package struct ChannelError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  /// Makes an error from its sentence.
  package init(_ description: String) { self.description = description }
}
