internal import Composable
internal import Glibc
internal import Synchronization
internal import Threads
internal import WebSocket

/// A thread that all connections of a client live on.
///
/// The thread holds the connections alone, so dropping the loop ends it and closes what is open.
final class SocketLoop: Sendable {
  enum Command: Sendable {
    case begin(WebSocketClient.ID, Socket)
    case end(WebSocketClient.ID, Socket)
    case receive(WebSocketClient.ID, Socket.Answer<MessageChannel>)
    case send(WebSocketClient.ID, WebSocketClient.Message, Socket.Answer<Void>)
    case ping(WebSocketClient.ID, Socket.Answer<Void>)
    case wake
    case stop
  }

  private let inbox = CommandInbox()

  init() {
    let inbox = inbox
    do {
      try DedicatedThread.start { SocketTable(inbox).run() }
    } catch {
      preconditionFailure("A thread for WebSocket connections couldn't be started: \(error).")
    }
  }

  deinit { inbox.post(.stop) }

  func post(_ command: Command) { inbox.post(command) }

  func ask<Value: Sendable>(_ command: (Socket.Answer<Value>) -> Command) async throws -> Value {
    try await withCheckedThrowingContinuation { post(command($0)) }
  }
}

/// Commands for the thread, and a pipe that wakes it.
final class CommandInbox: Sendable {
  private let commands = Mutex<[SocketLoop.Command]>([])
  let wakeDescriptor: Int32
  private let writeDescriptor: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "A pipe couldn't be made: \(String(cString: strerror(errno))).")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (wakeDescriptor, writeDescriptor) = (ends[0], ends[1])
  }

  deinit {
    close(wakeDescriptor)
    close(writeDescriptor)
  }

  func post(_ command: SocketLoop.Command) {
    commands.withLock { $0.append(command) }
    // A full pipe wakes the thread, too.
    _ = write(writeDescriptor, [1 as UInt8], 1)
  }

  func take() -> [SocketLoop.Command] {
    var buffer = [UInt8](repeating: 0, count: 512)
    while read(wakeDescriptor, &buffer, buffer.count) > 0 {}
    return commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }
}

/// The connections of a client by their ids, confined to the thread.
private final class SocketTable {
  private let inbox: CommandInbox
  private var sockets: [WebSocketClient.ID: Socket] = [:]
  /// What connections that ended left to be read, until somebody asks for it.
  private var leftovers: [(id: WebSocketClient.ID, channel: MessageChannel)] = []
  private static let leftoverLimit = 64

  init(_ inbox: CommandInbox) { self.inbox = inbox }

  func run() {
    while true {
      for command in inbox.take() {
        if case .stop = command {
          for socket in sockets.values { socket.close() }
          return
        }
        perform(command)
      }
      for (id, socket) in sockets {
        socket.process()
        guard socket.isOver else { continue }
        sockets[id] = nil
        if let channel = socket.channel { leftovers.append((id, channel)) }
      }
      leftovers.removeFirst(max(0, leftovers.count - Self.leftoverLimit))
      wait()
    }
  }

  private func perform(_ command: SocketLoop.Command) {
    switch command {
    case .begin(let id, let socket):
      sockets[id]?.close()
      leftovers.removeAll { $0.id == id }
      let inbox = inbox
      socket.prepare(roomMade: { [weak inbox] in inbox?.post(.wake) })
      sockets[id] = socket
    case .end(let id, let socket):
      socket.close()
      // Another one may have taken its id meanwhile.
      if sockets[id] === socket { sockets[id] = nil }
    case .receive(let id, let answer):
      if sockets[id] == nil, let index = leftovers.firstIndex(where: { $0.id == id }) {
        return answer.resume(returning: leftovers.remove(at: index).channel)
      }
      guard let channel = find(id, answer)?.channel else { return }
      answer.resume(returning: channel)
    case .send(let id, let message, let answer): find(id, answer)?.send(message, answer)
    case .ping(let id, let answer): find(id, answer)?.ping(answer)
    case .wake, .stop: break
    }
  }

  private func find<Value>(_ id: WebSocketClient.ID, _ answer: Socket.Answer<Value>) -> Socket? {
    if let socket = sockets[id] { return socket }
    answer.resume(
      throwing: WebSocketError("There is no open connection with this id; open one, or use another id."))
    return nil
  }

  /// Waits until something arrives, is due or is asked for.
  private func wait() {
    var descriptors = [pollfd(fd: inbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
    var deadline: UInt64?
    for socket in sockets.values {
      let isPaused = socket.isPaused
      if !isPaused {
        descriptors.append(
          pollfd(fd: socket.connection.fileDescriptor, events: Int16(POLLIN), revents: 0))
      }
      // A paused connection has work at once, for ever: its deadlines wait until it goes on.
      if let next = socket.connection.nextDeadline, !(isPaused && next == 0) {
        deadline = min(deadline ?? next, next)
      }
    }
    var timeout: Int32 = -1
    if let deadline {
      let now = monotonicNanoseconds()
      timeout = deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
    }
    _ = poll(&descriptors, nfds_t(descriptors.count), timeout)
  }
}
