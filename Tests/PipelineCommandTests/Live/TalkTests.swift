import Glibc
import Testing

@Suite("Talking to a server", .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct TalkTests {
  @Test func `what a script sends reaches the server as soon as its turn is stored`() throws {
    let folder = try TemporaryFolder()
    let server = try FeedServer(in: folder)
    let script = """
      local M = { on = {} }
      function M.on.feed(state, message)
        if message.n < 3 then
          effect.send("server", { last = message.n })
        else
          alert.send { name = "seen", text = "message " .. message.n .. "." }
        end
      end
      return M
      """
    let config = try folder.writeLive(
      feed: "source.websocket { url = '\(server.url("/talk"))' }", script: script,
      rest: "storage = storage.sqlite { file = 'state.db' },")
    let mapped = try folder.write(
      "mapped.lua", folder.read(config).replacing("from =", with: "outputs = { server = 'feed' }, from ="))
    let run = try RunningCommand(["run", mapped], in: folder)
    // No message and no timer comes to the host's help: only what it sends gets it the next one.
    try run.wait(for: "message 3.", in: .output)
    try server.wait(for: #"got /talk {"last":1}"#)
    try server.wait(for: #"got /talk {"last":2}"#)
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
  }
}
