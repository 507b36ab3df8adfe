import Composable
import Pipeline
import Scripting

/// Something that left a script and that a test has to claim.
struct Happening {
  enum Kind {
    case alert(Alert)
    case log(LogLevel, String)
    case effect(name: String, target: String)
    case subscription(source: String, SubscriptionChange)
    case emitted(topic: String, json: String)
    case sent(output: String, text: String)
    case published(output: String, json: String)
    case requested(WebRequest)
    case delivery(Alert, channel: String)
    case failure(QuarantineRow)
  }

  var kind: Kind
  /// The script's name; empty for a message that no script could read.
  var script: String
  /// Whether the test may leave it unclaimed: what was asked for before its first line.
  var isOptional = false

  /// Which claim names it.
  var claim: ClaimKind {
    switch kind {
    case .alert(let alert): alert.kind == .resolved ? .resolved : .alert
    case .log: .log
    case .effect, .subscription, .sent, .published, .requested: .effect
    case .emitted: .emitted
    case .delivery: .delivered
    case .failure: .error
    }
  }

  /// The fields that a claim can name.
  func fields(channels: [String]) -> [String: Value] {
    switch kind {
    case .alert(let alert):
      var fields = Self.fields(of: alert)
      fields["to"] = .list(channels.map { .text($0) })
      return fields
    case .delivery(let alert, let channel):
      var fields = Self.fields(of: alert)
      fields["channel"] = .text(channel)
      return fields
    case .log(let level, let text): return ["level": .text(level.name), "text": .text(text)]
    case .effect(let name, let target): return [name: .text(target)]
    case .subscription(let source, let change):
      return [
        change.isWanted ? "subscribe" : "unsubscribe": .text(source),
        "subscription": .text(change.subscription), "items": .list(change.items.map { .text($0) }),
      ]
    case .sent(let output, let text): return ["send": .text(output), "message": Self.value(text)]
    case .published(let output, let json): return ["publish": .text(output), "value": Self.value(json)]
    case .requested(let request): return Self.fields(of: request)
    case .emitted(let topic, let json):
      return ["topic": .text(topic), "value": Self.value(json), "script": .text(script)]
    case .failure(let row):
      return ["text": .text(row.reason), "input": .text(row.input), "source": .text(row.source)]
    }
  }

  /// What was emitted; the host wrote it, so it can be read.
  private static func value(_ json: String) -> Value { (try? Value(json: json)) ?? .text(json) }

  private static func fields(of request: WebRequest) -> [String: Value] {
    var fields: [String: Value] = [
      "http": .text(request.request.url), "method": .text(request.request.method), "key": .text(request.key),
    ]
    var headers: [String: Value] = [:]
    for field in request.request.headers { headers[field.name] = .text(field.value) }
    if !headers.isEmpty { fields["headers"] = .map(headers) }
    if !request.request.body.isEmpty {
      fields["body"] = value(String(decoding: request.request.body, as: UTF8.self))
    }
    return fields
  }

  private static func shown(_ json: String) -> String { LuaLiteral.short(LuaLiteral.write(value(json))) }

  private static func fields(of alert: Alert) -> [String: Value] {
    var fields: [String: Value] = [
      "rule": .text(alert.name), "name": .text(alert.name), "text": .text(alert.text),
      "key": .text(alert.key),
      "severity": .text(alert.severity.name), "script": .text(alert.script),
      "kind": .text(alert.kind.rawValue),
      "time": .integer(alert.time.milliseconds), "labels": .map(alert.labels.mapValues { .text($0) }),
    ]
    if let value = alert.value { fields["value"] = .number(value) }
    return fields
  }

  /// The happening as histories and messages show it.
  var description: String {
    switch kind {
    case .alert(let alert):
      let key = alert.key.isEmpty ? "" : " of key \(LuaLiteral.quoted(alert.key))"
      return "\(claim.noun) '\(alert.name)'\(key): \(LuaLiteral.quoted(LuaLiteral.short(alert.text)))"
    case .log(let level, let text): return "log.\(level.name) \(LuaLiteral.quoted(LuaLiteral.short(text)))"
    case .effect(let name, let target): return "effect.\(name) \(LuaLiteral.quoted(target))"
    case .subscription(let source, let change):
      let items =
        change.items.isEmpty
        ? "" : ", \(LuaLiteral.short(LuaLiteral.write(.list(change.items.map { .text($0) }))))"
      return
        "effect.\(change.isWanted ? "subscribe" : "unsubscribe")(\(LuaLiteral.quoted(source)), \(LuaLiteral.quoted(change.subscription))\(items))"
    case .sent(let output, let text):
      return "effect.send(\(LuaLiteral.quoted(output)), \(Self.shown(text)))"
    case .requested(let request):
      return
        "effect.http \(request.request.method) \(LuaLiteral.quoted(LuaLiteral.short(request.request.url)))"
    case .published(let output, let json):
      return "effect.publish(\(LuaLiteral.quoted(output)), \(Self.shown(json)))"
    case .emitted(let topic, let json):
      return "emit(\(LuaLiteral.quoted(topic)), \(Self.shown(json)))"
    case .delivery(let alert, let channel): return "'\(alert.name)' delivered to '\(channel)'"
    case .failure(let row): return "error in \(row.input.isEmpty ? "a message" : row.input): \(row.reason)"
    }
  }

  /// The claim to write for it.
  var suggestion: String {
    switch kind {
    case .alert(let alert):
      var fields: [String: Value] = ["rule": .text(alert.name), "text": .text(alert.text)]
      if !alert.key.isEmpty { fields["key"] = .text(alert.key) }
      return "t.\(claim.rawValue) " + LuaLiteral.table(fields, first: ["rule", "key", "text"])
    case .log(let level, let text):
      return "t.log(\(LuaLiteral.quoted(level.name)), \(LuaLiteral.quoted(text)))"
    case .effect(let name, let target): return "t.effect { \(name) = \(LuaLiteral.quoted(target)) }"
    case .subscription, .sent, .published, .requested:
      return "t.effect "
        + LuaLiteral.table(
          fields(channels: []), first: ["subscribe", "unsubscribe", "send", "publish", "http", "method"])
    case .emitted(let topic, let json):
      return "t.emitted(\(LuaLiteral.quoted(topic)), \(LuaLiteral.write(Self.value(json))))"
    case .delivery(let alert, let channel):
      return "t.delivered " + LuaLiteral.table(["rule": .text(alert.name), "channel": .text(channel)])
    case .failure(let row): return "t.error(\(LuaLiteral.quoted(row.reason)))"
    }
  }
}

/// The claims about what left a script.
enum ClaimKind: String, CaseIterable {
  case alert
  case resolved
  case log
  case effect
  case emitted
  case delivered
  case error

  var article: String { self == .alert || self == .effect || self == .emitted || self == .error ? "an" : "a" }

  var noun: String {
    switch self {
    case .alert: "alert"
    case .resolved: "resolved alert"
    case .log: "log line"
    case .effect: "effect"
    case .emitted: "emitted message"
    case .delivered: "delivery"
    case .error: "error"
    }
  }
}
