import Pipeline
import Scripting

/// What a test says must have happened.
extension TestFunctions {
  var claims: [HostFunction] {
    var functions = [ClaimKind.alert, .resolved, .effect, .delivered].map { kind in
      function(kind.spec, isClaim: true) { subject, arguments, _ throws(ClaimError) in
        try subject.claim(kind, try arguments.table(0)) { _ in nil }
        return nil
      }
    }
    functions += [state, emitted, log, error, nothing]
    return functions
  }

  private var state: HostFunction {
    function(.state, isClaim: true) { subject, arguments, _ throws(ClaimError) in
      let hasKey = arguments[0]?.text != nil
      let options = try arguments.options(hasKey ? 2 : 1, of: .state)
      try subject.claimState(
        script: try options.text("script"), key: hasKey ? try arguments.text(0, "a key") : "",
        try arguments.table(hasKey ? 1 : 0))
      return nil
    }
  }

  private var emitted: HostFunction {
    function(.emitted, isClaim: true) { subject, arguments, _ throws(ClaimError) in
      var fields: [String: Value] = ["topic": .text(try arguments.text(0, "a topic"))]
      fields["value"] = arguments[1]
      let options = try arguments.options(2, of: .emitted)
      if let script = try options.text("script") { fields["script"] = .text(script) }
      try subject.claim(.emitted, fields) { _ in nil }
      return nil
    }
  }

  private var log: HostFunction {
    function(.log, isClaim: true) { subject, arguments, _ throws(ClaimError) in
      let hasLevel = arguments.count > 1
      let part = try arguments.text(hasLevel ? 1 : 0, "the text, or a part of it")
      var fields: [String: Value] = [:]
      if hasLevel {
        let level = try arguments.text(0, "a level")
        guard LogLevel.allCases.contains(where: { $0.name == level }) else {
          throw ClaimError("unknown level '\(level)'; known: debug, info, warn, error")
        }
        fields["level"] = .text(level)
      }
      try subject.claim(.log, fields) { Self.mismatch($0, part) }
      return nil
    }
  }

  private var error: HostFunction {
    function(.error, isClaim: true) { subject, arguments, _ throws(ClaimError) in
      let part = try arguments.text(0, "the error's text, or a part of it")
      try subject.claim(.error, [:]) { Self.mismatch($0, part) }
      return nil
    }
  }

  private var nothing: HostFunction {
    function(.nothing, isClaim: true) { subject, _, _ throws(ClaimError) in
      try subject.claimNothing()
      return nil
    }
  }

  private static func mismatch(_ happening: Happening, _ part: String) -> String? {
    let text =
      switch happening.kind {
      case .log(_, let text): text
      case .failure(let row): row.reason
      default: ""
      }
    guard !contains(text, part) else { return nil }
    return
      "the \(happening.claim.noun) is not as claimed:\n  text: expected \(LuaLiteral.quoted(part)) in it, "
      + "got \(LuaLiteral.quoted(LuaLiteral.short(text)))"
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    guard part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
