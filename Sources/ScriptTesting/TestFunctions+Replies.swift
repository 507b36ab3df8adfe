import Composable
import Pipeline
import Scripting

/// What a test answers to HTTP requests.
extension TestFunctions {
  var reply: HostFunction {
    function(.reply) { subject, arguments, call throws(ClaimError) in
      let isNamed = arguments[0]?.text != nil
      let part = isNamed ? try arguments.text(0, "a part of the URL") : ""
      let options = try arguments.options(isNamed ? 1 : 0, of: .reply)
      let waiting = subject.engine.requests
      guard let index = waiting.firstIndex(where: { part.isEmpty || $0.request.url.contains(part) }) else {
        let urls = waiting.prefix(10).map { LuaLiteral.quoted(LuaLiteral.short($0.request.url)) }
        throw ClaimError(
          waiting.isEmpty
            ? "no request waits for a reply"
            : "no request to \(LuaLiteral.quoted(part)) waits for a reply; there is \(urls.joined(separator: ", "))"
        )
      }
      let reply = try Self.reply(options)
      let url = LuaLiteral.quoted(LuaLiteral.short(waiting[index].request.url))
      try subject.perform("reply(\(url))", line: call.line) { $0.reply(reply, to: index) }
      return nil
    }
  }

  private static func reply(_ options: OptionTable) throws(ClaimError) -> WebReply {
    if let error = try options.text("error") { return WebReply(error: error) }
    var response = HTTPClient.Response(status: try options.integer("status") ?? 200)
    for (name, value) in try options.members("headers") {
      guard let text = value.text else { throw ClaimError("'headers.\(name)': expected a text") }
      response.headers.append(HTTPClient.Field(name, text))
    }
    if let json = options.members["json"] {
      response.body = Array(json.json.utf8)
    } else if let text = try options.text("text") {
      response.body = Array(text.utf8)
    }
    return WebReply(response)
  }
}
