import Composable
import WebSocket

/// What the engine's client of a live host reaches; confined to the engine's thread, like the store.
final class LiveWorld {
  /// Asked for by machines of sources in this turn; the host carries them out behind it, in order.
  private var requests: [(source: Int, request: Request)] = []
  /// How many of these it has begun to carry out.
  private var begunCount = 0

  /// What the host carries out for one source.
  enum Request {
    case machine(SourceMachine.Request)
    case send(String)
    case subscribe(SubscriptionChange)
  }

  var random = SystemRandomNumberGenerator()
  /// What happens within the turn of a batch that is being observed, nil outside of one.
  var held: [RecordedHappening]?
  /// When the oldest message that waits came, or the one that is being handled did; nil while none waits.
  var oldestWaiting: Timestamp?
  private let clock: WorldClock

  init(_ clock: WorldClock) { self.clock = clock }

  /// Asks the host for something.
  func ask(_ request: Request, of source: Int) { requests.append((source, request)) }

  /// Whether anything was asked for that the host has not carried out.
  var hasRequests: Bool { !requests.isEmpty }

  /// The next of what was asked for; nil once all of it was given.
  func takeRequest() -> (source: Int, request: Request)? {
    guard begunCount < requests.count else {
      if begunCount > 0 { requests.removeAll(keepingCapacity: true) }
      begunCount = 0
      return nil
    }
    defer { begunCount += 1 }
    return requests[begunCount]
  }

  /// The host's clock.
  func now() -> Timestamp { clock.now() }

  /// How far the system's clock was set since the last call; nil if it wasn't.
  func takeClockStep() -> Milliseconds? { clock.takeStep() }

  /// The time up to which all messages that came were handled.
  func messageTime() -> Timestamp {
    let now = clock.now()
    return oldestWaiting.map { min($0, now) } ?? now
  }
}

extension EngineClient {
  /// The client of a live host.
  ///
  /// - Parameter outputClosed: called when nobody reads the console's output any more.
  static func live(
    _ world: LiveWorld, storage: any Storage, channels: [String: any Channel], requests: WebRequests,
    log: @escaping LogSink, outputClosed: @escaping @Sendable () async -> Void
  ) -> EngineClient {
    var client = EngineClient(
      now: { world.now() },
      random: { range in Int64.random(in: range, using: &world.random) },
      commit: { commit, changes in
        // Handed over here and now, so that commits keep their order; only the waiting is an effect.
        let handover = Handover()
        storage.submit(commit) { handover.finish($0) }
        // Memory has it at once: what waits for it leaves within the same turn.
        if let outcome = handover.finished { return .send(.stored(changes: changes, outcome.failure)) }
        return .run(name: "commit") { send in
          await send(.stored(changes: changes, await handover.result.failure))
        }
      },
      deliver: { delivery in
        guard let channel = channels[delivery.channel] else {
          return .send(.delivered(delivery, .failed(reason: "there is no channel '\(delivery.channel)'")))
        }
        return .run(name: "delivery to \(delivery.channel)") { send in
          let outcome = await channel.deliver(delivery.alert, id: delivery.id)
          await send(.delivered(delivery, outcome))
          if outcome == ConsoleChannel.outputClosed { await outputClosed() }
        }
      },
      perform: { source, requests in
        for request in requests { world.ask(.machine(request), of: source) }
        return .none
      },
      log: { level, origin, text in log(level, origin, text) })
    client.messageTime = { world.messageTime() }
    client.orders = { storage.orders }
    client.watchesFeeds = true
    client.request = { script, request in
      .run(name: "request of \(script)") { send in
        let reply: WebReply
        do {
          reply = try await requests.send(request, of: script)
        } catch {
          // The program ends; after its next start the script is told so.
          return
        }
        await send(.replied(script: script, request, reply))
      }
    }
    client.send = { source, text in world.ask(.send(text), of: source) }
    client.subscribe = { source, change in world.ask(.subscribe(change), of: source) }
    return client
  }
}
