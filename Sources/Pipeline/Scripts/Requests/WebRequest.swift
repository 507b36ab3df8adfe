package import Composable
package import Scripting

/// An HTTP request of a script, with what its reply is handed to.
package struct WebRequest: Sendable, Hashable {
  /// What tells the requests of one script and key apart: the script's own id, or a number.
  package var id: String
  /// Grows with each request of the script; a reply with another number is not awaited any more.
  package var number: UInt64
  package var key: String
  package var request: HTTPClient.Request
  /// The least span between two requests of the script to one host.
  package var pace: Milliseconds
  /// Whether redirects are followed, which may lead to any host.
  package var followsRedirects: Bool

  /// The host that is asked.
  package var host: String
}

extension WebRequest {
  /// The method, in upper case.
  package var method: String { request.method }
  /// The address.
  package var url: String { request.url }
  /// The body; empty for none.
  package var body: [UInt8] { request.body }
}

/// What became of a request.
package struct WebReply: Sendable, Hashable {
  /// Nil where no answer came.
  package var status: Int?
  package var headers: [HTTPClient.Field] = []
  package var body: [UInt8] = []
  /// Why no answer came, nil where one did.
  package var error: String?

  /// The reply to a request that got an answer.
  package init(_ response: HTTPClient.Response) {
    status = response.status
    headers = response.headers
    body = response.body
  }

  /// The reply to a request that got none.
  package init(error: String) { self.error = error }

  /// What the script's action gets: `ok`, `status`, `headers` with names in lower case, `json` or, where the body is
  /// no JSON, `text`, and `error`.
  package var value: Value {
    var members: [String: Value] = ["ok": .bool(status.map { (200..<300).contains($0) } ?? false)]
    if let error { members["error"] = .text(error) }
    guard let status else { return .map(members) }
    members["status"] = .integer(Int64(status))
    var named: [String: Value] = [:]
    for field in headers { named[field.name.lowercased()] = .text(field.value) }
    members["headers"] = .map(named)
    if !body.isEmpty {
      let batch = MessageBatch()
      body.withUnsafeBytes { _ = batch.append($0, time: 0, received: 0) }
      if batch.decode() == 0 {
        members["json"] = batch.value(at: 0)
      } else {
        members["text"] = .text(String(decoding: body, as: UTF8.self))
      }
    }
    return .map(members)
  }
}
