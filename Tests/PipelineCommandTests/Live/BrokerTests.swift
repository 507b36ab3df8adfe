import Glibc
import Testing

@Suite("A broker as a source", .enabled(if: Broker.isAvailable, Comment(rawValue: Broker.reason)))
struct BrokerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let tellTopics = """
    local M = { state = {}, on = {} }
    function M.on.feed(state, message, ctx)
      alert.send { name = "seen", text = ctx.topic .. " " .. tostring(message.n) .. " " .. tostring(ctx.replayed) }
    end
    return M
    """

  private func run(
    _ broker: Broker, _ options: String, scheme: String = "mqtt", environment: String = "NO_COLOR=1"
  ) throws -> RunningCommand {
    try run(port: broker.port, options, scheme: scheme, environment: environment)
  }

  private func run(
    port: Int, _ options: String, scheme: String = "mqtt", environment: String = "NO_COLOR=1"
  ) throws -> RunningCommand {
    let feed =
      "source.mqtt { url = '\(scheme)://127.0.0.1:\(port)', "
      + "reconnect = { first = '10ms', cap = '50ms' }, \(options) }"
    let config = try write(feed: feed, script: Self.tellTopics)
    return try RunningCommand(
      program: "/usr/bin/env", [environment, CommandRun.program, "run", config], in: folder)
  }

  private func stop(_ run: RunningCommand) throws -> CommandRun {
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    return end
  }

  /// Writes a configuration in place of the one before.
  private func write(feed: String, script: String) throws -> String {
    for name in ["watch.lua", "config.lua"] { unlink(folder.path(name)) }
    return try folder.writeLive(feed: feed, script: script)
  }

  private func texts(_ run: CommandRun) throws -> [String] { try AlertLine.all(run.output).map(\.text) }

  @Test("messages come with their topics, by wildcards, and kept ones are marked", arguments: [0, 1, 2])
  func topics(quality: Int) throws {
    let broker = try Broker(in: folder)
    try broker.publish("a/1/t", #"{"n":1}"#, "-r")
    let run = try run(broker, "topics = { 'a/+/t', 'b/#' }, qos = \(quality)")
    try run.wait(for: "a/1/t 1 true", in: .output)
    try broker.publish("a/1/u", #"{"n":2}"#)
    try broker.publish("b/x/y", #"{"n":3}"#, "-q", "\(quality)")
    try run.wait(for: "b/x/y 3 false", in: .output)
    #expect(try texts(stop(run)) == ["a/1/t 1 true", "b/x/y 3 false"])
    try broker.wait(for: "Received DISCONNECT from")
  }

  @Test("messages that are compressed one by one are unpacked")
  func packed() throws {
    let broker = try Broker(in: folder)
    try folder.write("plain", #"{"n":1}"#)
    let packing = "gzip -n < \(folder.path("plain")) > \(folder.path("packed"))"
    #expect(try CommandRun(program: "/bin/sh", ["-c", packing], in: folder).status == 0)
    let publishing = [
      "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "a/t", "-r", "-f", folder.path("packed"),
    ]
    #expect(try CommandRun(program: "/usr/bin/mosquitto_pub", publishing, in: folder).status == 0)
    let run = try run(broker, "topics = { 'a/#' }, decompress = 'gzip'")
    try run.wait(for: "a/t 1 true", in: .output)
    #expect(try texts(stop(run)) == ["a/t 1 true"])
  }

  @Test("a broker that comes back is found again, and a durable session has what came meanwhile")
  func durable() throws {
    let broker = try Broker(in: folder)
    let options = "topics = { 'a' }, qos = 1, session = 'durable', client_id = 'watch'"
    let first = try run(broker, options)
    try broker.wait(for: "Sending SUBACK to watch")
    try broker.publish("a", #"{"n":1}"#, "-q", "1")
    try first.wait(for: "a 1 false", in: .output)
    try broker.stop()
    try first.wait(for: "warn feed: disconnected")
    try broker.start()
    try first.wait(for: "info feed: connected", times: 2)
    _ = try stop(first)
    try broker.publish("a", #"{"n":2}"#, "-q", "1")
    let second = try run(broker, options)
    try second.wait(for: "a 2 false", in: .output)
    _ = try stop(second)
  }

  @Test("a user and a password from the environment let in, and wrong ones are told with advice")
  func password() throws {
    let users = folder.path("users")
    let made = try CommandRun(
      program: "/usr/bin/mosquitto_passwd", ["-b", "-c", users, "me", "hunter2"], in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let broker = try Broker(
      in: folder, options: "allow_anonymous false\npassword_file \(users)")
    let good = try run(
      broker, "topics = { 'a' }, username = 'me', password = env 'BROKER_PASSWORD'",
      environment: "BROKER_PASSWORD=hunter2")
    try good.wait(for: "info feed: connected")
    _ = try stop(good)
    let bad = try run(broker, "topics = { 'a' }, username = 'me', password = 'wrong-one'")
    try bad.wait(for: "refused the client", times: 2)
    let end = try stop(bad)
    #expect(end.errors.contains("check username, password and client_id"), "\(end.errors)")
    #expect(!end.errors.contains("wrong-one"))
  }

  @Test("the will is published when the program is killed, and messages of scripts are sent")
  func will() throws {
    let broker = try Broker(in: folder)
    let feed =
      "source.mqtt { url = 'mqtt://127.0.0.1:\(broker.port)', topics = { '#' }, "
      + "send = { topic = 'out', qos = 1 }, will = { topic = 'gone', payload = { n = 9 }, qos = 1 } }"
    let script = """
      local M = { state = {}, on = {} }
      function M.on.feed(state, message, ctx)
        alert.send { name = "seen", text = ctx.topic .. " " .. tostring(message.n) }
        if ctx.topic == "in" then effect.send("feed", { n = message.n + 1 }) end
      end
      return M
      """
    let config = try write(feed: feed, script: script)
    try folder.overwrite(
      "config.lua",
      folder.read(config).replacing("from = {", with: "outputs = { feed = 'feed' }, from = {"))
    let run = try RunningCommand(["run", config], in: folder)
    try run.wait(for: "info feed: connected")
    try broker.wait(for: "Sending SUBACK")
    try broker.publish("in", #"{"n":1}"#)
    try run.wait(for: "out 2", in: .output)
    let other = try self.run(broker, "topics = { 'gone' }")
    try broker.wait(for: "Sending SUBACK", times: 2)
    run.send(signal: SIGKILL)
    _ = try run.finish()
    try other.wait(for: "gone 9 false", in: .output)
    _ = try stop(other)
  }

  @Test("nobody at the port is told, and the broker is waited for")
  func nobody() throws {
    let broker = try Broker(in: folder)
    try broker.stop()
    let run = try run(broker, "topics = { 'a' }")
    try run.wait(for: "cannot connect to mqtt://127.0.0.1:\(broker.port): Connection refused", times: 2)
    try broker.start()
    try run.wait(for: "info feed: connected")
    _ = try stop(run)
  }

  @Test(
    "a subscription that the broker refuses is told by its name, and the others go on",
    .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
  func refused() throws {
    let server = try RunningCommand(
      program: FeedServer.python ?? "python3", [FeedServer.script("refusing_broker.py")], in: folder,
      hasInput: true)
    try server.wait(for: "\n", in: .output)
    let port = try #require(Int(server.text(.output).split(separator: "=")[1].dropLast()))
    let some = try run(port: port, "topics = { 'closed/a', 'open/a' }")
    try some.wait(for: "open/a 1 false", in: .output)
    let end = try stop(some)
    #expect(
      end.errors.contains("warn feed: the broker refused the subscription to \"closed/a\"; check its rights"))
    #expect(!end.errors.contains("warn feed: disconnected"))
    let none = try run(port: port, "topics = { 'closed/a', 'closed/b' }")
    try none.wait(for: "disconnected (128): the broker refused all subscriptions", times: 2)
    _ = try stop(none)
  }

  @Test("TLS needs a certificate for the broker's name by a trusted authority")
  func security() throws {
    for (name, host) in [("good", "IP:127.0.0.1"), ("wrong", "DNS:elsewhere.example")] {
      let made = try CommandRun(
        program: "/usr/bin/openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
          "-keyout", folder.path("\(name).key"), "-out", folder.path("\(name).pem"), "-subj", "/CN=\(name)",
          "-addext", "subjectAltName=\(host)",
        ], in: folder)
      try #require(made.status == 0, "\(made.errors)")
    }
    for name in ["good", "wrong"] {
      let broker = try Broker(
        in: TemporaryFolder(),
        options: "allow_anonymous true\ncertfile \(folder.path("\(name).pem"))\n"
          + "keyfile \(folder.path("\(name).key"))")
      let trusted = try run(broker, "topics = { 'a' }, ca_file = '\(name).pem'", scheme: "mqtts")
      if name == "good" {
        try trusted.wait(for: "info feed: connected")
      } else {
        try trusted.wait(for: "the TLS handshake with mqtts://127.0.0.1:\(broker.port) failed", times: 2)
      }
      _ = try stop(trusted)
      let untrusted = try run(broker, "topics = { 'a' }", scheme: "mqtts")
      try untrusted.wait(for: "certificate verify failed")
      _ = try stop(untrusted)
      let open = try run(broker, "topics = { 'a' }, insecure_skip_verify = true", scheme: "mqtts")
      try open.wait(for: "info feed: connected")
      _ = try stop(open)
    }
  }
}
