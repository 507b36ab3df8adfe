import Pipeline
import Scripting

/// What a test lets happen.
extension TestFunctions {
  var verbs: [HostFunction] {
    [
      receive, advance, disconnect, reconnect, stale, gap, restart, reload, fail, reply, series, tick,
      recording, warmUp,
    ]
  }

  private var receive: HostFunction {
    function(.receive) { subject, arguments, call throws(ClaimError) in
      let source = try Self.source(arguments, of: subject)
      let message = try Self.message(arguments[1])
      let options = try arguments.options(2, of: .receive)
      let time = try options.time("time")
      let received = try options.time("received") ?? time ?? subject.engine.now
      let batch = Self.batch(message, received, isText: try options.boolean("text") ?? false)
      if let time, time != received { batch.setTime(time.milliseconds, at: 0) }
      if try options.boolean("late") == true { batch.markLate(at: 0) }
      if try options.boolean("replayed") == true { batch.markReplayed(at: 0) }
      if let sequence = try options.integer("sequence") { batch.setSequence(Int64(sequence), at: 0) }
      if let topic = try options.text("topic"), !batch.setTopic(topic) {
        throw ClaimError("'topic': expected at most 65,535 bytes, got \(topic.utf8.count)")
      }
      let name = try arguments.text(0, "an input")
      try subject.perform("receive(\(LuaLiteral.quoted(name)), \(message))", line: call.line) {
        $0.receive(batch, source: source)
      }
      return nil
    }
  }

  private var advance: HostFunction {
    function(.advance) { subject, arguments, call throws(ClaimError) in
      let span = try arguments.duration(0)
      try subject.perform("advance(\"\(span)\")", line: call.line) { $0.advance(to: $0.now + span) }
      return nil
    }
  }

  private var disconnect: HostFunction {
    function(.disconnect) { subject, arguments, call throws(ClaimError) in
      let source = try Self.source(arguments, of: subject)
      let options = try arguments.options(1, of: .disconnect)
      let code = try options.integer("code") ?? 1006
      let reason = try options.text("reason") ?? "the connection was lost"
      let name = subject.parts.sourceNames[source]
      guard subject.engine.isConnected(source: source) else { throw ClaimError("'\(name)' is not connected") }
      try subject.perform("disconnect(\(LuaLiteral.quoted(name)))", line: call.line) {
        $0.disconnect(source: source, code: code, reason: reason)
      }
      return nil
    }
  }

  private var reconnect: HostFunction {
    function(.reconnect) { subject, arguments, call throws(ClaimError) in
      let source = try Self.source(arguments, of: subject)
      let name = subject.parts.sourceNames[source]
      guard !subject.engine.isConnected(source: source) else {
        throw ClaimError("'\(name)' is connected already; t.disconnect it first")
      }
      try subject.perform("reconnect(\(LuaLiteral.quoted(name)))", line: call.line) {
        $0.reconnect(source: source)
      }
      return nil
    }
  }

  private var stale: HostFunction {
    function(.stale) { subject, arguments, call throws(ClaimError) in
      let source = try Self.source(arguments, of: subject)
      let name = subject.parts.sourceNames[source]
      guard subject.engine.isConnected(source: source) else { throw ClaimError("'\(name)' is not connected") }
      try subject.perform("stale(\(LuaLiteral.quoted(name)))", line: call.line) { $0.stale(source: source) }
      return nil
    }
  }

  private var gap: HostFunction {
    function(.gap) { subject, arguments, call throws(ClaimError) in
      let source = try Self.source(arguments, of: subject)
      let options = try arguments.options(1, of: .gap)
      let gap = SourceGap(
        key: try options.text("key") ?? "", missed: try options.integer("missed").map { Int64($0) },
        reason: try options.text("reason") ?? "sequence")
      let name = subject.parts.sourceNames[source]
      try subject.perform("gap(\(LuaLiteral.quoted(name)))", line: call.line) {
        $0.gap(gap, source: source)
      }
      return nil
    }
  }

  private var restart: HostFunction {
    function(.restart) { subject, _, call throws(ClaimError) in
      try subject.begin("restart()", line: call.line)
      try subject.restart()
      return nil
    }
  }

  private var reload: HostFunction {
    function(.reload) { [unowned session] subject, arguments, call throws(ClaimError) in
      let options = try arguments.options(0, of: .reload)
      var change = Subject.Change()
      change.file = try options.text("file").map(session.path)
      if options.members["params"] != nil { change.parameters = try options.members("params") }
      let expected = try options.text("refused")
      try subject.begin("reload(\(LuaLiteral.short(LuaLiteral.table(options.members))))", line: call.line)
      switch (subject.reload(change), expected) {
      case (nil, nil): break
      case (nil, let expected?):
        throw ClaimError("expected a refusal with \(LuaLiteral.quoted(expected)), but the reload went well")
      case (let refusal?, nil): throw ClaimError("the reload was refused: \(refusal)")
      case (let refusal?, let expected?):
        guard refusal.contains(expected) else {
          throw ClaimError(
            "expected a refusal with \(LuaLiteral.quoted(expected)), but it was refused for another reason: "
              + refusal)
        }
      }
      return nil
    }
  }

