extension RecordedLine {
  /// A line of a recording with its newline: its time, what it is about, and the members that a closure adds.
  static func bytes(
    at time: Timestamp, of kind: String, _ name: String, _ addMembers: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var line = JSONWriter()
    line.beginObject()
    line.member("time", time.milliseconds)
    line.member(kind, name)
    addMembers(&line)
    line.endObject()
    return line.bytes + [UInt8(ascii: "\n")]
  }

  /// The line of a recording that holds a message, with its newline.
  ///
  /// - Parameters:
  ///   - topic: the message's topic; empty for none.
  ///   - message: its bytes; a message that is JSON is kept byte for byte, but for line breaks between its parts.
  ///   - isJSON: whether the message was read as JSON; any other is written as a text.
  package static func bytes(
    time: Timestamp, source: String, topic: String = "", message: UnsafeRawBufferPointer, isJSON: Bool
  ) -> [UInt8] {
    bytes(at: time, of: "source", source) { line in
      if !topic.isEmpty { line.member("topic", topic) }
      if isJSON {
        line.key("message")
        line.json(message)
      } else {
        line.member("text", String(decoding: message, as: UTF8.self))
      }
    }
  }

  /// The line of a recording that holds what happened to a connection, with its newline.
  package static func bytes(time: Timestamp, source: String, event: ConnectionEvent) -> [UInt8] {
    bytes(at: time, of: "source", source) { line in
      line.member("event", event.name)
      if case .disconnected(let code, let reason) = event {
        line.member("code", Int64(code))
        line.member("reason", reason)
      }
    }
  }

  /// The line of a recording that holds a gap, with its newline.
  package static func bytes(time: Timestamp, source: String, gap: SourceGap) -> [UInt8] {
    bytes(at: time, of: "source", source) { line in
      line.member("event", "gap")
      if !gap.key.isEmpty { line.member("key", gap.key) }
      if let missed = gap.missed { line.member("missed", missed) }
      line.member("reason", gap.reason)
    }
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
