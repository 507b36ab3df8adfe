extension LuaParser {
  mutating func expressions() throws(LuaSyntaxError) -> [LuaExpression] {
    var list = [try expression()]
    while takes(",") { list.append(try expression()) }
    return list
  }

  mutating func expression() throws(LuaSyntaxError) -> LuaExpression { try binary(above: 0) }

  /// Binary operators with how strongly they bind to the left and to the right.
  private static let priorities: [String: (left: Int, right: Int)] = [
    "or": (1, 1), "and": (2, 2), "<": (3, 3), ">": (3, 3), "<=": (3, 3), ">=": (3, 3), "~=": (3, 3),
    "==": (3, 3),
    "|": (4, 4), "~": (5, 5), "&": (6, 6), "<<": (7, 7), ">>": (7, 7), "..": (9, 8), "+": (10, 10),
    "-": (10, 10),
    "*": (11, 11), "/": (11, 11), "//": (11, 11), "%": (11, 11), "^": (14, 13),
  ]
  private static let unaryPriority = 12

  private var operation: String? {
    switch token.kind {
    case .symbol(let text), .keyword(let text): text
    default: nil
    }
  }

  private mutating func binary(above limit: Int) throws(LuaSyntaxError) -> LuaExpression {
    try enter()
    defer { leave() }
    var left: LuaExpression
    if let text = operation, ["not", "-", "#", "~"].contains(text) {
      let line = take().line
      let operand = try binary(above: Self.unaryPriority)
      left = try make(.unary(text, operand), line: line, around: [operand])
    } else {
      left = try simple()
    }
    while let text = operation, let priority = Self.priorities[text], priority.left > limit {
      let line = take().line
      let right = try binary(above: priority.right)
      left = try make(.binary(text, left, right), line: line, around: [left, right])
    }
    return left
  }

  private mutating func simple() throws(LuaSyntaxError) -> LuaExpression {
    let line = token.line
    switch token.kind {
    case .number(let text):
      _ = take()
      return try make(.number(text), line: line)
    case .text(let text):
      _ = take()
      return try make(.text(text), line: line)
    case .keyword("nil"):
      _ = take()
      return try make(.nil, line: line)
    case .keyword("true"), .keyword("false"):
      return try make(.boolean(take().kind == .keyword("true")), line: line)
    case .symbol("..."):
      _ = take()
      return try make(.varargs, line: line)
    case .symbol("{"): return try table()
    case .keyword("function"):
      _ = take()
      let (function, depth) = try functionBody()
      return try make(.function(function), line: line, depth: depth)
    default: return try suffixed()
    }
  }

  /// A name or an expression in brackets, with what is read from it and called of it.
  mutating func suffixed() throws(LuaSyntaxError) -> LuaExpression {
    var expression: LuaExpression
    if takes("(") {
      expression = try self.expression()
      try expect(")")
    } else {
      let line = token.line
      expression = try make(.name(try name()), line: line)
    }
    while true {
      let line = token.line
      switch token.kind {
      case .symbol("."):
        _ = take()
        let key = try make(.text(try name()), line: line)
        expression = try make(.index(expression, key), line: line, around: [expression])
      case .symbol("["):
        _ = take()
        let key = try self.expression()
        try expect("]")
        expression = try make(.index(expression, key), line: line, around: [expression, key])
      case .symbol(":"):
        _ = take()
        let method = try name()
        let arguments = try self.arguments()
        expression = try make(
          .method(expression, method, arguments), line: line, around: [expression] + arguments)
      case .symbol("("), .symbol("{"), .text:
        let arguments = try self.arguments()
        expression = try make(.call(expression, arguments), line: line, around: [expression] + arguments)
      default: return expression
      }
    }
  }

  private mutating func arguments() throws(LuaSyntaxError) -> [LuaExpression] {
    let line = token.line
    switch token.kind {
    case .text(let text):
      _ = take()
      return [try make(.text(text), line: line)]
    case .symbol("{"): return [try table()]
    default:
      try expect("(")
      let arguments = isAt(")") ? [] : try expressions()
      try expect(")")
      return arguments
    }
  }

  private mutating func table() throws(LuaSyntaxError) -> LuaExpression {
    let line = take().line
    try enter()
    defer { leave() }
    var items: [LuaTableItem] = []
    while !isAt("}") {
      let first = token
      if takes("[") {
        let key = try expression()
        try expect("]")
        try expect("=")
        items.append(LuaTableItem(key: key, value: try expression()))
      } else {
        let value = try expression()
        if case .name(let name) = value.kind, isAt("=") {
          _ = take()
          let key = try make(.text(name), line: first.line)
          items.append(LuaTableItem(key: key, value: try expression()))
        } else {
          items.append(LuaTableItem(key: nil, value: value))
        }
      }
      guard takes(",") || takes(";") else { break }
    }
    try expect("}")
    let parts = items.flatMap { [$0.key, $0.value].compactMap { $0 } }
    return try make(.table(items), line: line, around: parts)
  }
}
