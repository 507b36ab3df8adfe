import Composable
import HTTP
import Scripting

/// Drives `source.sse`: one stream of events at a time.
final class EventStreamDriver: SourceDriver {
  private let settings: EventStreamSettings
  private var stream: HTTPStream?
  private var parser: EventStreamParser
  private var origin = ""
  private var failure: String?
  private var isOpened = false
  /// The time that the server wants to pass before it is asked again.
  private var retry: Milliseconds?
  /// When the connection counts as dead, in monotonic nanoseconds; nil for never.
  private var idleDeadline: UInt64?
  private(set) var host: String?

  init(_ settings: EventStreamSettings) {
    self.settings = settings
    parser = EventStreamParser(maximumBytes: settings.request.maximumMessageBytes)
  }

  var descriptor: Int32? { stream?.fileDescriptor }

  var nextDeadline: UInt64? {
    if failure != nil { return 0 }
    guard let stream, stream.isActive else { return nil }
    guard let idleDeadline else { return stream.nextDeadline }
    return min(idleDeadline, stream.nextDeadline ?? .max)
  }

  func connect(_ connection: Int, position: String?) {
    failure = nil
    isOpened = false
    idleDeadline = nil
    parser = EventStreamParser(
      maximumBytes: settings.request.maximumMessageBytes, lastEventID: position ?? "")
    do {
      let url = try settings.request.url.resolve()
      let origin = try Origin(url)
      (self.origin, host) = (origin.description, origin.host)
      // The machine bounds the connect; an open stream may last for ever.
      var request = HTTPClient.Request(url, timeout: .seconds(1 << 32))
      request.headers = [
        HTTPClient.Field("Accept", "text/event-stream"), HTTPClient.Field("Cache-Control", "no-store"),
      ]
      for (name, value) in try settings.request.resolvedHeaders() {
        request.headers.append(HTTPClient.Field(name, value))
      }
      if let position, !position.isEmpty, position.isHeaderValue {
        request.headers.append(HTTPClient.Field("Last-Event-ID", position))
      }
      // A new one each time: a socket on which a stream has ended is of no use.
      let stream = try HTTPStream(options: try settings.request.transport())
      try stream.start(request)
      self.stream = stream
    } catch {
      stream = nil
      failure = "\(error)"
    }
  }

  func sendOpening() {}

  func close(code: UInt16, reason: String) {
    stream = nil
    failure = nil
    idleDeadline = nil
  }

  func process(now: UInt64, into output: inout SourceOutput) {
    if let failure {
      self.failure = nil
      output.events.append(.closed(SourceMachine.End(reason: failure, isPermanent: true)))
      return
    }
    guard let stream, stream.isActive else { return }
    var sink = Sink(driver: self, output: output)
    stream.process(now: now, into: &sink)
    output = sink.output
    if sink.hasBytes { idleDeadline = settings.idleTimeout.map { now + UInt64($0.count) * 1_000_000 } }
    if let end = sink.end {
      self.stream = nil
      idleDeadline = nil
      output.events.append(.closed(end))
    } else if let idleDeadline, now >= idleDeadline {
      self.stream = nil
      self.idleDeadline = nil
      let silence = settings.idleTimeout ?? .zero
      output.events.append(
        .closed(end(reason: "not a byte came from \(origin) within \(silence)")))
    }
  }

  /// An end of the stream, after which the server's wish is heeded.
  private func end(reason: String) -> SourceMachine.End {
    SourceMachine.End(reason: reason, leastWait: retry)
  }

  private func take(_ piece: UnsafeRawBufferPointer, _ output: inout SourceOutput) {
    let before = parser.lastEventID
    parser.parse(piece) { item in
      switch item {
      case .event(let name, let data):
        guard !data.isEmpty, settings.events.isEmpty || settings.events.contains(name) else { return }
        output.add(data, topic: name)
      case .retry(let wait): retry = wait
      case .tooLong(let bytes):
        output.refused.append(
          "an event of \(bytes) bytes was skipped: the limit is \(parser.maximumBytes); "
            + "raise 'max_message_bytes'")
      case .longID(let bytes):
        output.refused.append(
          "an event id of \(bytes) bytes was passed over: the limit is \(EventStreamParser.maximumIDBytes)")
      }
    }
    if parser.lastEventID != before { output.position = parser.lastEventID }
  }

  private func open(
    _ status: Int, _ headers: [HTTPClient.Field], at now: Timestamp
  ) -> SourceMachine.End? {
    guard status != 204 else {
      return SourceMachine.End(
        code: status, reason: "\(origin) answered 204: there is nothing more to come", isPermanent: true)
    }
    guard status == 200 else { return SourceMachine.End(answer: status, headers, from: origin, at: now) }
    let type = headers.last { $0.name.lowercased() == "content-type" }?.value ?? ""
    let essence = type.prefix { $0 != ";" && $0 != " " }
    guard essence.lowercased() == "text/event-stream" else {
      let found = type.isEmpty ? "no Content-Type" : "\"\(String(essence.prefix(60)).printable)\""
      return SourceMachine.End(
        code: status,
        reason: "\(origin) answered with \(found), expected \"text/event-stream\"; check the path of the URL")
    }
    isOpened = true
    return nil
  }

  private struct Sink: HTTPStreamSink {
    let driver: EventStreamDriver
    var output: SourceOutput
    var end: SourceMachine.End?
    var hasBytes = false

    mutating func answered(status: Int, headers: [HTTPClient.Field]) {
      end = driver.open(status, headers, at: output.time)
      guard end == nil else { return }
      hasBytes = true
      output.events.append(.opened)
    }

    mutating func received(_ piece: UnsafeRawBufferPointer) {
      guard end == nil else { return }
      hasBytes = true
      driver.take(piece, &output)
    }

    mutating func finished() {
      if end == nil { end = driver.end(reason: "the stream was ended by the server") }
    }

    mutating func failed(_ failure: TransferFailure) {
      guard end == nil else { return }
      var end = SourceMachine.End(failure)
      end.leastWait = driver.retry
      self.end = end
    }
  }
}

extension EventStreamSettings: SourceSettings {
  package var resumes: Bool { true }
  package func makeDriver() -> any SourceDriver { EventStreamDriver(self) }
}
