import Composable
import ComposableNetworking
import ComposableTesting
import Testing

@Suite("3.6 The WebSocket client", .timeLimit(.minutes(1)))
struct WebSocketClientTests {
  private let client = WebSocketClient.sockets(headers: [.init("X-Client", "test")])
  private let id = WebSocketClient.ID("feed")

  private func url(_ server: LoopbackServer) -> String { "ws://127.0.0.1:\(server.port)/feed?secret" }

  @Test("A connection tells its opening, its messages in order and its end")
  func wholeLife() async throws {
    let requests = Events<String>()
    let server = LoopbackServer { peer in
      requests.add(peer.upgrade() ?? "")
      peer.write(.text("one"))
      peer.write(.binary([0, 255]))
      peer.write(.close(4_001, "done"))
      _ = peer.readFrame()
    }
    var events = try await client.open(id, url(server), ["a", "b"]).makeAsyncIterator()
    #expect(await events.next() == .opened(protocol: "a"))
    let messages = try await client.receive(id)
    #expect(await events.next() == .closed(code: 4_001, reason: "done"))
    #expect(await events.next() == nil)
    var received: [WebSocketClient.Message] = []
    for await message in messages { received.append(try message.get()) }
    #expect(received == [.text("one"), .binary([0, 255])])
    let request = await requests.first()
    #expect(request?.hasPrefix("GET /feed?secret HTTP/1.1\r\n") == true)
    #expect(request?.contains("\r\nX-Client: test\r\n") == true)
  }

