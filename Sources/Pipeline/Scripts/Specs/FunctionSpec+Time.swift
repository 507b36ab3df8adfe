extension FunctionSpec {
  /// Dates, zones, and what recurs by them.
  static let times = [timeParse, timeFormat, timeParts, daily, every]

  static let timeParse = FunctionSpec(
    "time.parse",
    parameters: [
      ParameterSpec("text", .text, help: "A date, or a date and time (RFC 3339)"),
      ParameterSpec("zone", .text, optional: true, help: "Whose local time it is if it has no offset"),
    ], returns: Result(.integer, "milliseconds since 1970 UTC"), summary: "Reads a date and time",
    example: "time.parse(\"2026-12-31 18:30\", \"Europe/Berlin\")")

  static let timeFormat = FunctionSpec(
    "time.format",
    parameters: [
      ParameterSpec("time", .number, help: "Milliseconds since 1970 UTC"),
      ParameterSpec(
        "pattern", .text, optional: true, help: "With %Y %m %d %H %M %S and so on; RFC 3339 if left out"),
      ParameterSpec("zone", .text, optional: true, help: "UTC if left out"),
    ], returns: Result(.text, "text"), summary: "Writes a date and time as strftime does",
    example: "time.format(time.now(), \"%H:%M\", \"Europe/Berlin\")")

  static let timeParts = FunctionSpec(
    "time.parts",
    parameters: [
      ParameterSpec("time", .number, help: "Milliseconds since 1970 UTC"),
      ParameterSpec("zone", .text, optional: true, help: "UTC if left out"),
    ],
    returns: Result(
      .table([
        ParameterSpec("year", .integer, help: "The year"),
        ParameterSpec("month", .integer, help: "From 1 to 12"),
        ParameterSpec("day", .integer, help: "From 1 to 31"),
        ParameterSpec("hour", .integer, help: "From 0 to 23"),
        ParameterSpec("minute", .integer, help: "From 0 to 59"),
        ParameterSpec("second", .integer, help: "From 0 to 59"),
        ParameterSpec("weekday", .integer, help: "From 1, Monday, to 7"),
        ParameterSpec("year_day", .integer, help: "From 1 to 366"),
        ParameterSpec("offset", .integer, unit: "seconds", help: "How far the zone is ahead of UTC"),
      ]),
      "a table of year, month, day, hour, minute, second, weekday (1 is Monday), year_day and offset"),
    summary: "Takes a time apart",
    example: "if time.parts(ctx.time, \"Europe/Berlin\").weekday > 5 then return end")

  static let daily = FunctionSpec(
    "daily",
    parameters: [
      ParameterSpec("time", .text, help: "The time of day, such as \"08:00\""),
      ParameterSpec("zone", .text, optional: true, help: "Such as \"Europe/Berlin\"; UTC if left out"),
    ], returns: Result(.named(TypeSpec.timer.name), "an entry of M.timers"),
    summary: "Runs an action once a day",
    example: "M.timers = { summary = daily(\"08:00\", \"Europe/Berlin\") }", phase: .loading)

  static let every = FunctionSpec(
    "every",
    parameters: [
      ParameterSpec("duration", .duration, help: "How far apart, such as \"1m\""),
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "align", .boolean, optional: true, default: "false",
            help: "Whether it runs at full minutes, hours and so on")
        ], help: "How it counts"),
    ], returns: Result(.named(TypeSpec.timer.name), "an entry of M.timers"),
    summary: "Runs an action again and again",
    example: "M.timers = { close = every(\"1m\", { align = true }) }", phase: .loading)
}
