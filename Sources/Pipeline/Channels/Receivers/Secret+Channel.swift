extension Secret {
  /// The secret's text, when a channel is made.
  func text(forChannel name: String) throws(ChannelError) -> String {
    do throws(SecretError) { return try resolve() } catch { throw ChannelError(error.description) }
  }
}
