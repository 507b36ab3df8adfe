extension RecordedLine {
  /// The line of a recording that holds a message, with its newline.
  ///
  /// - Parameters:
  ///   - topic: the message's topic; empty for none.
  ///   - message: its bytes; a message that is JSON is kept byte for byte, but for line breaks between its parts.
  ///   - isJSON: whether the message was read as JSON; any other is written as a text.
  package static func bytes(
    time: Timestamp, source: String, topic: String = "", message: UnsafeRawBufferPointer, isJSON: Bool
  ) -> [UInt8] {
    var line = JSONWriter()
    line.beginObject()
    line.key("time")
    line.integer(time.milliseconds)
    line.key("source")
    line.text(source)
    if !topic.isEmpty {
      line.key("topic")
      line.text(topic)
    }
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

  /// The line of a recording that holds a gap, with its newline.
  package static func bytes(time: Timestamp, source: String, gap: SourceGap) -> [UInt8] {
    var line = JSONWriter()
    line.beginObject()
    line.key("time")
    line.integer(time.milliseconds)
    line.key("source")
    line.text(source)
    line.key("event")
    line.text("gap")
    if !gap.key.isEmpty {
      line.key("key")
      line.text(gap.key)
    }
    if let missed = gap.missed {
      line.key("missed")
      line.integer(missed)
    }
    line.key("reason")
    line.text(gap.reason)
    line.endObject()
    return line.bytes + [UInt8(ascii: "\n")]
  }

  /// The line of a recording that holds anything but a message, with its newline.
  ///
  /// - Parameter sources: the names of the sources in the order of their numbers.
  package static func bytes(_ happening: RecordedHappening, sources: [String]) -> [UInt8] {
    switch happening {
    case .event(let event): bytes(time: event.time, source: sources[event.source], event: event.event)
    case .gap(let gap, let source, let time): bytes(time: time, source: sources[source], gap: gap)
    case .reply(let reply): reply.bytes
    case .kill(let kill): kill.bytes
    case .history(let message): message.bytes
    case .version(let version): version.bytes
    }
  }
}
