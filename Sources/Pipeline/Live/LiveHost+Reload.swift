import Composable
import Scripting
import WebSocket

/// What is asked of a host while it runs.
extension LiveHost {
  /// A reload that is being prepared between turns.
  struct ReloadAtWork {
    var reload: EngineReload
    var done: CheckedContinuation<Result<[ScriptReloadReport], ReloadRefusal>, Never>
  }

  /// How long one turn may work on a reload, in nanoseconds.
  private static let reloadSlice: UInt64 = 2_000_000

  /// How the host is doing.
  func currentStatus() -> Value {
    store.readInPlace { status.value($0, wiring, desk.status, delays: delays, at: world.now()) }
  }

  /// Remembers what came of the last attempt to reload.
  func note(_ result: ReloadResult) { status.lastReload = result }

  /// Puts newer scripts in the place of those that run, between turns.
  func reload(_ assembly: sending Assembly) async -> Result<[ScriptReloadReport], ReloadRefusal> {
    guard stopsBy == nil, reloading == nil else {
      return .failure(
        ReloadRefusal([stopsBy == nil ? "another reload is under way" : Self.isEnding]))
    }
    let reload: EngineReload
    do throws(ReloadRefusal) { reload = try EngineReload(wiring, to: assembly.wiring) } catch {
      return .failure(error)
    }
    return await withCheckedContinuation { reloading = ReloadAtWork(reload: reload, done: $0) }
  }

  /// Does a part of the reload that is under way.
  func workOnReload() {
    guard let work = reloading else { return }
    guard stopsBy == nil else { return giveUpReload() }
    let deadline = monotonicNanoseconds() + Self.reloadSlice
    do throws(ReloadRefusal) {
      while !(try work.reload.copy(count: 8, at: world.now())) {
        if monotonicNanoseconds() >= deadline { return }
      }
      let reports = try work.reload.finish(at: world.now())
      reloading = nil
      desk.setKeys(positions.indices.map { wiring.keys(of: $0) })
      send(.reloaded(reports))
      work.done.resume(returning: .success(reports))
    } catch {
      reloading = nil
      work.done.resume(returning: .failure(error))
    }
  }

  func giveUpReload() {
    guard let work = reloading else { return }
    reloading = nil
    work.reload.cancel()
    work.done.resume(returning: .failure(ReloadRefusal([Self.isEnding])))
  }

  private static let isEnding = "the host is about to end"
}
