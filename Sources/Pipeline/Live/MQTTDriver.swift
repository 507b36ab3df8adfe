import MQTT
import Scripting

/// Drives `source.mqtt`: one connection to the broker at a time.
final class MQTTDriver: SourceDriver {
  private let settings: MQTTSettings
  private var connection: MQTTConnection?
  private var failure: SourceMachine.End?
  private var refusedFilters = 0
  private(set) var host: String?
  private let inflater: MessageInflater?

  init(_ settings: MQTTSettings) {
    self.settings = settings
    inflater = settings.decompress.map {
      MessageInflater($0, maximumBytes: settings.maximumMessageBytes)
    }
  }

  deinit { connection?.close() }

  var descriptor: Int32? { connection?.descriptor }

  var nextDeadline: UInt64? { failure == nil ? nil : 0 }

  func connect(_ number: Int, position: String?) {
    failure = nil
    refusedFilters = 0
    connection?.close()
    connection = nil
    do {
      let configuration = try settings.connection()
      host = configuration.host
      connection = try MQTTConnection(configuration)
    } catch let error as MQTTFailure {
      failure = SourceMachine.End(error)
    } catch {
      failure = SourceMachine.End(reason: "\(error)", isPermanent: true)
    }
  }

  func sendOpening() {}

  func send(_ text: String) throws {
    guard let connection else { throw NotConnected() }
    guard let output = settings.output else {
      throw MQTTFailure("the source has no 'send', which says to which topic")
    }
    try connection.publish(output.publication(Array(text.utf8)))
  }

  func close(code: UInt16, reason: String) {
    connection?.close()
    connection = nil
    failure = nil
  }

  func process(now: UInt64, into output: inout SourceOutput) {
    if let failure {
      self.failure = nil
      output.events.append(.closed(failure))
      return
    }
    guard let connection else { return }
    for event in connection.takeEvents() {
      switch event {
      case .opened: output.events.append(.opened)
      case .message(let topic, let payload, let isRetained):
        payload.withUnsafeBytes { bytes in
          guard let inflater else { return output.add(bytes, topic: topic, replayed: isRetained) }
          inflater.add(bytes, to: &output, topic: topic, replayed: isRetained)
        }
      case .tooLong(let topic, let bytes):
        output.refused.append(
          "a message of \(bytes) bytes to \(topic.printable) was skipped: the limit is "
            + "\(settings.maximumMessageBytes); raise 'max_message_bytes'")
      case .refused(let filter): refuse(filter, &output)
      case .failed(let failure):
        output.events.append(.closed(SourceMachine.End(failure)))
        self.connection = nil
      }
    }
  }

  /// One refused filter is told, the others go on; without any the connection is of no use.
  private func refuse(_ filter: String, _ output: inout SourceOutput) {
    refusedFilters += 1
    output.refused.append("the broker refused the subscription to \"\(filter.printable)\"; check its rights")
    guard refusedFilters == settings.topics.count else { return }
    connection?.close()
    connection = nil
    output.events.append(
      .closed(SourceMachine.End(code: 0x80, reason: "the broker refused all subscriptions")))
  }
}

extension SourceMachine.End {
  /// The end that the failure of a connection to a broker means.
  init(_ failure: MQTTFailure) {
    self.init(code: failure.code ?? 1006, reason: failure.description, isPermanent: failure.isPermanent)
  }
}

extension MQTTSettings: SourceSettings {
  package var resumes: Bool { false }
  package func makeDriver() -> any SourceDriver { MQTTDriver(self) }
}
