internal import LuaShim

/// One Lua virtual machine behind the guarded door.
///
/// Confined to one thread at a time. Handlers are all or nothing: one that fails leaves the state as it was.
/// State is kept outside of the virtual machine, so one that must be given up is rebuilt without losing any.
package final class ScriptMachine {
  /// What kind of file the machine runs.
  package enum Profile: Sendable {
    /// A reducer script: a table of handlers.
    case script
    /// A configuration: plain data.
    case configuration
    /// A test file: `it(…)` collects tests.
    case test
  }

  let raw: OpaquePointer
  private let bridge: HostBridge

  /// Makes a machine that knows the given functions.
  ///
  /// Returns nil when the system has no memory for one.
  package init?(
    profile: Profile, limits: MachineLimits = MachineLimits(), functions: [HostFunction] = [],
    host: (any ScriptHost)? = nil
  ) {
    bridge = HostBridge(functions: functions, scriptHost: host)
    let raw = script_vm_create(profile.raw, limits.raw, bridge.host)
    guard let raw else { return nil }
    self.raw = raw
    bridge.machine = raw
    for (index, function) in functions.enumerated() {
      script_vm_register(raw, function.name, UInt32(index), function.phase.raw, function.isEffect)
    }
    if host != nil { script_vm_register_rules(raw, HostBridge.rulesFunction) }
  }

  deinit { script_vm_destroy(raw) }

  /// Lets `require` find a module.
  package func addModule(_ name: String, source: String) {
    withText(source) { script_vm_add_module(raw, name, $0) }
  }

  /// The names of the modules that the file has required so far.
  package var requiredModules: [String] {
    String(script_vm_required(raw)).split(separator: "\n").map(String.init)
  }

  /// Sets Lua of the host's own that runs before the file; it gets `bind(f, value)`, which gives a host function
  /// its first argument.
  package func setPrelude(_ source: String) { withText(source) { script_vm_set_prelude(raw, $0) } }

  /// Runs a file and reads what it declares.
  ///
  /// - Throws: ``ScriptFailure``.
  package func load(_ source: String, name: String) throws(ScriptFailure) {
    var failure = script_failure()
    let good = withText(source) { script_vm_load(raw, name, $0, &failure) }
    if !good { throw ScriptFailure(failure) }
  }

  /// What the file returned (a configuration) or declared (a script).
  package var result: Value {
    let text = script_vm_result(raw)
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
    // The door wrote it: it is JSON, or empty before loading.
    return (try? Value(json: bytes)) ?? .null
  }

  /// Sets what each later call of ``call(_:_:time:)`` may use, in place of what loading could.
  package func boundCalls(steps: UInt64, milliseconds: UInt64) {
    script_vm_bound_calls(raw, steps, milliseconds * 1_000_000)
  }

  /// Calls a function that a configuration holds, by the number that its data has for it.
  ///
  /// - Throws: ``ScriptFailure`` when it raises an error, runs into a limit, or returns what is no plain data.
  package func call(_ function: UInt32, _ argument: Value, time: Int64) throws(ScriptFailure) -> Value {
    var failure = script_failure()
    let good = withText(argument.json) { script_vm_call(raw, function, $0, time, &failure) }
    if !good { throw ScriptFailure(failure) }
    return result
  }

  /// The index of a handler in a group (`on`, `actions`, `events`), nil where the script has none.
  package func handler(_ group: String, _ name: String) -> UInt32? {
    // With closures, since a string handed over as it is becomes an array first.
    let index = group.withCString { group in name.withCString { script_vm_handler(raw, group, $0) } }
    return index < 0 ? nil : UInt32(index)
  }

  /// Hands messages to a handler, each accepted or undone for itself.
  ///
  /// Stops behind the first that failed, and before one whose time reaches the deadline. Returns the index
  /// to go on with and the failure.
  package func handle(
    _ batch: MessageBatch, in range: Range<Int>, with handler: UInt32
  ) -> (next: Int, failure: ScriptFailure?) {
    var failure = script_failure()
    let next = script_vm_handle(
      raw, handler, batch.raw, UInt32(range.lowerBound), UInt32(range.upperBound), &failure)
    return (Int(next), failure.outcome == SCRIPT_OK ? nil : ScriptFailure(failure))
  }

  /// The key that an input's handler keeps a message under, nil where the message has none.
  package func key(ofMessage index: Int, in batch: MessageBatch, for handler: UInt32) -> UInt32? {
    var key: UInt32 = 0
    return script_vm_message_key(raw, handler, batch.raw, UInt32(index), &key) ? key : nil
  }

  /// Runs an action's or event's handler for a key; returns the failure.
  package func act(_ handler: UInt32, key: String, payload: Value?, time: Int64) -> ScriptFailure? {
    var failure = script_failure()
    let good = withText(key) { key in
      withText(payload?.json ?? "") { script_vm_act(raw, handler, key, $0, time, &failure) }
    }
    return good ? nil : ScriptFailure(failure)
  }

  /// Has the text of a rule's alert computed, which goes to the rule host; returns the failure.
  package func describe(rule: Int, key: UInt32, value: Double, data: String?, time: Int64) -> ScriptFailure? {
    var failure = script_failure()
    let good = withText(data ?? "") {
      script_vm_describe(raw, UInt32(rule), key, value, $0, time, &failure)
    }
    return good ? nil : ScriptFailure(failure)
  }

  /// Whether each handler runs twice from the same state, and fails when the second run did something else.
  package func setRunsTwice(_ runsTwice: Bool) { script_vm_set_twice(raw, runsTwice) }

  /// The time that no message may reach before the host was asked; in milliseconds since 1970 UTC.
  package func setDeadline(_ time: Int64) { script_vm_set_deadline(raw, time) }

  /// What `ctx.late` shows from now on.
  package func setLate(_ isLate: Bool) { script_vm_set_late(raw, isLate) }

  /// What `ctx.source` and `ctx.topic` show from now on, and the number of the source, which ``QuietBand`` goes by.
  package func setSource(_ source: String, topic: String = "", number: UInt16 = 0) {
    withText(source) { source in
      withText(topic) { script_vm_set_source(raw, source, $0, UInt32(number)) }
    }
  }

  /// Where the bands of a rule stand, by the index of the key; they have to stay there until others are set.
  package func setBands(_ bands: UnsafeMutableBufferPointer<QuietBand>, ofRule rule: Int) {
    let base = UnsafeMutableRawPointer(bands.baseAddress)?.assumingMemoryBound(to: script_band.self)
    script_vm_set_bands(raw, UInt32(rule), base, UInt32(bands.count))
  }

  /// Messages skipped because they lack the field that `M.key` names.
  package var skippedCount: UInt64 { script_vm_skipped(raw) }

  /// How often the virtual machine was given up and built anew.
  package var rebuildCount: UInt64 { script_vm_rebuilds(raw) }

  /// Bytes alive in the virtual machine.
  package var memoryBytes: Int { Int(script_vm_memory(raw)) }
}

