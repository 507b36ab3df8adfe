extension [Command] {
  /// The program's commands in the order in which help lists them.
  static var all: [Command] {
    let others: [Command] = [
      .run, .check, .test, .replay, .peek, .record, .state, .alerts, .quarantine, .notifyTest, .new, .types,
      .completions { [Command].all }, .version,
    ]
    return others + [.help { others }]
  }
}
