import Scripting

/// Makes of the texts of one history the messages that its input gets.
struct HistoryReader {
  private let input: History.Input
  private let settings: WarmUpSettings?
  private let isText: Bool
  private let intake: MessageIntake?
  private let now: Timestamp
  private let batch = MessageBatch()
  private var messages: [RecordedHistory] = []
  private var byteCount = 0
  private(set) var count = 0
  private(set) var faultyCount = 0
  private var firstFault = ""
  private var futureCount = 0
  private var oldCount = 0
  private var surplusCount = 0

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - settings: the bounds; nil for those of a history without any of its own.
  ///   - options: how messages are read.
  ///   - now: the time of the start, which is that of messages without one of their own.
  init(_ input: History.Input, _ settings: WarmUpSettings?, options: MessageOptions?, now: Timestamp) {
    self.input = input
    self.settings = settings
    self.now = now
    isText = options?.decoding == .text
    intake = options.flatMap { $0.isPlain ? nil : MessageIntake($0) }
  }

  /// Takes what came at a time: a message, or many of them.
  mutating func add(_ bytes: UnsafeRawBufferPointer, at time: Timestamp, topic: String = "") {
    batch.removeAll()
    batch.append(bytes, time: time.milliseconds, received: time.milliseconds)
    if !topic.isEmpty { batch.setTopic(topic) }
    let parts = intake?.parts(of: batch) ?? batch
    _ = parts.decode()
    _ = intake?.inspect(parts, connection: 0)
    for index in 0..<parts.count where !parts.isSkipped(at: index) {
      count += 1
      if let fault = parts.fault(at: index) {
        note("message \(count) can't be decoded: \(fault.reason)")
        continue
      }
      take(parts, index)
    }
    let (most, mostBytes) = (settings?.maximumMessages ?? .max, settings?.maximumBytes ?? .max)
    if messages.count / 2 >= most || byteCount / 2 >= mostBytes { trim() }
  }

  /// Notes what can't be read.
  mutating func note(_ fault: String) {
    faultyCount += 1
    if firstFault.isEmpty { firstFault = fault }
  }

  private mutating func take(_ parts: MessageBatch, _ index: Int) {
    let time = Timestamp(milliseconds: parts.time(at: index))
    guard time <= now else { return futureCount += 1 }
    if let last = settings?.last, time < now + Milliseconds(-last.count) { return oldCount += 1 }
    let bytes = Array(parts.bytes(at: index))
    byteCount += bytes.count
    messages.append(
      RecordedHistory(
        time: time, script: input.script, input: input.input, topic: parts.topic(at: index), message: bytes,
        isText: isText))
  }

  /// Lets the oldest go that are too many.
  private mutating func trim() {
    messages.sort { $0.time < $1.time }
    var first = max(messages.count - (settings?.maximumMessages ?? .max), 0)
    var bytes = messages[first...].reduce(0) { $0 + $1.message.count }
    while bytes > settings?.maximumBytes ?? .max {
      bytes -= messages[first].message.count
      first += 1
    }
    surplusCount += first
    byteCount = bytes
    messages.removeFirst(first)
  }

  /// Adds what was read to a history, or why it can't be used.
  mutating func finish(into history: inout History) {
    trim()
    func note(_ text: String) { history.notes.append((input.script, "M.on.\(input.input): \(text)")) }
    if messages.isEmpty {
      var reason = firstFault.isEmpty ? "it holds no message" : firstFault
      if oldCount > 0 { reason = "all its messages are older than 'last' allows" }
      if futureCount > 0 { reason = "all its messages are later than the start" }
      history.failures.append(
        History.Failure(input: input, reason: reason, isRequired: settings?.isRequired ?? false))
      return
    }
    if faultyCount > 0 {
      note("\(faultyCount) of \(count) messages of its history can't be read: \(firstFault)")
    }
    if futureCount > 0 {
      note("\(futureCount) messages of its history are later than the start and were passed over")
    }
    if surplusCount > 0 {
      note(
        "\(surplusCount) messages of its history are beyond 'max_messages' or 'max_bytes'; the newest count")
    }
    history.messages += messages
  }
}
