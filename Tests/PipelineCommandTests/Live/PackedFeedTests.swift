import Glibc
import Testing

@Suite(
  "A feed that packs its messages",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct PackedFeedTests {
  private let folder: TemporaryFolder
  private let server: FeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FeedServer(in: folder)
  }

  private func start(_ options: String) throws -> RunningCommand {
    let config = try folder.writeLive(
      feed: "source.websocket { url = '\(server.url("/packed"))', \(options) }")
    return try RunningCommand(["run", config], in: folder)
  }

  @Test func `messages are unpacked, and one becomes many`() throws {
    let run = try start("decompress = 'gzip', split = 'items'")
    try run.wait(for: "message a.", in: .output)
    try run.wait(for: "message b.", in: .output)
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
  }

  @Test func `what isn't unpacked goes to the quarantine, with what to do`() throws {
    let run = try start("")
    try run.wait(for: #"this looks like gzip: set decompress = "gzip""#)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0 && end.output == "", "\(end.output)")
  }

  @Test func `the bound of a message holds for what is in it`() throws {
    let run = try start("decompress = 'auto', max_message_bytes = 500")
    try run.wait(for: "has more than 500 bytes unpacked; raise 'max_message_bytes'")
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
  }
}
