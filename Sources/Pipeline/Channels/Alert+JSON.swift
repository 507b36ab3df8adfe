extension Alert {
  /// The alert as one line of JSON that ends in a newline.
  ///
  /// The keys are always the same and in this order: time, kind, severity, script, name, key, text, value,
  /// labels, id. The time is RFC 3339 in UTC with milliseconds; the value is null where there is none.
  ///
  /// A published value is a line of its own, as it is.
  package func jsonLine(id: String) -> [UInt8] {
    guard kind != .published else { return Array(text.utf8) + [UInt8(ascii: "\n")] }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("time")
    writer.text(time.rfc3339())
    writer.key("kind")
    writer.text(kind.rawValue)
    writer.key("severity")
    writer.text(severity.name)
    writer.key("script")
    writer.text(script)
    writer.key("name")
    writer.text(name)
    writer.key("key")
    writer.text(key)
    writer.key("text")
    writer.text(text)
    writer.key("value")
    if let value { writer.number(value) } else { writer.null() }
    writer.key("labels")
    writer.beginObject()
    for (name, value) in labels.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      writer.key(name)
      writer.text(value)
    }
    writer.endObject()
    writer.key("id")
    writer.text(id)
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
