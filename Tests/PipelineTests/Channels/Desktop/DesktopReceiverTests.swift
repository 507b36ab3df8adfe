import Glibc
import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite("Desktop notifications through a program")
struct DesktopReceiverTests {
  private let folder = StorageFolder()

  /// A program of the shell that stands for notify-send.
  private func program(_ body: String) throws -> Value {
    try ScriptedProgram.make(folder.file("notify"), body + "\n")
    return .text(folder.file("notify"))
  }

  private func deliver(_ alert: Alert, command: Value, timeout: Value = "10s") async throws -> DeliveryOutcome
  {
    let channel = try ConfiguredChannel.make(DesktopSettings.self, ["command": command, "timeout": timeout])
    let outcome = await channel.deliver(alert, id: "1-phone")
    await channel.close()
    return outcome
  }

  @Test("it gets urgency, heading and text, of which nothing is taken for an option or markup")
  func arguments() async throws {
    let command = try program("printf '%s\\n' \"$@\" > \(folder.file("arguments"))")
    var alert = Alert.sample(severity: .critical, text: "--urgency=low <b>1 & 2</b>")
    alert.name = "--help"
    #expect(try await deliver(alert, command: command) == .delivered)
    #expect(
      String(decoding: folder.read("arguments"), as: UTF8.self)
        == "--app-name=pipeline\n--urgency=critical\n--\nCRITICAL: --help [btc]\n"
        + "--urgency=low &lt;b&gt;1 &amp; 2&lt;/b&gt;\n")
  }

  @Test("without a session, or without the program, it says why and is not tried again")
  func failures() async throws {
    let command = try program("echo 'Cannot autolaunch D-Bus' >&2; exit 1")
    #expect(
      try await deliver(.sample(), command: command)
        == .failed(reason: "\(folder.file("notify")) ended with 1: Cannot autolaunch D-Bus"))
    #expect(
      try await deliver(.sample(), command: "/no/such/program")
        == .failed(
          reason: "can't start /no/such/program: No such file or directory; install libnotify-bin"))
  }

  @Test("a program that hangs is ended in time")
  func slow() async throws {
    let command = try program("exec sleep 3600")
    #expect(
      try await deliver(.sample(), command: command, timeout: "100ms")
        == .retry(after: nil, reason: "\(folder.file("notify")) took longer than 100ms"))
  }
}
