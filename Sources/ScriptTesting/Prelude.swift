/// The Lua that runs before each test file: it makes the tables that `test.script` and `test.config` return.
///
/// Most members of such a table are host functions bound to the table's number. `series` calls a function of the
/// test for each tick, so it is Lua. Errors are raised at the test's own line.
enum Prelude {
  static let source = """
    local bind = ...
    local verbs, script, config = t, test.script, test.config
    t = nil

    local function checked(good, result)
      if not good then error(result, 3) end
      return result
    end

    local function subject(number)
      local t = {}
      for name, verb in pairs(verbs) do t[name] = bind(verb, number) end
      local series, tick = t.series, t.series_tick
      t.series_tick = nil
      function t.series(input, make, text, options)
        if type(make) ~= "function" then
          error("t.series: expected a function that makes a message of a number, got " .. type(make), 2)
        end
        local ticks = checked(pcall(series, input, text, options))
        for i = 1, #ticks do
          local message = nil
          if ticks[i].value then message = make(ticks[i].value) end
          local ignored = checked(pcall(tick, ticks[i], message))
        end
      end
      return t
    end

    function test.script(...)
      local number = checked(pcall(script, ...))
      return subject(number)
    end

    function test.config(...)
      local number = checked(pcall(config, ...))
      return subject(number)
    end
    """
}
