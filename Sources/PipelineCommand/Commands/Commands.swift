import Pipeline

extension [Command] {
  /// The commands of a program with these components, in the order in which help lists them.
  static func all(_ registry: Registry) -> [Command] {
    let others: [Command] = [
      .run, .check, .test, .replay, .peek, .record, .doctor, .status, .reload, .state, .alerts, .silence,
      .silences, .lift, .retry, .quarantine, .notifyTest, .new, .types, .completions { .all(registry) },
      .version,
    ]
    return others + [.help(registry) { others }]
  }
}
