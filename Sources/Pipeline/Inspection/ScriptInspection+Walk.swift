extension ScriptInspection {
  mutating func walk(_ statements: [LuaStatement]) {
    for statement in statements { walk(statement) }
  }

  private mutating func scoped(_ body: (inout Self) -> Void) {
    scopes.append([:])
    body(&self)
    scopes.removeLast()
  }

  private mutating func walk(_ statement: LuaStatement) {
    switch statement.kind {
    case .local(let names, let values):
      values.forEach { walk($0) }
      let meanings = values.map(meaning)
      for (index, name) in names.enumerated() {
        // Another name for the state is a local of its own, which may be set.
        var meaning = index < meanings.count ? meanings[index] : .other
        if case .state = meaning { meaning = .state(isParameter: false) }
        declare(name, meaning)
      }
    case .localFunction(let name, let function):
      declare(name)
      walk(function)
    case .assign(let targets, let values): assign(targets, values, line: statement.line)
    case .function(let target, let function):
      if case .name(let name) = target.kind {
        assign(name, .other, line: statement.line)
      } else {
        walk(target: target)
      }
      walk(function, role: target.handlerGroup, name: target.memberName)
    case .call(let call): walk(call)
    case .block(let body): scoped { $0.walk(body) }
    case .while(let condition, let body):
      walk(condition: condition)
      scoped {
        $0.narrow(condition)
        $0.walk(body)
      }
    case .repeat(let body, let condition):
      scoped {
        $0.walk(body)
        $0.walk(condition: condition)
      }
    case .if(let branches):
      for (condition, body) in branches {
        if let condition { walk(condition: condition) }
        scoped {
          if let condition { $0.narrow(condition) }
          $0.walk(body)
        }
      }
      // Behind `if state.x == json.null then return end` it isn't null any more.
      if branches.count == 1, case .binary("==", let left, let right)? = branches[0].condition?.kind,
        case .return? = branches[0].body.last?.kind
      {
        narrow(left, right)
      }
    case .for(let names, let values, let body):
      values.forEach { walk($0) }
      scoped {
        for name in names { $0.declare(name) }
        // The items of a message's list are as it came, too.
        if names.count == 2, case .call(let function, let arguments)? = values.first?.kind,
          case .name("ipairs") = function.kind, let list = arguments.first,
          case .message(_, let field) = $0.meaning(of: list)
        {
          $0.declare(names[1], .message(path: names[1], field: field))
        }
        $0.walk(body)
      }
    case .return(let values): values.forEach { walk($0) }
    }
  }

  private mutating func assign(_ targets: [LuaExpression], _ values: [LuaExpression], line: Int) {
    for (index, value) in values.enumerated() {
      let group = index < targets.count ? targets[index].handlerGroup : nil
      if case .function(let function) = value.kind {
        walk(function, role: group, name: targets[index].memberName)
      } else if case .table(let items) = value.kind, index < targets.count,
        let name = targets[index].memberName
      {
        walk(items, of: name)
      } else {
        walk(value)
      }
    }
    let meanings = values.map(meaning)
    for (index, target) in targets.enumerated() {
      if case .name(let name) = target.kind {
        assign(name, index < meanings.count ? meanings[index] : .other, line: line)
      } else {
        walk(target: target)
        if case .field(let field) = meaning(of: target) {
          set(field, to: index < values.count ? values[index] : nil)
        }
      }
    }
  }

  /// What is read on the way to a member that is set.
  private mutating func walk(target: LuaExpression) {
    guard case .index(let base, let key) = target.kind else { return walk(target) }
    walk(base)
    walk(key)
  }

  private mutating func walk(condition: LuaExpression) {
    walk(condition)
    judge(condition)
  }

  // MARK: - Functions

  /// What `ctx` has.
  private static let context = Set(TypeSpec.context.members.map(\.name))
  /// What the event of each name has.
  private static let events = [
    "connection": TypeSpec.connectionEvent, "reload": .reloadEvent, "gap": .gapEvent,
    "subscription": .subscriptionEvent,
  ].mapValues { Set($0.members.map(\.name)) }

  /// - Parameters:
  ///   - role: the group of handlers that the function is one of, `on`, `actions` or `events`.
  ///   - name: the name of the handler.
  private mutating func walk(_ function: LuaFunction, role: String? = nil, name: String? = nil) {
    scoped {
      let event = name.flatMap { role == "events" ? Self.events[$0] : nil }
      for (index, name) in function.parameters.enumerated() {
        switch (index, role) {
        case (0, _?): $0.declare(name, .state(isParameter: true))
        case (1, "events"?) where event != nil: $0.declare(name, .given(name, members: event ?? []))
        case (2, _?): $0.declare(name, .given(name, members: Self.context))
        case (1, "on"?): $0.declare(name, .message(path: name, field: ""))
        // Other functions take these under the same names.
        case (_, nil) where name == "state": $0.declare(name, .state(isParameter: true))
        case (_, nil) where name == "message": $0.declare(name, .message(path: name, field: ""))
        default: $0.declare(name)
        }
      }
      $0.walk(function.body)
    }
  }

  /// The items of a table, of which `on = { … }` holds handlers.
  private mutating func walk(_ items: [LuaTableItem], of owner: String?) {
    for item in items {
      if let key = item.key { walk(key) }
      var name: String?
      if case .text(let text)? = item.key?.kind { name = text }
      switch item.value.kind {
      case .function(let function):
        walk(
          function, role: owner.flatMap { LuaExpression.handlerGroups.contains($0) ? $0 : nil }, name: name)
      case .table(let items): walk(items, of: name)
      default: walk(item.value)
      }
    }
  }

  // MARK: - Expressions

  private mutating func walk(_ expression: LuaExpression) {
    switch expression.kind {
    case .nil, .boolean, .number, .text, .varargs: break
    case .name(let name): read(name, line: expression.line)
    case .index(let base, let key):
      if case .name(let table) = base.kind, case .text(let member) = key.kind {
        read(member, of: table, line: expression.line)
        read(member, ofGiven: base, line: expression.line)
      }
      walk(base)
      walk(key)
    case .call(let function, let arguments):
      if case .name("require") = function.kind, case .text(let module)? = arguments.first?.kind {
        require(module)
      }
      walk(function)
      arguments.forEach { walk($0) }
    case .method(let base, _, let arguments):
      walk(base)
      arguments.forEach { walk($0) }
    case .function(let function): walk(function)
    case .table(let items): walk(items, of: nil)
    case .unary(let operation, let operand):
      walk(operand)
      if operation == "not" { judge(operand) }
    case .binary(let operation, let left, let right):
      walk(left)
      scoped {
        if operation == "and" { $0.narrow(left) }
        $0.walk(right)
      }
      switch operation {
      case "and", "or": judge(left)
      case "<", "<=", ">", ">=", "==", "~=": compare(operation, left, right, line: expression.line)
      default: break
      }
    }
  }
}

extension LuaExpression {
  static let handlerGroups: Set<String> = ["on", "actions", "events"]

  /// The last name of a path, such as `price` of `M.on.price`.
  var memberName: String? {
    if case .index(_, let key) = kind, case .text(let name) = key.kind { name } else { nil }
  }

  /// The group of handlers that a path such as `M.on.price` leads into.
  var handlerGroup: String? {
    guard case .index(let base, _) = kind, let group = base.memberName, Self.handlerGroups.contains(group)
    else {
      return nil
    }
    return group
  }
}
