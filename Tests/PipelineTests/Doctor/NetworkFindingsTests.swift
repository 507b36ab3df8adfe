import HTTP
import Scripting
import Testing

@testable import Pipeline

@Suite("What a look at the way to a server means")
struct NetworkFindingsTests {
  private static let now = Timestamp(milliseconds: 1_767_225_600_000)
  private static let day: Int64 = 86_400

  private func steps(
    _ address: String = "wss://feed.example.org/prices", isVerified: Bool = true,
    _ change: (inout ConnectionProbe.Report) -> Void = { _ in }
  ) throws -> [Examination.Step] {
    var tls = TLSOptions()
    tls.isVerified = isVerified
    let target = try NetworkTarget(address, secure: "wss", tls: tls, proxy: nil)
    var report = ConnectionProbe.Report()
    report.address = "192.0.2.7"
    report.nameMicroseconds = 3_000
    report.connectMicroseconds = 15_000
    report.securityMicroseconds = 45_000
    report.certificates = [certificate(from: -90, to: 90)]
    change(&report)
    return NetworkFindings(target: target, report: report, now: Self.now).steps
  }

  /// A certificate that is valid between two days from now.
  private func certificate(from begin: Int64, to end: Int64) -> CertificateFacts {
    let seconds = Self.now.milliseconds / 1_000
    return CertificateFacts(
      subject: "feed.example.org", issuer: "Good CA", hosts: ["feed.example.org"],
      begin: seconds + begin * Self.day, end: seconds + end * Self.day)
  }

  private func refused(_ reason: String, _ report: inout ConnectionProbe.Report) {
    report.failure = TransferFailure(
      .tls, "the certificate of https://feed.example.org was refused: \(reason)")
    report.securityReason = reason
  }

  @Test func `a way that is free has a time for each stage`() throws {
    let steps = try steps()
    #expect(steps.map(\.name) == ["name", "connection", "TLS"])
    #expect(steps.map(\.outcome) == [.ok, .ok, .ok])
    #expect(steps.map { $0.time?.count } == [3, 12, 30])
    #expect(steps[1].finding == "192.0.2.7:443, in one round trip")
    #expect(steps[2].finding.contains("valid until 2026-04-01") && steps[2].advice == nil)
  }

  @Test func `a plain connection has no TLS, and an address no name`() throws {
    #expect(try steps("ws://192.0.2.7:8080/").map(\.name) == ["connection"])
    #expect(try steps("ws://feed.example.org/").map(\.name) == ["name", "connection"])
  }

  @Test func `a certificate that ends soon is a warning`() throws {
    let step = try #require(steps { $0.certificates = [certificate(from: -90, to: 13)] }.last)
    #expect(step.outcome == .warning && step.advice?.contains("in 13 days") == true)
  }

  @Test func `an expired certificate is told with its day, whatever the library said`() throws {
    let step = try #require(
      steps { report in
        refused("certificate has expired", &report)
        report.certificates = [certificate(from: -90, to: -1)]
      }.last)
    #expect(step.name == "TLS" && step.outcome == .failed)
    #expect(step.finding == "the certificate of feed.example.org has expired on 2025-12-31")
    #expect(step.advice?.contains("renew") == true)
  }

  @Test func `one that isn't valid yet points to the clock`() throws {
    let step = try #require(
      steps { report in
        refused("certificate is not yet valid", &report)
        report.certificates = [certificate(from: 2, to: 90)]
      }.last)
    #expect(step.finding.contains("valid from 2026-01-03 on only") && step.advice?.contains("clock") == true)
  }

  @Test func `a certificate for others names them`() throws {
    let step = try #require(
      steps { report in
        refused(
          "no alternative certificate subject name matches target host name 'feed.example.org'", &report)
        report.certificates[0].hosts = ["a.example", "b.example"]
      }.last)
    #expect(step.finding == "the certificate is for a.example, b.example, not for feed.example.org")
  }

  @Test(arguments: ["self-signed certificate", "unable to get local issuer certificate"])
  func `an unknown issuer is told by name`(reason: String) throws {
    let step = try #require(steps { refused(reason, &$0) }.last)
    #expect(step.finding.contains("signed by Good CA") && step.advice?.contains("ca_file") == true)
  }

  @Test func `a certificate that nobody checks is a warning`() throws {
    let step = try #require(steps(isVerified: false).last)
    #expect(step.outcome == .warning && step.advice?.contains("insecure_skip_verify") == true)
  }

  @Test func `a way that is blocked ends there, with the scheme of the settings`() throws {
    let unnamed = try steps { report in
      report = ConnectionProbe.Report()
      report.failure = TransferFailure(.nameResolution, "cannot resolve the name of https://feed.example.org")
    }
    #expect(unnamed.map(\.name) == ["name"] && unnamed[0].outcome == .failed)
    let refused = try steps { report in
      report.connectMicroseconds = nil
      report.failure = TransferFailure(
        .connect, "cannot connect to https://feed.example.org: Connection refused")
    }
    #expect(refused.map(\.outcome) == [.ok, .failed])
    #expect(refused[1].finding.contains("wss://feed.example.org"))
    #expect(refused[1].advice?.contains("port 443") == true)
    let silent = try steps { report in
      report.connectMicroseconds = nil
      report.failure = TransferFailure(.timeout, "no connection within 10 s")
    }
    #expect(silent[1].advice?.contains("firewall") == true)
    let mute = try steps { report in
      report.securityMicroseconds = nil
      report.failure = TransferFailure(.timeout, "no connection within 10 s")
    }
    #expect(mute.map(\.name) == ["name", "connection", "TLS"] && mute.map(\.outcome) == [.ok, .ok, .failed])
    #expect(mute[2].finding.contains("no answer to the beginning of TLS"))
    #expect(mute[2].advice?.contains("as one for ws:// addresses") == true)
  }
}
