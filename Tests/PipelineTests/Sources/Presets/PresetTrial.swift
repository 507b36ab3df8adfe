import Glibc
import Scripting
import Testing

@testable import Pipeline

/// A preset's source as its host drives it, on the messages of a recording in place of a server.
actor PresetTrial {
  /// What a configuration makes of a use of a preset.
  static func component(_ use: String, registry: Registry = .builtIn) throws -> (
    ConfiguredComponent?, [String]
  ) {
    let file = ScriptFile(name: "config.lua", source: "return { sources = { feed = \(use) } }")
    let (configuration, findings) = Configuration.read(
      try ConfigurationFile.evaluate(file, registry: registry), file: "config.lua", registry: registry,
      needsScripts: false, fileExists: { _ in true })
    return (configuration?.sources["feed"], findings.sorted.map(\.description))
  }

  /// A file beside this one.
  static func fixture(_ name: String) throws -> String {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    return try TextFile.read("\(folder)/Fixtures/\(name)", maximumBytes: 1 << 20)
  }

  private static let script = """
    local M = { on = {}, events = {} }
    function M.on.feed(_, message, ctx)
      local sequence = ctx.sequence and " #" .. ctx.sequence or ""
      log.info(("message %d%s %s"):format(ctx.time - 1767225600000, sequence, json.encode(message)))
    end
    function M.events.gap(_, event) log.info("gap " .. json.encode(event)) end
    return M
    """

  private let component: ConfiguredComponent
  private var session: SessionMachine
  private(set) var transcript: [String] = []

  init(_ use: String) throws {
    let (component, findings) = try Self.component(use)
    self.component = try #require(component, "\(findings)")
    session = SessionMachine(try Registry.builtIn.make(self.component, as: WebSocketSettings.self).session)
  }

  /// Lets a recording happen: what is sent and reported, and what a script gets of it.
  func play(_ recording: String) throws -> [String] {
    let runner = try ScriptRunner(name: "script", file: ScriptFile(name: "script.lua", source: Self.script))
    let wiring = EngineWiring(
      runners: [runner], feeds: [[EngineWiring.Feed(runner: runner, input: "feed")]],
      router: AlertRouter(routes: [], channels: []), intakes: [component.makeIntake()])
    let engine = VirtualEngine(
      wiring: wiring, sourceNames: ["feed"], channels: [], now: Timestamp(milliseconds: 1_767_225_600_000))
    engine.start()
    for line in recording.split(separator: "\n") {
      var line = String(line)
      try line.withUTF8 { try play(RecordedLine(UnsafeRawBufferPointer($0)), engine) }
      for case .log(.info, "script", let text) in engine.takeEvents() { transcript.append(text) }
    }
    return transcript
  }

  private func play(_ line: RecordedLine, _ engine: VirtualEngine) throws {
    let now = Timestamp(milliseconds: line.time)
    engine.advance(to: now)
    while let due = session.nextDue, due <= now { session.advance(to: due); note() }
    switch line.content {
    case .event(.connected):
      engine.reconnect(source: 0)
      try session.open(at: now, position: "")
    case .event(.disconnected(let code, let reason)):
      engine.disconnect(source: 0, code: code, reason: reason)
      session.close()
    case .bytes(let bytes):
      let batch = MessageBatch()
      batch.append(bytes, time: line.time, received: line.time)
      _ = batch.decode()
      if !session.take(batch, at: 0, now: now) { engine.receive(batch, source: 0) }
    default: throw HostFunctionError("the recording has \(line.content)")
    }
    note()
  }

  private func note() {
    for request in session.takeRequests() {
      switch request {
      case .send(let text): transcript.append("send \(text)")
      case .report(let report):
        transcript.append("\(report.state): \(report.title)\(report.reason.map { ": \($0)" } ?? "")")
      case .fail(let reason): transcript.append("fail \(reason)")
      }
    }
  }
}
