import TestPeers
import Testing

@Suite("HTTP requests in whole runs", .enabled(if: PythonServer.isAvailable, "\(PythonServer.reason)"))
struct RequestRunTests {
  private static let script = """
    local M = { on = {}, actions = {} }
    function M.on.price(state, message)
      effect.http { url = message.url, reply = "found" }
    end
    function M.actions.found(state, reply)
      alert.send { name = "found", text = reply.ok and reply.json.name or reply.error }
    end
    return M
    """

  @Test func `a reply becomes an alert before the run ends`() throws {
    let folder = try TemporaryFolder()
    let port = try PythonServer.http().port("http")
    let url = "http://127.0.0.1:\(port)/status/200?body=%7B%22name%22%3A%22Ether%22%7D"
    try folder.write("prices.ndjson", "{\"url\":\"\(url)\"}\n")
    let sources = #"btc = source.file { path = "prices.ndjson" }"#
    let closed = try folder.writeProject(sources: sources, script: Self.script)
    let refused = try CommandRun(["run", closed], in: folder)
    #expect(refused.errors.contains("add hosts = { \"127.0.0.1\" } to the script"), "\(refused.errors)")
    let open = try folder.write(
      "open.lua", folder.read(closed).replacing("from =", with: "hosts = { \"127.0.0.1\" }, from ="))
    let run = try CommandRun(["run", open], in: folder)
    #expect(run.output.contains(#""text":"Ether""#), "\(run.output)\(run.errors)")
    let replay = try CommandRun(["replay", open, folder.path("prices.ndjson")], in: folder)
    #expect(replay.output.contains(#""text":"not_recorded""#), "\(replay.output)\(replay.errors)")
  }
}
