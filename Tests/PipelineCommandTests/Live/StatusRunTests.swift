import Glibc
import Scripting
import Testing

@Suite("The status of a running program")
struct StatusRunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ arguments: [String] = [], rest: String) throws -> (RunningCommand, config: String) {
    let config = try folder.writeLive(
      feed: "source.stdin {}", script: TemporaryFolder.countMessages, rest: rest)
    let run = try RunningCommand(["run", config] + arguments, in: folder, hasInput: true)
    try run.wait(for: "feed: connected")
    try run.write("{}\nno JSON\n{}\n")
    try run.wait(for: "count 2.", in: .output)
    return (run, config)
  }

  private func first(_ list: Value?) -> Value? {
    if case .list(let items)? = list { items.first } else { nil }
  }

  @Test(
    "tells of sources, scripts, outbox and storage, as JSON and as tables",
    arguments: ["stored", "--no-state"])
  func status(state: String) throws {
    let isStored = state == "stored"
    let (run, config) = try start(
      isStored ? [] : [state], rest: "storage = storage.sqlite { file = 'state.db' }")
    let json = try CommandRun(["status", config, "--format", "json"], in: folder)
    #expect(json.status == 0, "\(json.errors)")
    let status = try Value(json: json.output)
    let source = first(status["sources"])
    #expect(source?["state"] == "connected")
    #expect(source?["messages"] == 3)
    #expect(source?["undecodable"] == 1)
    #expect(source?["bytes"] == 11)
    #expect(source?["reconnects"] == 0)
    let script = first(status["scripts"])
    #expect(script?["state"] == "running")
    #expect(script?["keys"] == 1)
    #expect(script?["failed"] == 0)
    #expect(first(status["outbox"]?["channels"])?["name"] == "main")
    #expect(status["process"] == .integer(Int64(run.identifier)))
    #expect(status["storage"]?["home"]?.text?.hasSuffix("state.db") == isStored)
    let text = try CommandRun(["status", config, "--format", "text"], in: folder)
    #expect(text.status == 0)
    #expect(text.output.contains("feed    connected"))
    #expect(text.output.contains("all is well; up "))
    #expect(text.output.contains("reload: none since the start"))
    run.closeInput()
    #expect(try run.finish().status == 0)
  }

  @Test("tells of alerts that are held back for a digest")
  func held() throws {
    let hour = Int(time(nil)) / 3_600 % 24
    func clock(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour):00" }
    let config = try folder.writeLive(
      feed: "source.stdin {}",
      script: """
        local M = { on = {} }
        function M.on.feed(state, message)
          alert.send { name = "seen", text = "seen" }
          log.info("message " .. message.n .. ".")
        end
        return M
        """,
      rest: """
        routes = { { hold = "\(clock(hour))-\(clock((hour + 2) % 24))", to = { "main" } } },
        storage = storage.sqlite { file = 'state.db' }
        """)
    let run = try RunningCommand(["run", config], in: folder, hasInput: true)
    try run.write("{\"n\":1}\n{\"n\":2}\n")
    try run.wait(for: "message 2.")
    let text = try CommandRun(["status", config, "--format", "text"], in: folder)
    #expect(text.output.contains("outbox: 0 waiting, 2 held back; 0 dead letters"), "\(text.output)")
    let json = try CommandRun(["status", config, "--format", "json"], in: folder)
    #expect(try Value(json: json.output)["outbox"]?["held"] == 2)
    run.closeInput()
    #expect(try run.finish().status == 0)
  }

  @Test("without a running host it says so, tells what is stored, and ends with 1")
  func notRunning() throws {
    let (run, config) = try start(rest: "storage = storage.sqlite { file = 'state.db' }")
    run.send(signal: SIGKILL)
    #expect(try run.finish().status == -SIGKILL)
    for command in ["status", "reload"] {
      let end = try CommandRun([command, config], in: folder)
      #expect(end.status == 1)
      #expect(end.output == "")
      #expect(end.errors.contains("no host is running \(config); its storage holds "), "\(end.errors)")
    }
    // What the killed one left behind is replaced.
    let again = try RunningCommand(["run", config], in: folder, hasInput: true)
    try again.wait(for: "feed: connected")
    #expect(try CommandRun(["status", config], in: folder).status == 0)
    again.closeInput()
    #expect(try again.finish().status == 0)
    #expect(!again.text(.errors).contains("can't reach this host"))
  }

  @Test("the socket is its user's alone, and goes with the program")
  func socket() throws {
    let (run, _) = try start(rest: "storage = storage.sqlite { file = 'state.db' }")
    var info = stat()
    try #require(stat(folder.path("state.db.sock"), &info) == 0)
    #expect(info.st_mode & 0o777 == 0o600)
    run.closeInput()
    #expect(try run.finish().status == 0)
    #expect(stat(folder.path("state.db.sock"), &info) != 0)
  }
}
