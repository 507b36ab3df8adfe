import Scripting

/// A script on its way into the place of the one that runs.
///
/// The new one is loaded and checked already. Its state is copied from the old one key by key, a few at a time, while
/// that one handles messages; keys that change meanwhile are copied again. ``finish(at:)`` swaps the two, which takes
/// no time to speak of. Up to there the old one loses nothing, so a reload can be given up at any moment.
final class ScriptReload {
  /// So many copies of keys that changed again wait for the swap, which makes them.
  private static let catchUpLimit = 256
  /// Passes over keys that changed again before the rest is left to the swap.
  private static let passLimit = 16

  let runner: ScriptRunner
  private let next: ScriptRunner
  /// Whether the stored rows have another form than the new script keeps.
  let changesShape: Bool
  private let dropsKeys: Bool
  /// Keys of the old machine that were looked at.
  private var passed: UInt32 = 0
  /// Keys that changed since they were copied.
  private var changed: Set<String> = []
  private var passes = 0
  private var keys: Set<String> = []

  /// Prepares a reload.
  ///
  /// - Throws: ``ReloadRefusal`` when something would be lost.
  init(of runner: ScriptRunner, to next: ScriptRunner) throws(ReloadRefusal) {
    self.runner = runner
    self.next = next
    changesShape = runner.shape != next.shape
    dropsKeys = runner.isKeyed && !next.isKeyed
    try check()
    // From here on each change is noted: by the machine until it is collected, and by ``note(_:)`` when it is.
    runner.collectState(into: &runner.carried)
    runner.reload = self
  }

  /// Gives the reload up.
  func cancel() { runner.reload = nil }

  /// Throws what would be lost now.
  func check() throws(ReloadRefusal) {
    let check = ReloadCheck(old: runner, new: next)
    if !check.findings.isEmpty { throw ReloadRefusal(check.findings) }
  }

  /// Notes that a key was stored, and so has changed.
  func note(_ key: UnsafeRawBufferPointer) { changed.insert(String(decoding: key, as: UTF8.self)) }

  /// Copies some keys; true when so few are left that the swap can take them along.
  ///
  /// - Throws: ``ReloadRefusal`` when `M.migrate` fails or a state is too large.
  func copy(count: Int, at now: Timestamp) throws(ReloadRefusal) -> Bool {
    for _ in 0..<count {
      if passed < UInt32(runner.machine.keyCount) {
        let key = passed
        passed += 1
        try copy(runner.machine.keyName(key), row: runner.machine.row(of: key), at: now)
      } else if let key = changed.popFirst() {
        try copyAgain(key, at: now)
      } else {
        runner.collectState(into: &runner.carried)
        passes += 1
        if changed.count <= Self.catchUpLimit || passes > Self.passLimit { return true }
      }
    }
    return false
  }

  private func copyAgain(_ key: String, at now: Timestamp) throws(ReloadRefusal) {
    try copy(key, row: runner.machine.row(of: runner.machine.key(key)), at: now)
  }

  private func copy(_ key: String, row: String, at now: Timestamp) throws(ReloadRefusal) {
    guard !dropsKeys || key.isEmpty else { return }
    keys.insert(key)
    if let failure = next.take(row, of: key, migrating: changesShape, at: now) {
      throw ReloadRefusal(["\(failure) (the state of the key '\(key.prefix(60))')"])
    }
  }

  /// Copies what is left; the reload can't fail any more.
  ///
  /// - Throws: ``ReloadRefusal`` as ``copy(count:at:)`` and ``check()`` do.
  func catchUp(at now: Timestamp) throws(ReloadRefusal) {
    runner.collectState(into: &runner.carried)
    while passed < UInt32(runner.machine.keyCount) { _ = try copy(count: 256, at: now) }
    while let key = changed.popFirst() { try copyAgain(key, at: now) }
    try check()
  }

  /// Swaps the scripts, after ``catchUp(at:)`` in the same turn.
  func finish(at now: Timestamp) -> ScriptReloadReport {
    runner.reload = nil
    let dropped = ReloadCheck(old: runner, new: next).dropped
    let report = ScriptReloadReport(
      script: runner.name, keyCount: keys.count, isMigrated: changesShape && next.machine.migrates,
      dropped: runner.replace(by: next, dropping: dropped, dropsKeys: dropsKeys, at: now))
    if changesShape { for key in keys { runner.machine.touch(key: key) } }
    return report
  }
}
