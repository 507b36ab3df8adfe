@testable import WebSocket

/// Drives a `ConnectionMachine` by hand and keeps what it asked for.
final class MachineDriver {
  enum Report: Equatable {
    case opened(String?)
    case text(String)
    case binary([UInt8])
    case pong(UInt64)
    case reconnect(String)
    case finished(Ending)

    /// Why the connection failed; nil when it did not.
    var failureKind: ConnectionFailure.Kind? {
      if case .finished(.failed(let failure)) = self { failure.kind } else { nil }
    }
  }

  static let second: UInt64 = 1_000_000_000

  var machine: ConnectionMachine
  var now: UInt64 = 1000 * second
  private(set) var reports: [Report] = []

  init(_ url: String = "ws://example.org/feed", _ change: (inout Configuration) -> Void = { _ in }) throws {
    var configuration = Configuration(url: url)
    change(&configuration)
    machine = ConnectionMachine(configuration: configuration, endpoint: try configuration.check())
  }

  /// A machine that is open, with nothing to write.
  static func open(_ change: (inout Configuration) -> Void = { _ in }) throws -> MachineDriver {
    let driver = try MachineDriver("ws://example.org/feed", change)
    driver.start()
    driver.connect()
    driver.receive(driver.answer())
    driver.reports.removeAll()
    return driver
  }

  /// The reports since the last call.
  func takeReports() -> [Report] {
    defer { reports.removeAll() }
    return reports
  }

  func start() { machine.start(now: now) }

  func connect() { note(machine.connected()) }

  /// A proper 101 to the request that was written; takes the request.
  func answer(_ extra: String = "") -> [UInt8] {
    let request = String(decoding: takeOutput(), as: UTF8.self)
    let line = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") } ?? ""
    var model = UpgradeRequest(
      endpoint: machine.destination.endpoint, headers: [], subprotocols: [], nonce: [])
    model.key = String(line.dropFirst("Sec-WebSocket-Key: ".count))
    let text =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(model.expectedAccept)\r\n\(extra)\r\n"
    return Array(text.utf8)
  }

  func receive(_ bytes: [UInt8], pieces: Int = .max) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(piece.count)
      piece.withUnsafeBytes { piece in
        machine.begin(piece, now: now)
        while note(machine.next(now: now)) {}
      }
    }
  }

  func send(_ bytes: [UInt8], isText: Bool) throws {
    try bytes.withUnsafeBytes { try machine.send($0, isText: isText) }
  }

  func end() { note(machine.streamEnded()) }

  func fail(_ failure: ConnectionFailure) { note(machine.streamFailed(failure)) }

  /// Moves the time and lets the machine look at it.
  func advance(_ nanoseconds: UInt64, isDrained: Bool = true, phase: ConnectPhase? = nil) {
    now += nanoseconds
    note(machine.timeReached(now: now, isDrained: isDrained, phase: phase))
  }

  /// Everything that waits to be written.
  func takeOutput() -> [UInt8] {
    var bytes: [UInt8] = []
    while case let piece = machine.output, !piece.isEmpty {
      bytes += piece
      machine.wrote(piece.count)
    }
    return bytes
  }

  /// The frames that wait to be written; nil when they are malformed.
  func takeFrames() -> [ClientFrame]? { ClientFrame.all(in: takeOutput()) }

  /// Keeps an action's report; true when `next` is to be called again.
  @discardableResult
  private func note(_ action: ConnectionMachine.Action) -> Bool {
    switch action {
    case .proceed: return false
    case .opened: reports.append(.opened(machine.accepted?.subprotocol))
    case .message(let bytes, let isText):
      reports.append(isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(Array(bytes)))
    case .pong(let latency): reports.append(.pong(latency))
    case .reconnect:
      reports.append(.reconnect(machine.destination.endpoint.description))
      return false
    case .finish:
      if let ending = machine.ending { reports.append(.finished(ending)) }
      return false
    }
    return true
  }
}

func closePayload(_ code: UInt16, _ reason: String = "") -> [UInt8] {
  [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8
}
