internal import CCrypto
import Composable

/// A reply to an HTTP request of a script, as a recording keeps it.
///
///     {"time":1767225600500,"script":"enrich","reply":{"host":"api.example.org","key":"BTC","number":1,
///      "request":"9f86d081884c7d659a2feaa0c55ad015","status":200,"headers":{"etag":"7"},"body":"{\"name\":\"bitcoin\"}"}}
///
/// The request is kept as a hash of its method, URL and body, since these may hold secrets, and the reply without
/// cookies. `error` stands in place of status, headers and body where no answer came; a body that is no UTF-8 is
/// `body_hex`.
package struct RecordedReply: Sendable, Hashable {
  /// What a request is known by.
  package struct Request: Sendable, Hashable {
    package var script: String
    /// The key that asked.
    package var key: String
    /// 32 hexadecimal digits that are the same for the same method, URL and body.
    package var hash: String

    /// Identifies a request of a script.
    package init(script: String, _ request: WebRequest) {
      self.script = script
      key = request.key
      hash = request.hash
    }

    fileprivate init(script: String, key: String, hash: String) {
      self.script = script
      self.key = key
      self.hash = hash
    }
  }

  /// When the reply came.
  package var time: Timestamp
  package var request: Request
  /// The number of the request among those of its script; tells equal ones apart.
  package var number: UInt64
  package var host: String
  package var reply: WebReply

  /// Makes the record of a reply.
  package init(time: Timestamp, script: String, request: WebRequest, reply: WebReply) {
    self.time = time
    self.request = Request(script: script, request)
    number = request.number
    host = request.host
    self.reply = reply
  }

  /// The line of a recording, with its newline.
  package var bytes: [UInt8] {
    RecordedLine.bytes(at: time, of: "script", request.script) { line in
      line.key("reply")
      line.beginObject()
      line.member("host", host)
      if !request.key.isEmpty { line.member("key", request.key) }
      line.member("number", Int64(clamping: number))
      line.member("request", request.hash)
      reply.write(into: &line)
      line.endObject()
    }
  }

  /// Reads the members of a line.
  ///
  /// - Throws: ``RecordedLineFault``.
  init(_ members: RecordedMembers, time: Timestamp) throws(RecordedLineFault) {
    self.time = time
    let script = try members.script(beside: ["reply"])
    let reply = try members.members("reply")
    try reply.allow([
      "body", "body_hex", "error", "headers", "host", "key", "number", "request", "status",
    ])
    request = Request(
      script: script, key: try reply.optionalText("key") ?? "",
      hash: try reply.text("request"))
    number = UInt64(clamping: try reply.integer("number"))
    host = try reply.optionalText("host") ?? ""
    self.reply = try WebReply(reply)
  }
}

extension WebRequest {
  /// 32 hexadecimal digits of a SHA-256 over method, URL and body, each as its length and its bytes.
  fileprivate var hash: String {
    var bytes: [UInt8] = []
    for part in [Array(request.method.utf8), Array(request.url.utf8), request.body] {
      withUnsafeBytes(of: UInt64(part.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes += part
    }
    let hash = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      SHA256(bytes, bytes.count, buffer.baseAddress)
      count = Int(SHA256_DIGEST_LENGTH)
    }
    return HexadecimalText.write(hash.prefix(16))
  }
}

extension WebReply {
  fileprivate func write(into line: inout JSONWriter) {
    if let error {
      line.key("error")
      line.text(error)
    }
    guard let status else { return }
    line.key("status")
    line.integer(Int64(status))
    // As a script sees them: by names in lower case, the last of a name.
    var named: [String: String] = [:]
    for field in headers { named[field.name.lowercased()] = field.value }
    named["set-cookie"] = nil
    if !named.isEmpty {
      line.key("headers")
      line.beginObject()
      for (name, value) in named.sorted(by: { $0.key < $1.key }) {
        line.key(name)
        line.text(value)
      }
      line.endObject()
    }
    guard !body.isEmpty else { return }
    if let text = String(validating: body, as: UTF8.self) {
      line.key("body")
      line.text(text)
    } else {
      line.key("body_hex")
      line.text(HexadecimalText.write(body))
    }
  }

  fileprivate init(_ members: RecordedMembers) throws(RecordedLineFault) {
    self.init(error: try members.optionalText("error") ?? "")
    if members.has("error") { return }
    error = nil
    status = Int(try members.integer("status"))
    if members.has("headers") {
      let fields = try members.members("headers")
      for name in fields.names { headers.append(.init(name, try fields.text(name))) }
    }
    if let text = try members.optionalText("body") { body = Array(text.utf8) }
    if let text = try members.optionalText("body_hex") {
      guard let bytes = HexadecimalText.read(text) else {
        throw RecordedLineFault("expected 'body_hex' to be pairs of hexadecimal digits")
      }
      body = bytes
    }
  }
}
