/// What files can use of Lua's own libraries, in every kind of file.
package enum LuaLibrary {
  /// The paths of all functions and constants, such as `string.format`.
  package static let names: Set<String> = Set(
    base + members(of: "math", math) + members(of: "string", string) + members(of: "table", table)
      + members(of: "utf8", utf8))

  private static let base = [
    "_G", "_VERSION", "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal",
    "rawget", "rawlen", "rawset", "require", "select", "setmetatable", "tonumber", "tostring", "type",
    "xpcall",
  ]

  private static let math = [
    "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max",
    "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "sin", "sqrt", "tan", "tointeger",
    "type",
    "ult",
  ]

  private static let string = [
    "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack", "packsize", "rep",
    "reverse", "sub", "unpack", "upper",
  ]

  private static let table = ["concat", "insert", "move", "pack", "remove", "sort", "unpack"]

  private static let utf8 = ["char", "charpattern", "codepoint", "codes", "len", "offset"]

  private static func members(of library: String, _ names: [String]) -> [String] {
    names.map { "\(library).\($0)" }
  }
}
