/// The files of a new project or a new plugin: they pass `check` and `test` as they are.
enum ProjectTemplate {
  /// One file of a new folder.
  typealias File = (name: String, text: String)

  /// The files of a project.
  static let files: [File] = [
    ("config.lua", configuration), ("alert.lua", script), ("alert_test.lua", test), ("README.md", readme),
  ]

  private static let configuration = """
    -- What feeds the script, and where its alerts go.
    return {
      sources = {
        -- Made-up prices; for a real feed: source.websocket { url = "wss://…" }
        prices = source.simulated { rate = 20, price = 70000 },
      },
      scripts = {
        alert = { file = "alert.lua", from = { price = "prices" }, params = { level = 70050 } },
      },
      channels = {
        screen = channel.console {},
      },
      routes = { { to = { "screen" } } },
    }

    """

  private static let script = """
    -- Tells when bitcoin reaches a level.
    local M = {}

    local p = params { level = 70000 }

    M.state = { price = json.null }

    local over = alert.rule {
      name = "over level", crosses_above = p.level, clear_below = p.level - 100, severity = "warning",
      text = function(price) return ("bitcoin at %.2f"):format(price) end,
    }

    M.on = {}

    function M.on.price(state, message, ctx)
      state.price = num(message.bitcoin)
      over:check(state.price)
    end

    return M

    """

  private static let test = """
    local t = test.script("alert.lua", { params = { level = 70000 } })

    it("tells when the price reaches the level, and not again above it", function()
      t.receive("price", { bitcoin = "69990" })
      t.state { price = 69990.0 }
      t.receive("price", { bitcoin = "70010" })
      t.state { price = 70010.0 }
      t.alert { rule = "over level", text = "bitcoin at 70010.00" }
      t.receive("price", { bitcoin = "70020" })
      t.state { price = 70020.0 }
    end)

    """

  private static let readme = """
    # A price alert

    - `config.lua` says what feeds the script and where its alerts go.
    - `alert.lua` is the script: it watches the price and tells when it reaches the level.
    - `alert_test.lua` is its test.

    ```sh
    pipeline check config.lua
    pipeline test
    pipeline run config.lua --for 30s
    ```

    """
}
