import Scripting

/// One reload of the scripts of an engine: all of those that have changed, or none.
///
/// Confined to the engine, like its wiring. ``copy(count:at:)`` does a part of the work between turns, and
/// ``finish(at:)`` ends it within one.
package final class EngineReload {
  private let wiring: EngineWiring
  private let next: EngineWiring
  private var reloads: [ScriptReload] = []
  private var isCopied = 0

  /// Prepares the reload of what differs.
  ///
  /// - Parameters:
  ///   - wiring: what runs.
  ///   - next: scripts of the same names, loaded and connected to the same sources.
  /// - Throws: ``ReloadRefusal`` when something would be lost.
  package init(_ wiring: EngineWiring, to next: EngineWiring) throws(ReloadRefusal) {
    self.wiring = wiring
    self.next = next
    var findings: [String] = []
    for runner in wiring.runners {
      guard let other = next.runners.first(where: { $0.name == runner.name }) else {
        findings.append("the script '\(runner.name)' is gone, which needs a restart")
        continue
      }
      guard !runner.source.isSame(as: other.source, requiring: runner.machine.requiredModules) else {
        continue
      }
      do throws(ReloadRefusal) {
        reloads.append(try ScriptReload(of: runner, to: other))
      } catch {
        findings += error.findings
      }
    }
    for other in next.runners where !wiring.runners.contains(where: { $0.name == other.name }) {
      findings.append("the script '\(other.name)' is new, which needs a restart")
    }
    guard findings.isEmpty else {
      cancel()
      throw ReloadRefusal(findings)
    }
  }

  /// The scripts that are reloaded.
  package var scripts: [String] { reloads.map(\.runner.name) }

  /// Copies the states of some keys; true when ``finish(at:)`` may follow.
  ///
  /// - Throws: ``ReloadRefusal`` when one can't be taken over; what ran runs on.
  package func copy(count: Int, at now: Timestamp) throws(ReloadRefusal) -> Bool {
    do throws(ReloadRefusal) {
      while isCopied < reloads.count {
        guard try reloads[isCopied].copy(count: count, at: now) else { return false }
        isCopied += 1
      }
    } catch {
      cancel()
      throw error
    }
    return true
  }

  /// Copies what changed meanwhile and swaps the scripts; ``EngineAction/reloaded(_:)`` has to follow at once.
  ///
  /// - Throws: ``ReloadRefusal``, and then nothing was swapped.
  package func finish(at now: Timestamp) throws(ReloadRefusal) -> [ScriptReloadReport] {
    do throws(ReloadRefusal) {
      for reload in reloads { try reload.catchUp(at: now) }
    } catch {
      cancel()
      throw error
    }
    let reports = reloads.map { $0.finish(at: now) }
    wiring.rewire(as: next)
    return reports
  }

  /// Gives it up; what ran runs on.
  package func cancel() {
    for reload in reloads { reload.cancel() }
  }
}
