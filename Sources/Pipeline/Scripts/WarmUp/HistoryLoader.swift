import Composable
import HTTP
import Scripting

/// Reads the histories that a configuration gives its scripts.
package struct HistoryLoader: Sendable {
  /// Asks for what is far away.
  typealias Fetch = @Sendable (HTTPClient.Request, _ maximumBytes: Int) async throws -> HTTPClient.Response

  /// After so many lines it is looked whether the time is over.
  private static let linesBetweenLooks = 1_024

  private let configuration: Configuration
  private let now: Timestamp
  private let fetch: Fetch?

  /// Makes a loader that reads files alone, for replays and tests.
  ///
  /// - Parameter now: the time of the start; what is later is no history.
  package init(_ configuration: Configuration, now: Timestamp) {
    self.init(configuration, now: now, fetch: nil)
  }

  init(_ configuration: Configuration, now: Timestamp, fetch: Fetch?) {
    self.configuration = configuration
    self.now = now
    self.fetch = fetch
  }

  /// Asks over the network.
  static func fetch(through loop: TransferLoop) -> Fetch {
    { request, maximumBytes in
      var options = HTTPTransport.Options()
      options.maximumResponseBytes = maximumBytes
      return try await HTTPTransport(loop, options: options).send(request)
    }
  }

  /// Reads the histories of some scripts; what can't be read is among the failures.
  ///
  /// - Parameter recorded: what a recording holds, in place of what the configuration names.
  /// - Throws: `CancellationError`.
  package func load(
    _ isWanted: (String) -> Bool, recorded: [RecordedHistory] = []
  ) async throws -> History {
    let known = Self.inputs(of: recorded)
    var answers: [History.Input: Answer] = [:]
    for (place, settings) in wanted(isWanted) where !known.contains(place) {
      guard case .http(let url, let headers) = settings.origin, let fetch else { continue }
      answers[place] = try await ask(url, headers, settings, fetch)
    }
    return read(isWanted, recorded: recorded, answers)
  }

  /// The same, without asking anything over the network.
  package func read(_ isWanted: (String) -> Bool, recorded: [RecordedHistory] = []) -> History {
    read(isWanted, recorded: recorded, [:])
  }

  private enum Answer {
    case body([UInt8])
    case none(reason: String)
  }

  private static func inputs(of recorded: [RecordedHistory]) -> Set<History.Input> {
    var inputs: Set<History.Input> = []
    for message in recorded { inputs.insert(History.Input(script: message.script, input: message.input)) }
    return inputs
  }

  /// The histories that the configuration gives some reducers and scripts, in the order of these.
  private func wanted(_ isWanted: (String) -> Bool) -> [(place: History.Input, settings: WarmUpSettings)] {
    (configuration.reducers.keys.sorted() + configuration.scriptOrder).filter(isWanted).flatMap { name in
      configuration.warmUps(of: name).sorted { $0.key < $1.key }
        .map { (History.Input(script: name, input: $0.key), $0.value) }
    }
  }

  private func ask(
    _ url: Secret, _ headers: [String: Secret], _ settings: WarmUpSettings, _ fetch: Fetch
  ) async throws -> Answer {
    do {
      var request = HTTPClient.Request(try url.resolve(), timeout: .milliseconds(settings.timeout.count))
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        request.headers.append(HTTPClient.Field(name, try value.resolve()))
      }
      let response = try await fetch(request, settings.maximumBytes)
      guard (200..<300).contains(response.status) else {
        return .none(reason: "\(try Origin(request.url)) answered \(response.status)")
      }
      return .body(response.body)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return .none(reason: "\(error)")
    }
  }

  private func read(
    _ isWanted: (String) -> Bool, recorded: [RecordedHistory], _ answers: [History.Input: Answer]
  ) -> History {
    var history = History(recorded)
    let known = Self.inputs(of: recorded)
    for place in known { history.numbers[place] = options(of: place)?.numbers }
    for (place, settings) in wanted(isWanted) {
      if settings.isRequired { history.required.insert(place) }
      if known.contains(place) { continue }
      let options = options(of: place)
      history.numbers[place] = options?.numbers
      var reader = HistoryReader(place, settings, options: options, now: now)
      if let reason = read(settings, answers[place], source: source(of: place), into: &reader) {
        history.failures.append(
          History.Failure(input: place, reason: reason, isRequired: settings.isRequired))
      } else {
        reader.finish(into: &history)
      }
    }
    history.sort()
    return history
  }

  private func options(of place: History.Input) -> MessageOptions? {
    configuration.historyOptions(of: place)
  }

  /// The source whose messages count in a recording.
  private func source(of place: History.Input) -> String {
    configuration.source(of: place) ?? place.input
  }

  /// Reads one history; returns why that can't be done.
  private func read(
    _ settings: WarmUpSettings, _ answer: Answer?, source: String, into reader: inout HistoryReader
  ) -> String? {
    switch (settings.origin, answer) {
    case (.file(let path), _):
      do throws(FileError) {
        return try read(path, source: source, timeout: settings.timeout, into: &reader)
      } catch {
        return error.description
      }
    case (.http, .body(let body)?):
      body.withUnsafeBytes { reader.add($0, at: now) }
      return nil
    case (.http, .none(let reason)?): return reason
    case (.http, nil): return "not_recorded: nothing is asked over the network here"
    }
  }

  private func read(
    _ path: String, source: String, timeout: Milliseconds, into reader: inout HistoryReader
  ) throws(FileError) -> String? {
    let file = try RecordingFile(path: path)
    let isRecording = try file.isRecording
    let cursor = RecordingCursor(
      file, form: isRecording ? .recording() : .messages(source: 0, from: now, interval: .zero),
      sources: [source])
    let deadline = ContinuousClock.now + .milliseconds(timeout.count)
    var faults: [String] = []
    repeat {
      try cursor.advance { line, fault in faults.append("line \(line): \(fault)") }
      for fault in faults { reader.note(fault) }
      faults.removeAll()
      if let entry = cursor.entry, let bytes = entry.message {
        reader.add(
          bytes, at: Timestamp(milliseconds: entry.time), topic: String(decoding: entry.topic, as: UTF8.self))
      }
      guard cursor.lineCount % Self.linesBetweenLooks == 0 else { continue }
      if Task.isCancelled { return "it was not read to its end" }
      if ContinuousClock.now > deadline { return "reading \(file.name) takes longer than \(timeout)" }
    } while cursor.entry != nil
    guard reader.count == 0, isRecording, let other = cursor.unknownSources.keys.min() else { return nil }
    return "\(file.name) holds no message of the source '\(source)', but of '\(other.printable)'"
  }

  /// The history of one input that a test gives: messages with their times, or one text with all of them.
  package static func history(
    of script: String, _ input: String, _ texts: [(text: String, time: Timestamp)],
    in configuration: Configuration?, now: Timestamp
  ) -> History {
    let place = History.Input(script: script, input: input)
    let settings = configuration?.warmUps(of: script)[input]
    let options = configuration?.historyOptions(of: place)
    var history = History()
    history.numbers[place] = options?.numbers
    var reader = HistoryReader(place, settings, options: options, now: now)
    for (text, time) in texts {
      var text = text
      text.withUTF8 { reader.add(UnsafeRawBufferPointer($0), at: time) }
    }
    reader.finish(into: &history)
    history.sort()
    return history
  }
}
