internal import LuaShim

/// Answers the door's calls with a machine's functions and its host.
///
/// The C functions below run on the machine's thread with the door's frames beneath them. They return a status;
/// raising is done in C, after they have returned.
final class HostBridge {
  /// The function number under which scriptHost are declared.
  static let rulesFunction = UInt32.max - 1

  let functions: [HostFunction]
  /// Kept by the machine that it serves; it must not keep the machine.
  let scriptHost: (any ScriptHost)?
  var machine: OpaquePointer?
  private let arguments = MessageBatch()
  /// Keeps the last answer alive until the door has read it.
  private var answer: ContiguousArray<CChar> = []

  init(functions: [HostFunction], scriptHost: (any ScriptHost)?) {
    self.functions = functions
    self.scriptHost = scriptHost
  }

  var host: script_host {
    script_host(
      context: Unmanaged.passUnretained(self).toOpaque(), call: Self.call, check: Self.check,
      describe: Self.describe, undo: Self.undo)
  }

  private static func bridge(_ context: UnsafeMutableRawPointer?) -> HostBridge {
    // The machine owns its bridge and is alive while a handler runs.
    Unmanaged<HostBridge>.fromOpaque(context!).takeUnretainedValue()
  }

  private static let call:
    @convention(c) (
      UnsafeMutableRawPointer?, UInt32, script_call, script_text, UnsafeMutablePointer<script_text>
    ) -> Bool = { context, function, call, arguments, result in
      bridge(context).answer(function, call, arguments, result)
    }

  private static let check:
    @convention(c) (
      UnsafeMutableRawPointer?, UInt32, script_call, Double, Int32, script_text,
      UnsafeMutablePointer<script_text>
    ) -> script_verdict = { context, rule, call, value, truth, data, reason in
      // Borrowed, as each value passes here: the machine that runs owns its bridge.
      Unmanaged<HostBridge>.fromOpaque(context!)._withUnsafeGuaranteedRef {
        $0.judge(rule, call, value, truth, data, reason)
      }
    }

  private static let describe:
    @convention(c) (UnsafeMutableRawPointer?, UInt32, script_call, script_text) -> Void = {
      context, rule, call, text in
      let bridge = bridge(context)
      bridge.scriptHost?.describe(
        rule: Int(rule), text: text.bytes == nil ? nil : String(text), call: bridge.scriptCall(call))
    }

  private static let undo: @convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void = { context, run in
    bridge(context).scriptHost?.undo(run: run)
  }

  private func scriptCall(_ call: script_call, line: UInt32 = 0) -> ScriptCall {
    ScriptCall(
      message: Int(call.message), key: call.key, time: call.time, clock: call.clock, line: line,
      run: call.run,
      isReplayed: call.replayed, isLate: call.late, isLoading: call.loading)
  }

  private func answer(
    _ function: UInt32, _ call: script_call, _ text: script_text,
    _ result: UnsafeMutablePointer<script_text>
  ) -> Bool {
    do throws(HostFunctionError) {
      defer { self.arguments.removeAll() }
      let arguments = try decode(text)
      if function == Self.rulesFunction {
        guard let scriptHost, let declared = arguments.values.first else {
          throw HostFunctionError("there are no rules here")
        }
        set(result, try String(scriptHost.declare(declared)))
      } else {
        let function = functions[Int(function)]
        let line = function.wantsLine ? machine.map { script_vm_calling_line($0) } ?? 0 : 0
        let value = try function.body(arguments, scriptCall(call, line: line))
        set(result, value?.json ?? "")
      }
      return true
    } catch {
      set(result, error.description)
      return false
    }
  }

  private func judge(
    _ rule: UInt32, _ call: script_call, _ value: Double, _ truth: Int32, _ data: script_text,
    _ reason: UnsafeMutablePointer<script_text>
  ) -> script_verdict {
    guard let scriptHost else { return SCRIPT_VERDICT_NOTHING }
    do throws(HostFunctionError) {
      let data = data.count == 0 ? nil : UnsafeRawBufferPointer(start: data.bytes, count: data.count)
      let asked = try scriptHost.check(
        rule: Int(rule), value: value, truth: truth < 0 ? nil : truth > 0, data: data, call: scriptCall(call))
      return asked ? SCRIPT_VERDICT_DESCRIBE : SCRIPT_VERDICT_NOTHING
    } catch {
      set(reason, error.description)
      return SCRIPT_VERDICT_REFUSE
    }
  }

  private func decode(_ text: script_text) throws(HostFunctionError) -> HostArguments {
    arguments.append(UnsafeRawBufferPointer(start: text.bytes, count: text.count), time: 0, received: 0)
    guard arguments.decode() == 0 else {
      throw HostFunctionError(arguments.fault(at: 0)?.reason ?? "the arguments are not JSON")
    }
    return HostArguments(arguments)
  }

  private func set(_ result: UnsafeMutablePointer<script_text>, _ text: String) {
    answer.removeAll(keepingCapacity: true)
    answer.append(contentsOf: text.utf8.lazy.map { CChar(bitPattern: $0) })
    // The array is not touched again before the door has read it, so its storage stays where it is.
    answer.withUnsafeBufferPointer { result.pointee = script_text(bytes: $0.baseAddress, count: $0.count) }
  }
}
