import Pipeline

extension ProjectTemplate {
  /// The files of a plugin in a folder of a name.
  static func plugin(named name: String) -> [File] {
    [
      (ScriptConfiguration.pluginFile, script), ("plugin_test.lua", test), ("README.md", readme(name)),
    ]
  }

  private static let script = """
    -- Tells when a field of a message reaches a level, for each value of another field.
    local M = {}

    local p = params {
      value = "price",      -- the field that is watched
      name = "symbol",      -- the field that says what it is the value of
      level = 70000.0,      -- where to tell
      back_by = 0.5,        -- percent below the level at which it may tell again
    }

    M.key = p.name
    M.state = { last = json.null }

    local over = alert.rule {
      name = "over level", crosses_above = p.level, clear_below = p.level * (1 - p.back_by / 100),
      severity = "warning",
      text = function(value, data) return ("%s at %.2f"):format(data.name, value) end,
    }

    M.on = {}

    function M.on.value(state, message, ctx)
      state.last = num(message[p.value])
      over:check(state.last, { name = ctx.key })
    end

    return M

    """

  private static let test = """
    local t = test.script("plugin.lua", { params = { value = "p", name = "s", level = 100, back_by = 1 } })

    it("tells once for each name, and again only after it was back", function()
      t.receive("value", { s = "a", p = "99" })
      t.state("a", { last = 99.0 })
      t.receive("value", { s = "a", p = "100.5" })
      t.state("a", { last = 100.5 })
      t.alert { rule = "over level", key = "a", text = "a at 100.50" }
      t.receive("value", { s = "b", p = 101 })
      t.state("b", { last = 101.0 })
      t.receive("value", { s = "a", p = "99.5" })
      t.state("a", { last = 99.5 })
      t.receive("value", { s = "a", p = "102" })
      t.state("a", { last = 102.0 })
    end)

    """

  private static func readme(_ name: String) -> String {
    """
    # \(name)

    Tells when a field of a message reaches a level, for each value of another field.

    ```lua
    scripts = {
      \(Self.identifier(name)) = {
        plugin = "\(name)",                -- this folder, from that of the configuration
        from = { value = "trades" },      -- any source whose messages have the two fields
        params = { value = "price", name = "symbol", level = 70000 },
      },
    },
    ```

    | parameter | default | meaning |
    |---|---|---|
    | `value` | `"price"` | the field that is watched: a number, or text that is one |
    | `name` | `"symbol"` | the field that says what it is the value of |
    | `level` | `70000` | the level at which it tells |
    | `back_by` | `0.5` | percent below the level at which it may tell again |

    `pipeline test \(name)` runs its tests.

    """
  }

  /// A folder's name as a name of the configuration.
  private static func identifier(_ name: String) -> String {
    let text = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return text.first?.isLetter == true ? text : "_\(text)"
  }
}
