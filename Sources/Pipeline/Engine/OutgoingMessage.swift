/// A message of a script to the server of a source, on its way.
struct OutgoingMessage {
  var source: Int
  var text: String
  /// The number of the commit that holds the turn in which it was sent; nil before that has begun.
  var commit: Int?
}
