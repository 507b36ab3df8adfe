import Glibc

/// The time of the kernel's monotonic clock in nanoseconds, the unit of every `now` and deadline here.
package func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The system's words for an error number, by default the last one (glibc's `strerror` is safe on all threads).
func errnoText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
