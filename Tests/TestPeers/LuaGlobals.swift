/// What a Lua file can reach.
package enum LuaGlobals {
  /// Lua that puts the path of everything reachable from the globals into `names`, and declares `walk` for more.
  package static let walk = """
    local names = {}
    local function walk(table, path)
      for name, value in pairs(table) do
        if name == "_G" then
          names[#names + 1] = name
        elseif type(value) == "table" then
          walk(value, path .. name .. ".")
        else
          names[#names + 1] = path .. name
        end
      end
    end
    walk(_G, "")

    """
}
