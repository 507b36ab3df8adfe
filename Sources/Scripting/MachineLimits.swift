internal import LuaShim

/// What one handler run of a script may use, and how much state a script may keep.
public struct MachineLimits: Sendable, Hashable {
  /// Instructions of the virtual machine, and the work of host functions charged to them, for one message.
  public var steps: UInt64 = 5_000_000
  /// Wall clock for one message, in milliseconds; a net below `steps`.
  public var milliseconds: UInt64 = 1_000
  /// Bytes alive in the virtual machine.
  public var memoryBytes: Int = 16 << 20
  /// Bytes of state of one key.
  public var stateBytes: Int = 1 << 20
  /// Bytes of state of all keys of the script.
  public var totalStateBytes: Int = 256 << 20
  /// Effects asked for while handling one message.
  public var effects: UInt32 = 1_000
  /// Depth of messages and of data that leaves the script.
  public var nesting: UInt32 = 512

  /// The limits that hold where a configuration says nothing.
  public init() {}

  var raw: script_limits {
    script_limits(
      steps: steps, nanoseconds: milliseconds * 1_000_000, memory: memoryBytes, state_size: stateBytes,
      total_state: totalStateBytes, effects: effects, nesting: nesting)
  }
}
