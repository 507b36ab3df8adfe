extension RecordedLine {
  /// The line of a recording that holds a message, with its newline.
  ///
  /// - Parameters:
  ///   - message: its bytes; a message that is JSON is kept byte for byte, but for line breaks between its parts.
  ///   - isJSON: whether the message was read as JSON; any other is written as a text.
  package static func bytes(
    time: Timestamp, source: String, message: UnsafeRawBufferPointer, isJSON: Bool
  ) -> [UInt8] {
    var line = JSONWriter()
    line.beginObject()
    line.key("time")
    line.integer(time.milliseconds)
    line.key("source")
    line.text(source)
    if isJSON {
      line.key("message")
      line.json(message)
    } else {
      line.key("text")
      line.text(String(decoding: message, as: UTF8.self))
    }
    line.endObject()
    return line.bytes + [UInt8(ascii: "\n")]
  }

  /// The line of a recording that holds what happened to a connection, with its newline.
  package static func bytes(time: Timestamp, source: String, event: ConnectionEvent) -> [UInt8] {
    var line = JSONWriter()
    line.beginObject()
    line.key("time")
    line.integer(time.milliseconds)
    line.key("source")
    line.text(source)
    line.key("event")
    line.text(event.name)
    if case .disconnected(let code, let reason) = event {
      line.key("code")
      line.integer(Int64(code))
      line.key("reason")
      line.text(reason)
    }
    line.endObject()
    return line.bytes + [UInt8(ascii: "\n")]
  }
}
