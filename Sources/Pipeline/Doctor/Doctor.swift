import HTTP
import Scripting
import Threads

/// Looks at sources: the way to each, and whether a first message comes over it.
package enum Doctor {
  /// Examines some sources of a configuration side by side, each within a bound of time.
  ///
  /// - Parameter limit: how long to wait for a first message; the look at the way there has the same bound.
  /// - Returns: an examination a source, in the order of the names.
  package static func examine(
    _ names: [String], of configuration: Configuration, registry: Registry, limit: Milliseconds
  ) async -> [Examination] {
    await withTaskGroup(of: Examination.self) { group in
      for name in names {
        guard let component = configuration.sources[name] else { continue }
        let alone = configuration.alone([name])
        group.addTask {
          await examine(name, component, alone, registry: registry, limit: limit)
        }
      }
      var examinations: [Examination] = []
      for await examination in group { examinations.append(examination) }
      return examinations.sorted { $0.source < $1.source }
    }
  }

  private static func examine(
    _ name: String, _ component: ConfiguredComponent, _ alone: Configuration, registry: Registry,
    limit: Milliseconds
  ) async -> Examination {
    let kind = component.spec.constructor
    var examination = Examination(source: name, kind: kind)
    do {
      let settings: any SourceSettings = try registry.make(component)
      guard settings.isExaminable else {
        examination.steps = [.init("opening", .skipped, "it is read when the program runs")]
        return examination
      }
      if let target = try settings.target() {
        let probe = ConnectionProbe(
          url: target.url, tls: target.tls, proxy: target.proxy, timeout: .milliseconds(limit.count))
        let report = try await onThread { probe.run() }
        examination.steps = NetworkFindings(target: target, report: report, now: .systemClock()).steps
        guard !examination.isFailure else { return examination }
      }
      let outcome = await SourceTrial().run(alone, registry: registry, limit: limit)
      let findings = TrialFindings(
        outcome: outcome, kind: kind, limit: limit, noticesSilence: settings.machine.staleAfter != nil)
      examination.steps += findings.steps
    } catch {
      examination.steps.append(.init("settings", .failed, "\(error)"))
    }
    return examination
  }

  /// Runs what waits in the kernel on a thread of its own.
  private static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      do throws(SystemFailure) {
        try DedicatedThread.start { continuation.resume(returning: body()) }
      } catch {
        continuation.resume(throwing: StartError("can't start a thread: \(error.description)"))
      }
    }
  }
}
