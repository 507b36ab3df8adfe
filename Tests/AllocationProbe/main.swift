import AllocationCounter

// AllocationProbe [soak]: counts what a store allocates, in a process where nobody else does; tests read what it prints.

if allocation_counter_works() == 0 {
  print("sanitized")
} else if CommandLine.arguments.dropFirst().first == "soak" {
  try await soak()
} else {
  measureActions()
}
