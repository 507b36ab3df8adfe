internal import CEvents
internal import Glibc
internal import Synchronization
internal import Threads

/// One connection to a broker, on a thread of its own, which ends with it; it does not reconnect.
///
/// The owner watches ``descriptor`` for readability and takes what has come with ``takeEvents()``, from any thread.
/// Where it is slow, no more is read from the broker than a bound of bytes.
package final class MQTTConnection: Sendable {
  private struct State {
    var events: [MQTTEvent] = []
    var queuedBytes = 0
    var publications: [MQTTConfiguration.Publication] = []
    var publicationBytes = 0
    var isClosed = false
  }

  /// The most bytes of messages that wait to be sent.
  private static let maximumPublicationBytes = 4 << 20

  package let configuration: MQTTConfiguration
  /// Readable while there is something to take.
  package let descriptor: Int32
  /// Wakes the connection's own thread.
  let wakeUp: Int32
  private let state = Mutex(State())

  /// Prepares a connection and begins it.
  ///
  /// - Throws: ``MQTTFailure`` when the process can have no more descriptors or threads.
  package init(_ configuration: MQTTConfiguration) throws(MQTTFailure) {
    self.configuration = configuration
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0, wakeUp >= 0 else {
      throw MQTTFailure("no descriptor for \(configuration.address): \(SystemFailure.last.description)")
    }
    do throws(SystemFailure) {
      try DedicatedThread.start { [self] in MQTTThread(self).run() }
    } catch {
      throw MQTTFailure("no thread for \(configuration.address): \(error.description)")
    }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    if wakeUp >= 0 { Glibc.close(wakeUp) }
  }

  /// What has come since the last call, in order.
  package func takeEvents() -> [MQTTEvent] {
    var value: UInt64 = 0
    _ = read(descriptor, &value, 8)
    let (events, wasFull) = state.withLock { state in
      let wasFull = isFull(state)
      defer {
        state.events = []
        state.queuedBytes = 0
      }
      return (state.events, wasFull)
    }
    if wasFull { signal(wakeUp) }
    return events
  }

  /// Queues a message to the broker.
  ///
  /// - Throws: ``MQTTFailure`` when too much waits to be sent.
  package func publish(_ publication: MQTTConfiguration.Publication) throws(MQTTFailure) {
    let isQueued = state.withLock { state in
      let bytes = publication.payload.count + publication.topic.utf8.count
      guard state.publicationBytes + bytes <= Self.maximumPublicationBytes else { return false }
      state.publicationBytes += bytes
      state.publications.append(publication)
      return true
    }
    guard isQueued else {
      throw MQTTFailure("more than \(Self.maximumPublicationBytes) bytes wait for \(configuration.address)")
    }
    signal(wakeUp)
  }

  /// Says goodbye and ends; nothing is reported any more.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.events = []
    }
    signal(wakeUp)
  }

  // MARK: - For the thread

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether so much waits for the owner that nothing more is to be read.
  var isFull: Bool { state.withLock { isFull($0) } }

  private func isFull(_ state: borrowing State) -> Bool {
    state.queuedBytes >= configuration.maximumQueuedBytes
  }

  func report(_ event: MQTTEvent) {
    state.withLock { state in
      guard !state.isClosed else { return }
      // What an event itself takes counts too: a flood of empty messages is one.
      state.queuedBytes += 64
      if case .message(let topic, let payload, _) = event {
        state.queuedBytes += topic.utf8.count + payload.count
      }
      state.events.append(event)
    }
    signal(descriptor)
  }

  func takePublications() -> [MQTTConfiguration.Publication] {
    state.withLock { state in
      defer {
        state.publications = []
        state.publicationBytes = 0
      }
      return state.publications
    }
  }

  private func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    // Full means that it is readable already.
    _ = write(descriptor, &one, 8)
  }
}