  private var fail: HostFunction {
    function(.fail) { subject, arguments, call throws(ClaimError) in
      let channel = try arguments.text(0, "the name of a channel")
      guard subject.parts.channels.contains(channel) else {
        throw ClaimError(
          "there is no channel '\(channel)'; known: \(subject.parts.channels.joined(separator: ", "))")
      }
      let heals = arguments.count > 1 && arguments[1] == nil
      let reason =
        heals ? nil : arguments[1] == nil ? "the test lets it fail" : try arguments.text(1, "a reason")
      let shown = heals ? "\(LuaLiteral.quoted(channel)), nil" : LuaLiteral.quoted(channel)
      try subject.perform("fail(\(shown))", line: call.line) { $0.setFailure(of: channel, to: reason) }
      return nil
    }
  }

  // MARK: - Many messages

  private var series: HostFunction {
    function(.series) { subject, arguments, call throws(ClaimError) in
      let source = try Self.source(arguments, of: subject)
      let text = try arguments.text(1, "ticks such as \"69000 +100x10 _x3\"")
      let every = try arguments.options(2, of: .series).duration("every") ?? .seconds(1)
      let series = try Series(parsing: text)
      try subject.begin("series(…, \(LuaLiteral.quoted(LuaLiteral.short(text))))", line: call.line)
      // Each tick comes back with its message; the first one comes at once, the others one step later each.
      return .list(
        series.ticks.enumerated().map { index, tick in
          var members: [String: Value] = ["source": .integer(Int64(source))]
          members["wait"] = .integer(index == 0 ? 0 : every.count)
          switch tick {
          case .value(let value): members["value"] = value
          case .missing: break
          case .stale: members["stale"] = true
          }
          return .map(members)
        })
    }
  }

  private var tick: HostFunction {
    function(.series, part: "_tick") { subject, arguments, _ throws(ClaimError) in
      let tick = try arguments.table(0)
      guard case .integer(let source)? = tick["source"], case .integer(let wait)? = tick["wait"] else {
        throw ClaimError("expected a tick of t.series")
      }
      let message = tick["value"] == nil ? nil : try Self.message(arguments[1])
      subject.go { engine in
        engine.advance(to: engine.now + Milliseconds(wait))
        if tick["stale"] != nil { engine.stale(source: Int(source)) }
        if let message { engine.receive(Self.batch(message, engine.now), source: Int(source)) }
      }
      return nil
    }
  }

  private var recording: HostFunction {
    function(.recording) { [unowned session] subject, arguments, call throws(ClaimError) in
      let name = try arguments.text(0, "the name of a file")
      let options = try arguments.options(1, of: .recording)
      let names = subject.parts.sourceNames
      var plain = 0
      if let source = try options.text("source") { plain = try Self.source(source, of: subject) }
      let every = try options.duration("every") ?? .seconds(1)
      try subject.begin("recording(\(LuaLiteral.quoted(name)))", line: call.line)
      var faults: [String] = []
      do throws(FileError) {
        let file = try RecordingFile(path: session.path(name))
        let isRecording = try file.isRecording
        let now = subject.engine.now
        let cursor = RecordingCursor(
          file, form: isRecording ? .recording() : .messages(source: plain, from: now, interval: every),
          sources: names)
        let reader = RecordingReader([cursor]) { _, line, fault in
          faults.append("\(name): line \(line): \(fault)")
        }
        let history = try reader.takeHistory()
        for kill in history.kills { subject.engine.tell(.kill(kill)) }
        if !history.messages.isEmpty { subject.go { _ = $0.warmUp(with: History(history.messages)) } }
        while let piece = try reader.next(), faults.isEmpty {
          switch piece {
          case .messages(let batch, let source): subject.go { $0.receive(batch, source: source) }
          case .merged(let messages): subject.go { $0.receive(messages) }
          case .happening(let happening): subject.go { $0.tell(happening) }
          }
        }
        if let unknown = cursor.unknownSources.keys.min() {
          faults.append("\(name): there is no source '\(unknown)'; known: \(names.joined(separator: ", "))")
        }
      } catch {
        faults.append(error.description)
      }
      if let fault = faults.first { throw ClaimError(fault) }
      return nil
    }
  }

  // MARK: - Arguments

  private static func source(_ arguments: ArgumentReader, of subject: Subject) throws(ClaimError) -> Int {
    try source(try arguments.text(0, "the name of an input or a source"), of: subject)
  }

  private static func source(_ name: String, of subject: Subject) throws(ClaimError) -> Int {
    guard let source = subject.parts.inputs[name] else {
      let known = subject.parts.inputs.keys.sorted().joined(separator: ", ")
      throw ClaimError("there is no input or source '\(name)'; known: \(known)")
    }
    return source
  }

  /// A message as its text: a table is written as JSON, a text is the message itself.
  private static func message(_ value: Value?) throws(ClaimError) -> String {
    switch value {
    case nil: throw ClaimError("expected a message, a table or its text, got nothing")
    case .text(let text)?: return text
    case .some(let value): return value.json
    }
  }

  private static func batch(_ text: String, _ time: Timestamp, isText: Bool = false) -> MessageBatch {
    let batch = MessageBatch()
    var text = text
    _ = text.withUTF8 {
      batch.append(
        UnsafeRawBufferPointer($0), time: time.milliseconds, received: time.milliseconds, isText: isText)
    }
    return batch
  }
}
