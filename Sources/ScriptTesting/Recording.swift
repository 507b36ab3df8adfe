import Pipeline
import Scripting

/// One line of a recording: a message, or what happened to a connection.
///
/// A line is JSON: `{"time": ms or RFC 3339, "source": "btc", "text": "…"}` with the message's text, or
/// `"message"` with the message itself, or `"event"` with `connected`, `disconnected` (`code`, `reason`) or
/// `stale`. A line without any of these is a message as it is.
struct Recording {
  enum Content {
    case message(String)
    case connected
    case disconnected(code: Int, reason: String)
    case stale
  }

  var time: Timestamp?
  var source: String?
  var content: Content

  /// Reads one line.
  init(line: Substring) throws(ClaimError) {
    let value: Value
    do {
      value = try Value(json: String(line))
    } catch {
      throw ClaimError("expected a line of JSON, got one in which \(error)")
    }
    content = .message(String(line))
    if let event = value["event"]?.text {
      switch event {
      case "connected": content = .connected
      case "connecting": content = .connected
      case "stale": content = .stale
      case "disconnected":
        content = .disconnected(
          code: value["code"]?.double.flatMap { Int(exactly: $0) } ?? 1006,
          reason: value["reason"]?.text ?? "the connection was lost")
      default:
        throw ClaimError("expected the event connected, disconnected or stale, got '\(event.prefix(40))'")
      }
    } else if let text = value["text"]?.text, value["time"] != nil {
      content = .message(text)
    } else if let message = value["message"], value["time"] != nil {
      content = .message(message.json)
    } else {
      return
    }
    source = value["source"]?.text
    time = value["time"].flatMap(Timestamp.init(value:))
  }

  /// The longest recording in bytes.
  static let maximumBytes = 256 << 20
}

extension Timestamp {
  /// Milliseconds since 1970 UTC, or a date and time as RFC 3339 writes it; nil for anything else.
  init?(value: Value) {
    switch value {
    case .integer(let milliseconds): self.init(milliseconds: milliseconds)
    case .text(let text): self.init(parsing: text)
    default: return nil
    }
  }
}
