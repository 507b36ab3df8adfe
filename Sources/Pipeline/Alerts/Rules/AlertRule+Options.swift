extension AlertRule {
  /// Every option of `alert.rule`: reading, errors about unknown names and help come from this table.
  package static let options: [OptionSpec] = [
    OptionSpec("name", .text, required: true, help: "What the rule is called in alerts, routes and storage."),
    OptionSpec("crosses_above", .number, help: "True from a value below the level to one at or above it."),
    OptionSpec("crosses_below", .number, help: "True from a value above the level to one at or below it."),
    OptionSpec("crosses", .number, help: "Tells each passage through the level, in either direction."),
    OptionSpec("above", .number, help: "True at the level or above."),
    OptionSpec("below", .number, help: "True at the level or below."),
    OptionSpec("outside", .range, help: "True at the lower level or below, or at the higher one or above."),
    OptionSpec("inside", .range, help: "True from the lower level to the higher one."),
    OptionSpec(
      "changes_by", .options(changeOptions),
      help: "True while the value is so far from the lowest or highest one of a window."),
    OptionSpec("no_data_for", .duration, help: "True when a key has had no value for so long."),
    OptionSpec("when", .function, help: "True when the function returns true for the value."),
    OptionSpec(
      "clear_below", .number, default: "the level itself",
      help: "The condition is over only at this value or below."),
    OptionSpec(
      "clear_above", .number, default: "the level itself",
      help: "The condition is over only at this value or above."),
    OptionSpec(
      "for_duration", .duration,
      help:
        "How long every value must fulfil the condition before the rule fires. What falls due while the source is stale "
        + "or down, or after a start before the first value, waits for the next value; behind a gap of a live source it "
        + "fires at its time and says so."),
    OptionSpec(
      "cooldown", .duration, help: "How long after an alert a new episode is held back until told or over."),
    OptionSpec(
      "first", .choice(FirstValue.allCases.map(\.rawValue)), default: "\"arm\" for crossings, else \"fire\"",
      help: "Whether the first value of a key only arms the rule, or may fire it."),
    OptionSpec("resolve", .boolean, default: "true", help: "Whether the end of an episode is told."),
    OptionSpec(
      "severity", .choice(Severity.allCases.map(\.name)), default: "\"info\"", help: "How much it matters."),
    OptionSpec(
      "labels", .labels, default: "{}", help: "Names and texts that go along, for routes and receivers."),
    OptionSpec("text", .textOrFunction, default: "made from the condition", help: "What the alert says."),
    OptionSpec("repeat_every", .duration, help: "How often to remind while the condition goes on."),
    OptionSpec("once", .boolean, default: "false", help: "Whether each key fires only a single time."),
    OptionSpec("expires", .date, help: "From when on the rule neither fires nor reminds."),
    OptionSpec(
      "flapping", .options(flappingOptions),
      help: "After more changes than this one alert says so, then none until calm."),
    OptionSpec(
      "accept_late", .boolean, default: "false", help: "Whether values older than the last one count."),
    OptionSpec(
      "keys", .texts, default: "{}", help: "Keys that `no_data_for` watches before their first value."),
  ]

  /// The options inside `changes_by`.
  package static let changeOptions: [OptionSpec] = [
    OptionSpec(
      "percent", .number, unit: "percent", help: "How far, relative to the lowest or highest value."),
    OptionSpec("absolute", .number, help: "How far, in the value's own unit."),
    OptionSpec("within", .duration, required: true, help: "How far back the window reaches, from 1s to 1d."),
  ]

  /// The options inside `flapping`.
  package static let flappingOptions: [OptionSpec] = [
    OptionSpec(
      "changes", .count(1...1_000), required: true,
      help: "How many changes between true and false are still calm."),
    OptionSpec("within", .duration, required: true, help: "The time in which they are counted."),
  ]
}
