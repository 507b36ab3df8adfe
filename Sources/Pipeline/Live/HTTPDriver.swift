import Composable
import HTTP
import Scripting
import WebSocket

/// Drives `source.http`: one request at a time, at their times.
final class HTTPDriver: SourceDriver {
  private let settings: HTTPSettings
  private var memory: PollMemory
  private var stream: HTTPStream?
  private var request: HTTPClient.Request?
  private var origin = ""
  private var answer = Answer(limit: 0)
  private var failure: String?
  /// When the next request begins, in monotonic nanoseconds; nil while one is under way or none is wanted.
  private var nextPoll: UInt64?
  private var isOpened = false
  private(set) var host: String?
  private var random = SystemRandomNumberGenerator()
  private let inflater: MessageInflater?

  init(_ settings: HTTPSettings) {
    self.settings = settings
    memory = PollMemory(sendsUnchanged: settings.sendsUnchanged)
    inflater = settings.decompress.map {
      MessageInflater($0, maximumBytes: settings.request.maximumMessageBytes)
    }
  }

  var descriptor: Int32? { stream?.fileDescriptor }

  var nextDeadline: UInt64? { failure == nil ? nextPoll ?? stream?.nextDeadline : 0 }

  func connect(_ connection: Int, position: String?) {
    failure = nil
    isOpened = false
    do {
      let url = try settings.request.url.resolve()
      let origin = try Origin(url)
      (self.origin, host) = (origin.description, origin.host)
      var request = HTTPClient.Request(
        url, method: settings.method, timeout: .milliseconds(settings.timeout.count))
      for (name, value) in try settings.request.resolvedHeaders() {
        request.headers.append(HTTPClient.Field(name, value))
      }
      if let body = settings.body {
        request.body = Array(try body.text().utf8)
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
          request.headers.append(HTTPClient.Field("Content-Type", "application/json"))
        }
      }
      self.request = request
      // Kept from one connection to the next, and with it the sockets.
      if stream == nil { stream = try HTTPStream(options: try settings.request.transport()) }
      nextPoll = 0
    } catch {
      failure = "\(error)"
    }
  }

  func sendOpening() {}

  func close(code: UInt16, reason: String) {
    stream?.cancel()
    nextPoll = nil
    failure = nil
  }

  func process(now: UInt64, into output: inout SourceOutput) {
    if let failure {
      self.failure = nil
      output.events.append(.closed(SourceMachine.End(reason: failure, isPermanent: true)))
      return
    }
    guard let stream else { return }
    if let due = nextPoll, due <= now { begin(stream, now: now, &output) }
    guard stream.isActive || answer.isOver else { return }
    stream.process(now: now, into: &answer)
    guard answer.isOver else { return }
    if answer.isTooLong { stream.cancel() }
    finish(now: now, &output)
  }

  private func begin(_ stream: HTTPStream, now: UInt64, _ output: inout SourceOutput) {
    nextPoll = nil
    started = now
    answer = Answer(limit: settings.request.maximumMessageBytes)
    guard var request else { return }
    request.headers += memory.conditions
    do throws(TransferFailure) {
      try stream.start(request)
    } catch {
      answer.failed(error)
    }
  }

  private var started: UInt64 = 0

  private func finish(now: UInt64, _ output: inout SourceOutput) {
    defer { answer = Answer(limit: 0) }
    if let failure = answer.failure {
      output.events.append(.closed(SourceMachine.End(failure)))
      return
    }
    let tooLong = answer.isTooLong && (200..<300).contains(answer.status)
    let verdict =
      tooLong
      ? .nothing
      : memory.take(
        status: answer.status, headers: answer.headers, body: answer.body, from: origin, at: output.time)
    if case .failure(let end) = verdict {
      output.events.append(.closed(end))
      return
    }
    if !isOpened {
      isOpened = true
      output.events.append(.opened)
    }
    if tooLong {
      output.refused.append(
        "an answer of more than \(settings.request.maximumMessageBytes) bytes was skipped; "
          + "raise 'max_message_bytes'")
    }
    if verdict == .message {
      answer.body.withUnsafeBytes { body in
        if let inflater { inflater.add(body, to: &output) } else { output.add(body) }
      }
    }
    let jitter = Int64.random(in: 0...max(settings.jitter.count, 0), using: &random)
    nextPoll = max(now, started + UInt64(settings.every.count + jitter) * 1_000_000)
  }

  /// One answer as far as it has come.
  private struct Answer: HTTPStreamSink {
    let limit: Int
    var status = 0
    var headers: [HTTPClient.Field] = []
    var body: [UInt8] = []
    var failure: TransferFailure?
    var isTooLong = false
    var isOver = false

    init(limit: Int) { self.limit = limit }

    mutating func answered(status: Int, headers: [HTTPClient.Field]) {
      (self.status, self.headers) = (status, headers)
    }

    mutating func received(_ piece: UnsafeRawBufferPointer) {
      guard !isTooLong, body.count + piece.count <= limit else {
        body = []
        isTooLong = true
        isOver = true
        return
      }
      body.append(contentsOf: piece)
    }

    mutating func finished() { isOver = true }

    mutating func failed(_ failure: TransferFailure) {
      guard !isOver else { return }
      self.failure = failure
      isOver = true
    }
  }
}

extension SourceMachine.End {
  /// The end that a request without an answer means.
  init(_ failure: TransferFailure) {
    self.init(reason: failure.description, isPermanent: failure.kind == .invalid)
  }
}

extension HTTPSettings: SourceSettings {
  package var resumes: Bool { false }
  package func makeDriver() -> any SourceDriver { HTTPDriver(self) }
}
