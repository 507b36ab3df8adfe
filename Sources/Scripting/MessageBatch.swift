package import LuaShim

/// Messages of one source in the order they came, in one buffer that is used again and again.
///
/// Decoding is lazy: a batch is checked as a whole, fields are converted when somebody reads them.
///
/// Unchecked because a batch has one owner at a time: who reads a source fills it and hands it over with the
/// action, and touches it again only after that action's turn.
package final class MessageBatch: @unchecked Sendable {
  package let raw: OpaquePointer

  /// Makes an empty batch whose messages may be nested so deep.
  package init(nesting: UInt32 = 512) { raw = script_batch_create(nesting) }

  deinit { script_batch_destroy(raw) }

  /// The number of messages.
  package var count: Int { Int(script_batch_count(raw)) }

  /// The bytes of all messages together.
  package var byteCount: Int { Int(script_batch_bytes(raw)) }

  /// The bytes of the messages alone.
  package var messageByteCount: Int { Int(script_batch_message_bytes(raw)) }

  /// Copies a message in; false when the batch is full.
  @discardableResult
  package func append(
    _ bytes: UnsafeRawBufferPointer, time: Int64, received: Int64, epoch: UInt32 = 0, replayed: Bool = false,
    isText: Bool = false
  ) -> Bool {
    let info = script_message_info(
      time: time, received: received, sequence: 0, epoch: epoch, replayed: replayed, text: isText,
      numbered: false, dated: false, late: false)
    return script_batch_append(raw, bytes.baseAddress, bytes.count, info)
  }

  /// Lines that are messages at even distances in time, in milliseconds since 1970 UTC.
  package struct Lines {
    /// The time before the first one.
    package var time: Int64
    package var step: Int64
    /// None of a later time is taken.
    package var last: Int64
    /// None of more bytes is taken.
    package var longest: Int
    /// None is taken that would make the batch larger than so many bytes.
    package var room: Int

    package init(after time: Int64, step: Int64, through last: Int64, longest: Int, room: Int) {
      self.time = time
      self.step = step
      self.last = last
      self.longest = longest
      self.room = room
    }
  }

  /// Copies the lines of a text in, up to the first that has no end or is more than a message between two line feeds.
  ///
  /// - Returns: the bytes taken, with the ends of the lines, and the number of lines.
  package func append(
    _ lines: Lines, of bytes: UnsafeRawBufferPointer, epoch: UInt32
  ) -> (bytes: Int, count: Int) {
    var count: UInt32 = 0
    let lines = script_lines(
      time: lines.time, step: lines.step, last: lines.last, longest: lines.longest, room: lines.room)
    let taken = script_batch_append_lines(raw, bytes.baseAddress, bytes.count, lines, epoch, &count)
    return (taken, Int(count))
  }

  /// Gives the message that was appended last a topic of its own; more than 65,535 bytes are refused.
  @discardableResult
  package func setTopic(_ bytes: UnsafeRawBufferPointer) -> Bool {
    script_batch_set_topic(raw, bytes.baseAddress, bytes.count)
  }

  /// The same for a topic that is at hand as a string.
  @discardableResult
  package func setTopic(_ topic: String) -> Bool {
    var topic = topic
    return topic.withUTF8 { setTopic(UnsafeRawBufferPointer($0)) }
  }

  /// The topic of a message, empty where its source has none.
  package func topic(at index: Int) -> String { String(script_batch_topic(raw, UInt32(index))) }

  /// Copies a message in that is at hand as a string.
  @discardableResult
  package func append(_ text: String, time: Int64, received: Int64? = nil, replayed: Bool = false) -> Bool {
    var text = text
    return text.withUTF8 {
      append(UnsafeRawBufferPointer($0), time: time, received: received ?? time, replayed: replayed)
    }
  }

  /// Forgets all messages and keeps the memory.
  package func removeAll() { script_batch_clear(raw) }

  /// Takes over all messages of another batch in place of its own, decoded as far as they are there; where any of them
  /// is faulty, they are to be decoded anew.
  package func copy(_ other: MessageBatch) { script_batch_copy(raw, other.raw) }

  /// Passes a message over: no script sees it.
  ///
  /// - Parameter isRepeated: whether it is a message of the feed that was there before.
  package func skip(at index: Int, isRepeated: Bool = false) {
    script_batch_skip(raw, UInt32(index), isRepeated)
  }

  /// Whether a message is passed over since it was there before.
  package func isRepeated(at index: Int) -> Bool { script_batch_repeated(raw, UInt32(index)) }

  /// Whether a message is passed over.
  package func isSkipped(at index: Int) -> Bool { script_batch_skipped(raw, UInt32(index)) }

  /// Decodes what was appended since the last call and returns how many of these messages are faulty.
  package func decode() -> Int { Int(script_batch_decode(raw)) }

  /// Why a message can't be decoded, with the offset of its first bad byte; nil for a good one.
  package func fault(at index: Int) -> (offset: Int, reason: String)? {
    var offset: UInt32 = 0
    var reason = script_text()
    guard script_batch_fault(raw, UInt32(index), &offset, &reason) else { return nil }
    return (Int(offset), String(reason))
  }

  /// The bytes of a message; valid until the batch changes.
  package func bytes(at index: Int) -> UnsafeRawBufferPointer {
    let text = script_batch_message(raw, UInt32(index))
    return UnsafeRawBufferPointer(start: text.bytes, count: text.count)
  }

  /// The time of a message, in milliseconds since 1970 UTC.
  package func time(at index: Int) -> Int64 { script_batch_info(raw, UInt32(index)).time }

  /// When a message came in, in milliseconds since 1970 UTC.
  package func received(at index: Int) -> Int64 { script_batch_info(raw, UInt32(index)).received }

  /// The text or the digits at a dotted path of a decoded message.
  package func field(_ path: String, at index: Int) -> String? {
    var field = script_text()
    guard script_batch_field(raw, UInt32(index), path, &field) else { return nil }
    return String(field)
  }

  /// A decoded message as a value.
  package func value(at index: Int) -> Value { value(message: UInt32(index), node: 0).value }

  private func value(message: UInt32, node index: UInt32) -> (value: Value, next: UInt32) {
    let node = script_batch_node(raw, message, index)
    switch node.kind {
    case SCRIPT_NULL: return (.null, node.next)
    case SCRIPT_FALSE: return (.bool(false), node.next)
    case SCRIPT_TRUE: return (.bool(true), node.next)
    case SCRIPT_INTEGER: return (.integer(node.integer), node.next)
    case SCRIPT_NUMBER: return (.number(node.number), node.next)
    case SCRIPT_LIST:
      var items: [Value] = []
      items.reserveCapacity(Int(node.count))
      var child = node.first
      while child < node.next {
        let item = value(message: message, node: child)
        items.append(item.value)
        child = item.next
      }
      return (.list(items), node.next)
    case SCRIPT_MAP:
      var members: [String: Value] = [:]
      var child = node.first
      while child < node.next {
        let name = String(script_batch_node(raw, message, child).text)
        let member = value(message: message, node: child + 1)
        members[name] = member.value
        child = member.next
      }
      return (.map(members), node.next)
    default: return (.text(String(node.text)), node.next)
    }
  }
}

extension String {
  /// The characters of a text that the door owns; invalid UTF-8 is replaced.
  package init(_ text: script_text) {
    guard let bytes = text.bytes, text.count > 0 else {
      self = ""
      return
    }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: text.count)
    self = String(decoding: buffer, as: UTF8.self)
  }
}
