/// What the program's end says.
enum ExitCode: Int32 {
  case success = 0
  /// What was asked about failed.
  case failure = 1
  /// The command line or the configuration is wrong.
  case wrongUsage = 2
}
