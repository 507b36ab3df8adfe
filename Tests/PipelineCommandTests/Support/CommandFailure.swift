/// Why a program could not be started, or did not do what a test waited for.
struct CommandFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
