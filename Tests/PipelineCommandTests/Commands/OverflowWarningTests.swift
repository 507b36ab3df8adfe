import Testing

@Suite("What check says of messages that give way to later ones of their key")
struct OverflowWarningTests {
  /// What `check` says of a source that scripts with these keys read.
  private func check(_ keys: [String], overflow: String = "latest_per_key") throws -> CommandRun {
    let folder = try TemporaryFolder()
    var scripts = ""
    for (number, key) in keys.enumerated() {
      let script = "return { state = {}, \(key) on = { feed = function() end } }"
      try folder.write("s\(number).lua", script)
      scripts += "s\(number) = { file = 's\(number).lua', from = { 'feed' } }, "
    }
    let config = try folder.write(
      "config.lua",
      """
      return {
        sources = { feed = source.websocket { url = "ws://127.0.0.1:9", overflow = "\(overflow)" } },
        scripts = { \(scripts) }, channels = { main = channel.console {} },
      }
      """)
    return try CommandRun(["check", config], in: folder)
  }

  @Test(
    "it warns where keys are not what gives way",
    arguments: [
      ([""], "no script that reads it has M.key, so all but its latest message give way"),
      (
        ["key = 's',", "key = 'data.pair',"],
        "its scripts have keys at 's' and 'data.pair', so a message gives way to a later one that has the same at all"
      ),
      (
        ["key = function(message) return message.s end,"],
        "M.key of a script that reads it is a function, or a reducer in Swift reads it, so keys can't be seen "
          + "beforehand and the oldest messages give way; give M.key as a path"
      ),
    ])
  func warnings(keys: [String], warning: String) throws {
    let run = try check(keys)
    #expect(run.status == 0)
    #expect(
      run.output.contains("config.lua: warning: sources.feed.overflow: \(warning)\n"),
      "\(run.output)\(run.errors)")
    #expect(try !check(keys, overflow: "drop_oldest").output.contains("warning: sources"))
  }

  @Test("it says nothing where every script has its key at the same path", arguments: [1, 2])
  func common(count: Int) throws {
    let run = try check(Array(repeating: "key = 's',", count: count))
    #expect(run.status == 0)
    #expect(!run.output.contains("warning: sources"), "\(run.output)")
  }
}
