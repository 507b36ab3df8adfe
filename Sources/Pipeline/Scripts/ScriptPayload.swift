/// What an effect carries.
struct ScriptPayload {
  /// As JSON, keys sorted by their bytes.
  var json: String
  /// Where it is a text, that text; nil for anything else.
  var text: String?
}
