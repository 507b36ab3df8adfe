import Glibc
import Scripting

/// What serves a running host beside its engine: reloads, and the socket for commands.
struct HostOperations {
  /// How long the host may take to tell about itself: its scripts bound a turn.
  private static let patience = Milliseconds.seconds(10)

  private var reloader: Reloader?
  private var server: ControlServer?
  private var signals: Task<Void, Never>?

  /// Starts what can be started; the rest is told in the log, and the host runs without it.
  init(
    _ host: LiveHost, _ configuration: Configuration, supervision: LiveOptions.Supervision, storage: String?,
    registry: Registry, log: @escaping LogSink
  ) async {
    do throws(FileError) {
      let reloader = try await Reloader.start(configuration, registry: registry, host: host, log: log)
      self.reloader = reloader
      signals = Task {
        for await _ in supervision.reloadRequests { _ = await reloader.reload(isAsked: true) }
      }
    } catch {
      log(.warn, "reload", "nothing can be reloaded: \(error)")
    }
    do throws(FileError) {
      if storage == nil { try ControlAddress.makeRuntimeFolder() }
      let path = ControlAddress.path(storage: storage, configuration: configuration.file)
      let reloader = reloader
      server = try ControlServer.start(at: path) { request in
        switch request {
        case .status:
          return await Self.within(Self.patience) {
            ["ok": true, "status": await host.currentStatus()]
          }
        case .reload:
          guard let reloader else { return ControlFault("nothing can be reloaded; see the log").answer }
          return await Self.within(.minutes(5)) {
            ["ok": true, "reload": await reloader.reload(isAsked: true).value]
          }
        }
      }
    } catch {
      log(.warn, "host", "'pipeline status' and 'pipeline reload' can't reach this host: \(error)")
    }
  }

  /// Ends all of it.
  func stop() async {
    signals?.cancel()
    await server?.stop()
    await reloader?.stop()
  }

  /// What an operation gives, or that it takes too long; it goes on then, and nobody waits for it.
  private static func within(
    _ time: Milliseconds, _ operation: @escaping @Sendable () async -> Value
  ) async -> Value {
    let answers = AsyncStream<Value> { continuation in
      Task {
        continuation.yield(await operation())
        continuation.finish()
      }
      let timer = Task {
        do { try await Task.sleep(for: .milliseconds(time.count)) } catch { return }
        continuation.yield(ControlFault("the host is too busy to answer within \(time)").answer)
        continuation.finish()
      }
      continuation.onTermination = { _ in timer.cancel() }
    }
    for await answer in answers { return answer }
    return ControlFault("the host ends").answer
  }
}
