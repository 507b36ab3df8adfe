#if PIPELINE_BENCH
  import Glibc
#endif

/// What a build for measuring can do without, to show what each protection costs per message; every other build has
/// all of them. The door to Lua has its own list.
package enum Protections {
  #if PIPELINE_BENCH
    private static let off: [Substring] = {
      guard let names = getenv("PIPELINE_BENCH_WITHOUT") else { return [] }
      return String(cString: names).split(separator: ",")
    }()
    /// Whether what a handler did to rules can be taken back.
    static let undo = !off.contains("undo")
    /// What a replay keeps its state in; only a measured one keeps any.
    package static var replayStorage: MemoryStorage? { off.contains("storage") ? nil : MemoryStorage() }
  #else
    @inline(__always) static var undo: Bool { true }
    package static var replayStorage: MemoryStorage? { nil }
  #endif
}
