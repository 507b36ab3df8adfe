/// What makes two alerts be about the same: rules have one episode at a time for each key.
struct AlertSubject: Sendable, Hashable {
  var script: String
  var name: String
  var key: String

  init(_ alert: Alert) {
    script = alert.script
    name = alert.name
    key = alert.key
  }
}
