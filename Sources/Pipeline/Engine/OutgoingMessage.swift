/// What leaves the engine for the world outside, once the turn that asked for it is durable, where state is kept.
struct OutgoingMessage {
  enum Content {
    /// A text for the server of a source.
    case message(source: Int, text: String)
    /// An HTTP request of a script.
    indirect case request(WebRequest, script: String)
  }

  var content: Content
  /// The number of the commit that holds the turn; nil before that has begun.
  var commit: Int?
}
