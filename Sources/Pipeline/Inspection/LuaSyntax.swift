/// An expression of Lua text with its line.
struct LuaExpression {
  indirect enum Kind {
    case `nil`
    case boolean(Bool)
    case number(String)
    case text(String)
    case varargs
    case name(String)
    /// `base[key]`; of `base.name` the key is a text.
    case index(LuaExpression, LuaExpression)
    case call(LuaExpression, [LuaExpression])
    case method(LuaExpression, String, [LuaExpression])
    case function(LuaFunction)
    case table([LuaTableItem])
    case unary(String, LuaExpression)
    case binary(String, LuaExpression, LuaExpression)
  }

  var kind: Kind
  var line: Int
  /// How far expressions stand inside one another in it.
  var depth: Int
}

/// One item of a table constructor; the key is nil for a member of a list.
struct LuaTableItem {
  var key: LuaExpression?
  var value: LuaExpression
}

/// The parameters and statements of a function.
struct LuaFunction {
  var parameters: [String]
  var body: [LuaStatement]
}

/// A statement of Lua text with its line; those without expressions are left out.
struct LuaStatement {
  indirect enum Kind {
    case local([String], [LuaExpression])
    case localFunction(String, LuaFunction)
    case assign([LuaExpression], [LuaExpression])
    /// `function a.b.c(…)`; a method has `self` among its parameters.
    case function(LuaExpression, LuaFunction)
    case call(LuaExpression)
    case block([LuaStatement])
    case `while`(LuaExpression, [LuaStatement])
    case `repeat`([LuaStatement], LuaExpression)
    /// Conditions with their blocks; `else` has none.
    case `if`([(condition: LuaExpression?, body: [LuaStatement])])
    case `for`([String], [LuaExpression], [LuaStatement])
    case `return`([LuaExpression])
  }

  var kind: Kind
  var line: Int
}