  @Test("What came before a connection ended can still be received once")
  func leftovers() async throws {
    let server = LoopbackServer { peer in
      _ = peer.upgrade()
      peer.write(.text("last"))
      peer.write(.close(1_000, ""))
      _ = peer.readFrame()
    }
    for await _ in try await client.open(id, url(server), []) {}
    var messages = try await client.receive(id).makeAsyncIterator()
    #expect(try await messages.next()?.get() == .text("last"))
    #expect(await messages.next() == nil)
    await #expect {
      _ = try await client.receive(id)
    } throws: { error in
      "\(error)" == "There is no open connection with this id; open one, or use another id."
    }
  }

  @Test("Messages are sent in order, and a ping returns with its pong")
  func sending() async throws {
    let frames = Events<[Peer.Frame]>()
    let server = LoopbackServer { peer in
      _ = peer.upgrade()
      var seen: [Peer.Frame] = []
      while let frame = peer.readFrame() {
        if frame.opcode == 9 { peer.write(.pong(frame.payload)) } else { seen.append(frame) }
        if seen.count == 2, frame.opcode == 9 { frames.add(seen) }
      }
    }
    var events = try await client.open(id, url(server), []).makeAsyncIterator()
    #expect(await events.next() == .opened(protocol: nil))
    try await client.send(id, .text("héllo"))
    try await client.send(id, .binary([1, 2]))
    try await client.sendPing(id)
    #expect(await frames.first() == [.text("héllo"), .binary([1, 2])])
  }

  @Test("Cancelling the reader of the events says goodbye and closes the connection")
  func cancel() async throws {
    let (opened, farewell) = (Events<Void>(), Events<Peer.Frame?>())
    let server = LoopbackServer { peer in
      _ = peer.upgrade()
      farewell.add(peer.readFrame())
    }
    let task = Task { [client, id] in
      for await _ in try await client.open(id, url(server), []) { opened.add(()) }
    }
    await opened.first()
    task.cancel()
    #expect(await farewell.first() == .close(1_000, ""))
    try await task.value
    await #expect(throws: WebSocketError.self) { try await client.send(id, .text("late")) }
  }

  @Test("A second connection under an id takes the place of the first")
  func replaced() async throws {
    let farewell = Events<Peer.Frame?>()
    let first = LoopbackServer { peer in
      _ = peer.upgrade()
      farewell.add(peer.readFrame())
    }
    let second = LoopbackServer { peer in
      _ = peer.upgrade()
      while let frame = peer.readFrame() { peer.write(frame) }
    }
    var events = try await client.open(id, url(first), []).makeAsyncIterator()
    #expect(await events.next() == .opened(protocol: nil))
    var others = try await client.open(id, url(second), []).makeAsyncIterator()
    #expect(await others.next() == .opened(protocol: nil))
    #expect(await farewell.first() == .close(1_000, ""))
    while await events.next() != nil {}
    try await client.send(id, .text("echo"))
    var messages = try await client.receive(id).makeAsyncIterator()
    #expect(try await messages.next()?.get() == .text("echo"))
  }

  @Test("A reader who takes his time holds the server up instead of filling the memory")
  func backpressure() async throws {
    let size = 100_000
    let count = 400
    let server = LoopbackServer { peer in
      _ = peer.upgrade()
      for number in 0..<count {
        peer.write(.binary([UInt8(number % 256)] + Array(repeating: 0, count: size - 1)))
      }
      peer.write(.close(1_000, ""))
      _ = peer.readFrame()
    }
    var events = try await client.open(id, url(server), []).makeAsyncIterator()
    #expect(await events.next() == .opened(protocol: nil))
    var number = 0
    for await message in try await client.receive(id) {
      #expect(try message.get() == .binary([UInt8(number % 256)] + Array(repeating: 0, count: size - 1)))
      number += 1
    }
    #expect(number == count)
    #expect(await events.next() == .closed(code: 1_000, reason: ""))
  }

  @Test("A connection that can't be made ends with the reason; a wrong URL is refused at once")
  func failures() async throws {
    let refusing = LoopbackServer { peer in
      _ = peer.readHead()
      peer.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    }
    var seen: [WebSocketClient.Event] = []
    for await event in try await client.open(id, url(refusing), []) { seen.append(event) }
    guard case .closed(1_006, let reason)? = seen.first, seen.count == 1 else {
      return #expect(seen == [], "expected one event of closing")
    }
    #expect(reason.contains("403") && !reason.contains("secret"))
    await #expect(throws: WebSocketError.self) { _ = try await client.open(id, "http://127.0.0.1", []) }
  }

  @Test("A feature opens, sends, receives and closes under one cancellation id")
  @MainActor
  func inFeature() async {
    struct Feed: Reducer {
      enum Action: Sendable, Equatable {
        case connect(String), opened, message(WebSocketClient.Message), disconnect, closed
      }
      func reduce(into state: inout [String], action: Action) -> Effect<Action> {
        let id = WebSocketClient.ID("feed")
        switch action {
        case .connect(let url):
          return .run { send in
            for await event in try await send.dependencies.socket.open(id, url, []) {
              if case .opened = event { await send(.opened) }
            }
          }
          .cancellable(id: id)
        case .opened:
          return .run { send in
            try await send.dependencies.socket.send(id, .text("hello"))
            for await message in try await send.dependencies.socket.receive(id) {
              await send(.message(try message.get()))
            }
          }
          .cancellable(id: id)
        case .message(.text(let text)):
          state.append(text)
          return .none
        case .message, .closed: return .none
        case .disconnect: return .cancel(id: id)
        }
      }
    }
    let ended = Events<Void>()
    let server = LoopbackServer { peer in
      _ = peer.upgrade()
      if let frame = peer.readFrame() { peer.write(frame) }
      peer.waitForEnd()
      ended.add(())
    }
    let store = Store(initialState: [String](), dependencies: Dependencies(.live) { $0.socket = client }) {
      Feed()
    }
    var texts = store.changes(of: { $0 }).makeAsyncIterator()
    store.send(.connect(url(server)))
    while let seen = await texts.next(), seen != ["hello"] {}
    store.send(.disconnect)
    await ended.first()
    await store.close()
    #expect(store.runningEffectNames.isEmpty)
  }
}
