import Scripting
import Synchronization
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "A webhook whose bodies a function makes",
  .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason)))
struct BodyFunctionReceiverTests {
  /// What a channel had to tell the user.
  private final class Notices: Sendable {
    let alerts = Mutex<[Alert]>([])
  }

  private let notices = Notices()

  /// The channel `phone` of a configuration with a function.
  private func channel(_ receiver: Receiver, body: String, before: String = "") throws -> any Channel {
    let source = """
      \(before)
      return {
        sources = { feed = source.simulated {} },
        channels = { phone = channel.webhook { url = "\(try receiver.url("/status/200"))", body = \(body) } },
      }
      """
    let registry = Registry.builtIn
    let file = ScriptFile(name: "c.lua", source: source)
    let value = try ConfigurationFile.evaluate(file, registry: registry)
    let (configuration, findings) = Configuration.read(
      value, file: "c.lua", registry: registry, needsScripts: false, fileExists: { _ in true })
    let component = try #require(configuration?.channels["phone"], "\(findings)")
    let settings: any ChannelSettings = try registry.make(component)
    let notices = notices
    let context = ChannelContext(
      program: ConfigurationProgram(file: file, registry: registry),
      notice: { alert in notices.alerts.withLock { $0.append(alert) } })
    return try settings.makeChannel(name: "phone", context: context)
  }

  private var told: [String] { notices.alerts.withLock { $0.map(\.text) } }

  @Test("A table is sent as JSON, made from the fields of the plain body and what stands around the function")
  func table() async throws {
    let receiver = try Receiver("body-table")
    let channel = try channel(
      receiver,
      body: """
        function(alert)
          return { title = prefix .. alert.name, tags = { alert.severity, alert.key }, id = alert.id,
            extra = alert.labels.market, value = alert.value }
        end
        """, before: "local prefix = 'P: '")
    #expect(await channel.deliver(.sample(labels: ["market": "spot"]), id: "1-phone") == .delivered)
    let body = try #require(try await receiver.requests().first?["body"]?.text)
    #expect(
      try Value(json: body) == [
        "title": "P: over level", "tags": ["warning", "btc"], "id": "1-phone", "extra": "spot",
        "value": 70_010.0,
      ])
    #expect(try await receiver.requests().first?["headers"]?["content-type"] == "application/json")
    #expect(told == [])
    await channel.close()
  }

  @Test("A text is sent as it is")
  func text() async throws {
    let receiver = try Receiver("body-text")
    let channel = try channel(receiver, body: "function(alert) return 'text=' .. alert.text end")
    #expect(await channel.deliver(.sample(), id: "1-phone") == .delivered)
    #expect(try await receiver.requests().first?["body"] == "text=bitcoin at 70010.00")
    await channel.close()
  }

  @Test(
    "A function that fails costs no alert: the plain body goes, and the user is told once",
    arguments: [
      ("error('no')", "c.lua:4: no"), ("return nil", "expected a table or a text, got null"),
      ("while true do end", "steps"), ("return { f = tostring }", "a function can't leave the script"),
      ("local text = 'x' while true do text = text .. text end", "memory"),
      ("return ('x'):rep(300000)", "expected a body of at most 256KiB"),
      ("return alert.nothing.more", "c.lua:4"),
    ])
  func failing(body: String, reason: String) async throws {
    let receiver = try Receiver("body-failing-\(reason.filter(\.isLetter))")
    let channel = try channel(receiver, body: "function(alert) \(body) end")
    for id in ["1-phone", "2-phone"] { #expect(await channel.deliver(.sample(), id: id) == .delivered) }
    let bodies = try await receiver.requests().map { try Value(json: $0["body"]?.text ?? "") }
    #expect(bodies.map { $0["id"] } == ["1-phone", "2-phone"])
    #expect(bodies.first?["text"] == "bitcoin at 70010.00")
    #expect(told.count == 1)
    #expect(
      told.first?.hasPrefix("the body function of channel 'phone' failed, so the plain body is sent: ")
        == true)
    #expect(told.first?.contains(reason) == true, "\(told)")
    await channel.close()
  }

  @Test("One that works again after it failed is told of when it fails anew")
  func recovers() async throws {
    let receiver = try Receiver("body-recovers")
    let channel = try channel(
      receiver,
      body: "function(alert) if alert.kind == 'firing' then error('no') end return { ok = true } end")
    for kind in [Alert.Kind.firing, .resolved, .firing] {
      #expect(await channel.deliver(.sample(kind: kind), id: "\(kind)-phone") == .delivered)
    }
    #expect(told.count == 2)
    await channel.close()
  }

  @Test("A function stands only where one may")
  func misplaced() throws {
    let file = ScriptFile(
      name: "c.lua",
      source: """
        return {
          sources = { feed = source.simulated {} },
          channels = { phone = channel.webhook { url = function() end, body = "x" } },
        }
        """)
    let value = try ConfigurationFile.evaluate(file, registry: .builtIn)
    let (_, findings) = Configuration.read(
      value, file: "c.lua", registry: .builtIn, needsScripts: false, fileExists: { _ in true })
    #expect(
      findings.sorted.map(\.description) == [
        "c.lua:3: channels.phone.body: expected a function, got \"x\"",
        "c.lua:3: channels.phone.url: expected an http:// or https:// URL, got a function",
      ])
  }
}