// MARK: - State

extension ScriptMachine {
  package var keyCount: Int { Int(script_vm_key_count(raw)) }

  /// The index of a key, made where there is none.
  package func key(_ name: String) -> UInt32 { withText(name) { script_vm_key(raw, $0) } }

  package func keyName(_ key: UInt32) -> String { String(script_vm_key_name(raw, key)) }

  /// Hands out the bytes of a key's name, which stay where they are until it returns.
  package func withKeyName<Result>(_ key: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let name = script_vm_key_name(raw, key)
    return body(UnsafeRawBufferPointer(start: name.bytes, count: name.count))
  }

  /// The state of a key as the row that storage keeps.
  package func row(of key: UInt32) -> String { String(script_vm_state(raw, key)) }

  /// The state of a key as a value.
  ///
  /// - Throws: ``JSONError`` never for a row that the door wrote.
  package func state(of key: UInt32) throws(JSONError) -> Value { try Value(json: row(of: key)) }

  /// Takes a stored row over; after loading and before the first message.
  ///
  /// - Throws: ``HostFunctionError`` when the row is no JSON object.
  package func restore(key: String, row: UnsafeRawBufferPointer) throws(HostFunctionError) {
    var reason = script_text()
    let text = script_text(bytes: row.baseAddress?.assumingMemoryBound(to: CChar.self), count: row.count)
    let good = withText(key) { script_vm_restore(raw, $0, text, &reason) }
    if !good { throw HostFunctionError(String(reason)) }
  }

