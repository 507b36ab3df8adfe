/// The Lua that runs before each test file: it makes the tables that `test.script` and `test.config` return.
///
/// `each` declares its tests with `it`, so it is Lua. Most members of such a table are host functions bound to the table's number. `series` calls a function of the
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

    local declare = it

    local function name_of(case, key)
      if type(key) == "string" then return key end
      if type(case) == "table" and type(case.name) == "string" then return case.name end
      if type(case) == "table" then return "case " .. key end
      return tostring(case)
    end

    function each(...)
      local title, cases, body = ...
      if type(title) ~= "string" then title, cases, body = nil, title, cases end
      if type(cases) ~= "table" then
        error("each: expected a table of cases, got " .. type(cases), 2)
      elseif type(body) ~= "function" then
        error("each: expected a function that tests a case, got " .. type(body), 2)
      elseif next(cases) == nil then
        error("each: expected at least one case, got none", 2)
      end
      for key, case in pairs(cases) do
        local name = name_of(case, key)
        local full = title and title .. ": " .. name or name
        local ignored = checked(pcall(declare, full, function() body(case) end))
      end
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
