import Pipeline
import Scripting

/// What a test lets come before the first message.
extension TestFunctions {
  var warmUp: HostFunction {
    function(.warmUp) { subject, arguments, call throws(ClaimError) in
      guard subject.engine.runners.allSatisfy({ $0.handledCount == 0 }) else {
        throw ClaimError("a history comes before the first message; this one comes behind it")
      }
      let history = try Self.history(arguments, of: subject)
      if let failure = history.failureTexts.first { throw ClaimError(failure) }
      let shown = arguments[0]?.text.map { "\(LuaLiteral.quoted($0)), …" } ?? ""
      try subject.perform("warm_up(\(shown))", line: call.line) { _ = $0.warmUp(with: history) }
      return nil
    }
  }

  private static func history(
    _ arguments: ArgumentReader, of subject: Subject
  ) throws(ClaimError) -> History {
    let (now, configuration) = (subject.engine.now, subject.parts.configuration)
    guard arguments[0] != nil else {
      guard let configuration else {
        throw ClaimError("expected an input and its history; only a configuration names files")
      }
      return HistoryLoader(configuration, now: now).read { _ in true }
    }
    let input = try arguments.text(0, "an input")
    let options = try arguments.options(2, of: .warmUp)
    let every = try options.duration("every") ?? .seconds(1)
    let script = try script(try options.text("script"), with: input, of: subject)
    var texts: [(text: String, time: Timestamp)] = []
    switch arguments[1] {
    case .text(let text)?: texts = [(text, now)]
    case .list(let items)?:
      for (index, item) in items.enumerated() {
        let age = Milliseconds(every.count * Int64(items.count - 1 - index))
        texts.append((item.text ?? item.json, now + Milliseconds(-age.count)))
      }
    // An empty table is both.
    case .map(let members)? where members.isEmpty: break
    case let other:
      throw ClaimError(
        "expected a list of messages, or the text of a history, got \(other?.kindName ?? "nothing")")
    }
    return HistoryLoader.history(of: script, input, texts, in: configuration, now: now)
  }

  /// The script, or reducer written in Swift, that has an input of this name.
  private static func script(
    _ name: String?, with input: String, of subject: Subject
  ) throws(ClaimError) -> String {
    let reducers = subject.parts.configuration?.reducers.values.map { reducer in
      (name: reducer.name, inputs: Set(reducer.inputs.keys).union(reducer.warmUps.keys).sorted())
    }
    let all =
      subject.engine.runners.map { (name: $0.name, inputs: $0.inputs) }
      + (reducers ?? []).sorted { $0.name < $1.name }
    let scripts = all.filter { $0.inputs.contains(input) && (name == nil || $0.name == name) }
    guard let first = scripts.first else {
      let known = Set(all.flatMap(\.inputs)).sorted().joined(separator: ", ")
      throw ClaimError(
        name.map { "'\($0)' has no handler M.on.\(input)" }
          ?? "there is no handler M.on.\(input); there is \(known)")
    }
    guard scripts.count == 1 else {
      let names = scripts.map { "\"\($0.name)\"" }.joined(separator: " or ")
      throw ClaimError("several scripts have M.on.\(input): say which with { script = … }, \(names)")
    }
    return first.name
  }
}
