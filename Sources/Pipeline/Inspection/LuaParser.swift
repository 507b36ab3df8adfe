/// Reads Lua 5.4 into statements.
///
/// Text that is nested deeper than Lua itself allows, or whose expressions are longer than anybody writes, is refused.
struct LuaParser {
  /// Blocks, expressions and tables inside one another; Lua itself allows about 200.
  private static let levelLimit = 400
  /// Expressions inside one another, long chains included.
  private static let depthLimit = 500

  private let tokens: [LuaToken]
  private var position = 0
  private var level = 0
  private var deepest = 0

  /// Reads a whole file.
  static func parse(_ text: String) throws(LuaSyntaxError) -> [LuaStatement] {
    var parser = LuaParser(tokens: try LuaLexer.tokens(of: text))
    let statements = try parser.block()
    guard parser.token.kind == .end else { throw parser.unexpected("the end of the file") }
    return statements
  }

  private init(tokens: [LuaToken]) { self.tokens = tokens }

  // MARK: - Tokens

  var token: LuaToken { tokens[position] }

  private mutating func advance() { if position + 1 < tokens.count { position += 1 } }

  func unexpected(_ expected: String) -> LuaSyntaxError {
    LuaSyntaxError(line: token.line, message: "expected \(expected), got \(token.shown)")
  }

  func isAt(_ text: String) -> Bool {
    switch token.kind {
    case .symbol(let symbol): symbol == text
    case .keyword(let keyword): keyword == text
    default: false
    }
  }

  mutating func takes(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    advance()
    return true
  }

  mutating func expect(_ text: String) throws(LuaSyntaxError) {
    guard takes(text) else { throw unexpected("'\(text)'") }
  }

  mutating func name() throws(LuaSyntaxError) -> String {
    guard case .name(let name) = token.kind else { throw unexpected("a name") }
    advance()
    return name
  }

  /// The token here, passed over.
  mutating func take() -> LuaToken {
    defer { advance() }
    return token
  }

  mutating func enter() throws(LuaSyntaxError) {
    level += 1
    guard level <= Self.levelLimit else {
      throw LuaSyntaxError(line: token.line, message: "too many levels")
    }
  }

  mutating func leave() { level -= 1 }

  mutating func make(
    _ kind: LuaExpression.Kind, line: Int, around parts: [LuaExpression] = [], depth: Int = 0
  ) throws(LuaSyntaxError) -> LuaExpression {
    let depth = 1 + parts.reduce(depth) { max($0, $1.depth) }
    guard depth <= Self.depthLimit else {
      throw LuaSyntaxError(line: line, message: "an expression is too long")
    }
    deepest = max(deepest, depth)
    return LuaExpression(kind: kind, line: line, depth: depth)
  }

  // MARK: - Statements

  mutating func block() throws(LuaSyntaxError) -> [LuaStatement] {
    try enter()
    defer { leave() }
    var statements: [LuaStatement] = []
    while true {
      switch token.kind {
      case .end: return statements
      case .keyword("end"), .keyword("else"), .keyword("elseif"), .keyword("until"): return statements
      case .keyword("return"):
        let line = take().line
        let ends = [";", "end", "else", "elseif", "until"].contains(where: isAt) || token.kind == .end
        statements.append(LuaStatement(kind: .return(ends ? [] : try expressions()), line: line))
        _ = takes(";")
        return statements
      default: if let statement = try statement() { statements.append(statement) }
      }
    }
  }

  private mutating func statement() throws(LuaSyntaxError) -> LuaStatement? {
    let line = token.line
    let kind: LuaStatement.Kind?
    switch token.kind {
    case .symbol(";"), .keyword("break"):
      advance()
      kind = nil
    case .symbol("::"):
      advance()
      _ = try name()
      try expect("::")
      kind = nil
    case .keyword("goto"):
      advance()
      _ = try name()
      kind = nil
    case .keyword("do"):
      advance()
      kind = .block(try blockToEnd())
    case .keyword("while"):
      advance()
      let condition = try expression()
      try expect("do")
      kind = .while(condition, try blockToEnd())
    case .keyword("repeat"):
      advance()
      let body = try block()
      try expect("until")
      kind = .repeat(body, try expression())
    case .keyword("if"): kind = try conditional()
    case .keyword("for"): kind = try loop()
    case .keyword("function"): kind = try function()
    case .keyword("local"): kind = try local()
    default: kind = try assignmentOrCall()
    }
    return kind.map { LuaStatement(kind: $0, line: line) }
  }

  private mutating func blockToEnd() throws(LuaSyntaxError) -> [LuaStatement] {
    let body = try block()
    try expect("end")
    return body
  }

  private mutating func conditional() throws(LuaSyntaxError) -> LuaStatement.Kind {
    var branches: [(condition: LuaExpression?, body: [LuaStatement])] = []
    repeat {
      advance()
      let condition = try expression()
      try expect("then")
      branches.append((condition, try block()))
    } while isAt("elseif")
    if takes("else") { branches.append((nil, try block())) }
    try expect("end")
    return .if(branches)
  }

  private mutating func loop() throws(LuaSyntaxError) -> LuaStatement.Kind {
    advance()
    var names = [try name()]
    while takes(",") { names.append(try name()) }
    if !takes("=") { try expect("in") }
    let values = try expressions()
    try expect("do")
    return .for(names, values, try blockToEnd())
  }

  private mutating func function() throws(LuaSyntaxError) -> LuaStatement.Kind {
    let line = take().line
    var target = try make(.name(try name()), line: line)
    var isMethod = false
    while !isMethod, isAt(".") || isAt(":") {
      isMethod = isAt(":")
      advance()
      let key = try make(.text(try name()), line: token.line)
      target = try make(.index(target, key), line: line, around: [target])
    }
    var function = try functionBody().function
    if isMethod { function.parameters.insert("self", at: 0) }
    return .function(target, function)
  }

  private mutating func local() throws(LuaSyntaxError) -> LuaStatement.Kind {
    advance()
    if takes("function") {
      let name = try name()
      return .localFunction(name, try functionBody().function)
    }
    var names: [String] = []
    repeat {
      names.append(try name())
      if takes("<") {
        _ = try name()
        try expect(">")
      }
    } while takes(",")
    return .local(names, takes("=") ? try expressions() : [])
  }

  private mutating func assignmentOrCall() throws(LuaSyntaxError) -> LuaStatement.Kind {
    let first = try suffixed()
    guard isAt("=") || isAt(",") else {
      switch first.kind {
      case .call, .method: return .call(first)
      default: throw unexpected("'='")
      }
    }
    var targets = [first]
    while takes(",") { targets.append(try suffixed()) }
    try expect("=")
    return .assign(targets, try expressions())
  }

  /// The parameters and the body of a function, and how deep its expressions go.
  mutating func functionBody() throws(LuaSyntaxError) -> (function: LuaFunction, depth: Int) {
    try expect("(")
    var parameters: [String] = []
    while !isAt(")") {
      if takes("...") { break }
      parameters.append(try name())
      if !takes(",") { break }
    }
    try expect(")")
    let outer = deepest
    deepest = 0
    let body = try blockToEnd()
    let depth = deepest
    deepest = max(outer, depth)
    return (LuaFunction(parameters: parameters, body: body), depth)
  }
}