  /// Whether the script can turn an older form of its state into the present one.
  package var migrates: Bool { script_vm_migrates(raw) }

  /// Runs `M.migrate` on a row of an older form of the script, for a key that was restored from it; returns the
  /// failure, after which the key is as it was before.
  package func migrate(key: String, row: UnsafeRawBufferPointer, time: Int64) -> ScriptFailure? {
    var failure = script_failure()
    let text = script_text(bytes: row.baseAddress?.assumingMemoryBound(to: CChar.self), count: row.count)
    return withText(key) { script_vm_migrate(raw, $0, text, time, &failure) } ? nil : ScriptFailure(failure)
  }

  /// Counts a key as changed, so that it is stored.
  package func touch(key: String) { withText(key) { script_vm_touch(raw, $0) } }

  /// How many keys changed since they were last taken.
  package var changedKeyCount: Int { Int(script_vm_dirty_count(raw)) }

  package var hasChangedKeys: Bool { script_vm_has_dirty(raw) }

  /// Hands out each key that changed since the last call, with its name and row; both are valid during the call.
  package func takeChangedKeys(
    _ visit: (_ name: UnsafeRawBufferPointer, _ row: UnsafeRawBufferPointer) -> Void
  ) {
    withoutActuallyEscaping(visit) { visit in
      var visit = visit
      withUnsafeMutablePointer(to: &visit) { context in
        _ = script_vm_take_dirty(raw, context) { context, _, name, row in
          typealias Visit = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
          context?.assumingMemoryBound(to: Visit.self).pointee(
            UnsafeRawBufferPointer(start: name.bytes, count: name.count),
            UnsafeRawBufferPointer(start: row.bytes, count: row.count))
        }
      }
    }
  }
}

// MARK: - Tests

extension ScriptMachine {
  /// A test that a file declared with `it`.
  package struct TestCase: Sendable {
    package var name: String
    package var line: Int
  }

  package var tests: [TestCase] {
    (0..<script_vm_test_count(raw)).map {
      TestCase(name: String(script_vm_test_name(raw, $0)), line: Int(script_vm_test_line(raw, $0)))
    }
  }

  /// Runs one test; returns why it failed.
  package func runTest(_ index: Int) -> ScriptFailure? {
    var failure = script_failure()
    return script_vm_test_run(raw, UInt32(index), &failure) ? nil : ScriptFailure(failure)
  }
}

func withText<Result>(_ string: String, _ body: (script_text) -> Result) -> Result {
  var string = string
  return string.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { body(script_text(bytes: $0.baseAddress, count: $0.count)) }
  }
}

extension ScriptMachine.Profile {
  var raw: script_profile {
    switch self {
    case .script: SCRIPT_PROFILE_SCRIPT
    case .configuration: SCRIPT_PROFILE_CONFIG
    case .test: SCRIPT_PROFILE_TEST
    }
  }
}

extension HostFunction.Phase {
  var raw: script_phase {
    switch self {
    case .loading: SCRIPT_PHASE_LOAD
    case .handling: SCRIPT_PHASE_HANDLER
    case .always: SCRIPT_PHASE_ANY
    }
  }
}
