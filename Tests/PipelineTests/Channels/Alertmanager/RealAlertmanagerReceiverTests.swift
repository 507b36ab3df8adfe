import Composable
import Glibc
import HTTP
import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "A real Alertmanager",
  .enabled(
    if: access("/usr/bin/prometheus-alertmanager", X_OK) == 0, "prometheus-alertmanager is not installed"))
struct RealAlertmanagerReceiverTests {
  private let transport = HTTPTransport(TransferLoop())

  /// The alerts that it shows, once it answers.
  private func alerts(_ base: String) async throws -> [Value] {
    while true {
      do {
        let answer = try await transport.send(HTTPClient.Request("\(base)/api/v2/alerts"))
        guard case .list(let alerts) = try Value(json: String(decoding: answer.body, as: UTF8.self)) else {
          return []
        }
        return alerts
      } catch let failure as TransferFailure where failure.kind == .connect {
        // Not listening yet.
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// A port that nobody listened to a moment ago.
  private func freePort() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
      }
    }
    guard isBound else { throw ChannelError("no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  @Test("it takes an alert with any labels, shows it while it goes on, and drops it at its end")
  func episode() async throws {
    let folder = StorageFolder()
    folder.write("alertmanager.yml", "route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n".utf8)
    let base = "http://127.0.0.1:\(try freePort())"
    let server = try ChildProcess([
      "/bin/sh", "-c",
      "exec prometheus-alertmanager --config.file=\(folder.file("alertmanager.yml")) "
        + "--storage.path=\(folder.file("data")) --cluster.listen-address= --log.level=error "
        + "--web.listen-address=\(base.dropFirst("http://".count)) 2>/dev/null",
    ])
    defer { server.terminate() }
    #expect(try await alerts(base).isEmpty)
    let channel = try ConfiguredChannel.make(
      AlertmanagerSettings.self, ["url": .text(base), "labels": ["site": "home"], "repeat_every": "1m"])
    var alert = Alert.sample(labels: ["a-b": "é", "9": "x", "empty": ""])
    alert.lasts = true
    alert.time = .systemClock()
    #expect(await channel.deliver(alert, id: "1-phone") == .delivered)
    let shown = try #require(try await alerts(base).first)
    #expect(
      shown["labels"] == [
        "alertname": "over level", "severity": "warning", "script": "prices", "key": "btc", "site": "home",
        "a_b": "é", "_9": "x",
      ])
    #expect(shown["annotations"]?["summary"] == "bitcoin at 70010.00")
    #expect(shown["startsAt"]?.text == alert.time.rfc3339())
    alert.kind = .resolved
    alert.lasts = false
    #expect(await channel.deliver(alert, id: "2-phone") == .delivered)
    #expect(try await alerts(base).isEmpty)
    await channel.close()
  }
}
