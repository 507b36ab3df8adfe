extension FunctionSpec {
  /// The declarations of `stats`. The statistics themselves are kept behind the door, in `LuaShim/statistic.h`.
  static let statistics: [FunctionSpec] =
    [
      declaration(
        "sma", "Declares a mean of the newest values, all counted alike", least: 1,
        example: "M.state = { mean = stats.sma { over = \"5m\" } }"),
      declaration(
        "ema", "Declares a mean in which newer values count more: by 2 / (count + 1), or by time", least: 1,
        example: "M.state = { fast = stats.ema { count = 12 } }"),
      declaration(
        "min", "Declares the smallest of the newest values", least: 1,
        example: "M.state = { low = stats.min { over = \"1h\" } }"),
      declaration(
        "max", "Declares the largest of the newest values", least: 1,
        example: "M.state = { high = stats.max { over = \"1h\" } }"),
      declaration(
        "vwap", "Declares a mean price weighted by volume; nil while the volume is 0", least: 1,
        example: "M.state = { vwap = stats.vwap { over = \"15m\" } }"),
      declaration(
        "rsi",
        "Declares a relative strength index from 0 to 100: smoothed as Wilder did by count, of plain sums over a "
          + "duration; 50 while nothing moves", least: 1,
        example: "M.state = { rsi = stats.rsi { count = 14 } }"),
      declaration(
        "rate", "Declares a change per time, from the oldest value of the window to the newest", least: 2,
        more: [
          ParameterSpec(
            "per", .duration, optional: true, default: "\"1s\"", help: "The time that the change is given for"
          )
        ], example: "M.state = { climb = stats.rate { over = \"5m\", per = \"1m\" } }"),
      declaration(
        "zscore",
        "Declares how many standard deviations (of a sample) the newest value is off the window's mean",
        least: 2,
        example: "M.state = { z = stats.zscore { count = 100 } }"),
    ] + [
      FunctionSpec(
        "stats.add",
        parameters: [
          statistic,
          ParameterSpec(
            "value", .number, help: "The newest value; a late one counts as new"),
          ParameterSpec(
            "volume", .number, optional: true, help: "The volume, for vwap alone"),
        ], returns: value, summary: "Gives a value to a statistic of the key in hand, at ctx.time",
        example: "local rsi = stats.add(state.rsi, state.price)"),
      FunctionSpec(
        "stats.value", parameters: [statistic], returns: value,
        summary: "Gives a statistic as it is now: values that have grown too old are left out",
        example: "local mean = stats.value(state.mean)"),
      FunctionSpec(
        "stats.count", parameters: [statistic],
        returns: Result(.integer, "the number of values added since the start"),
        summary: "Tells how many values a statistic was given",
        example: "if stats.count(state.rsi) < 100 then return end"),
      FunctionSpec(
        "stats.reset", parameters: [statistic], summary: "Empties a statistic, which then warms up again",
        example: "stats.reset(state.vwap)"),
    ]

  private static let value = Result(
    .number, optional: true,
    "the value, or nil while there are too few: count values, or data for the whole duration")
  private static let statistic = ParameterSpec(
    "statistic", .named(TypeSpec.statistic.name), help: "A field that M.state declares with stats.…")

  private static func declaration(
    _ name: String, _ summary: String, least: Int64, more: [ParameterSpec] = [], example: String
  ) -> FunctionSpec {
    FunctionSpec(
      "stats.\(name)",
      parameters: [
        .options(
          fields: [
            ParameterSpec(
              "count", .integer, optional: true,
              help: "The window as a number of values from \(least) to 100000; this or over"),
            ParameterSpec(
              "over", .duration, optional: true,
              help: "The window as a span of ctx.time such as \"5m\"; this or count"),
          ] + more, help: "The window")
      ],
      returns: Result(
        .named(TypeSpec.statistic.name), "a field's default for M.state; each key has a statistic of its own"),
      summary: summary,
      example: example)
  }
}
