extension TemporaryFolder {
  /// Writes a configuration with the source `feed` and one script, and gives its path.
  ///
  /// - Parameters:
  ///   - feed: the source, such as `source.stdin {}`.
  ///   - sources: further sources.
  ///   - from: what feeds the script.
  ///   - script: the script; one that tells the field `n` of each message if not given.
  ///   - channel: where alerts go.
  ///   - rest: further parts of the configuration.
  func writeLive(
    feed: String, sources: String = "", from: String = "'feed'", script: String = tellMessages,
    channel: String = "channel.console {}", rest: String = ""
  ) throws -> String {
    try write("watch.lua", script)
    return try write(
      "config.lua",
      """
      return {
        sources = { feed = \(feed), \(sources) },
        scripts = { watch = { file = "watch.lua", from = { \(from) } } },
        channels = { main = \(channel) },
        \(rest)
      }
      """)
  }

  /// A script that tells the field `n` of each message.
  static let tellMessages = """
    local M = {}
    M.state = { count = 0 }
    M.on = {}
    function M.on.feed(state, message)
      alert.send { name = "seen", text = "message " .. message.n .. "." }
    end
    return M
    """

  /// A script that tells how many messages it has seen in its life.
  static let countMessages = """
    local M = {}
    M.state = { count = 0 }
    M.on = {}
    function M.on.feed(state, message)
      state.count = state.count + 1
      alert.send { name = "seen", text = "count " .. state.count .. "." }
    end
    return M
    """
}
