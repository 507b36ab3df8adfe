import HTTP

/// What a look at the way to a server means: the steps of a table, with what to do.
///
/// Pure: a report goes in, steps come out.
struct NetworkFindings {
  let target: NetworkTarget
  let report: ConnectionProbe.Report
  let now: Timestamp

  private static let soon: Int64 = 14 * 86_400

  /// The steps up to the one that failed.
  var steps: [Examination.Step] {
    var steps: [Examination.Step] = []
    if let failure = report.failure, failure.kind == .nameResolution {
      return [
        .init(
          "name", .failed, text(failure),
          advice:
            "compare with 'getent hosts \(target.origin.host)'; if that fails too, it is the spelling, the "
            + "network or /etc/resolv.conf")
      ]
    }
    if !target.isAddress {
      let found = report.address ?? "was found"
      steps.append(
        .init("name", .ok, "\(target.origin.host): \(found)", time: Self.time(report.nameMicroseconds)))
    }
    guard let connected = report.connectMicroseconds else {
      return steps + [unconnected]
    }
    let round = connected - (report.nameMicroseconds ?? 0)
    let address = report.address.map { $0.contains(":") ? "[\($0)]" : $0 } ?? target.origin.host
    steps.append(
      .init(
        "connection", .ok, "\(address):\(target.origin.port), in one round trip",
        time: Self.time(round)))
    if let failure = report.failure, failure.kind == .timeout, target.isSecure {
      return steps + [
        .init(
          "TLS", .failed, "it is connected, and there is no answer to the beginning of TLS",
          advice:
            "the port may speak no TLS, as one for \(target.shown.prefix { $0 != ":" }.dropLast()):// addresses; if it "
            + "does, the server is overloaded, or something on the way swallows the answer")
      ]
    }
    if let failure = report.failure, failure.kind != .tls {
      return steps + [.init("connection", .failed, text(failure), advice: advice(failure))]
    }
    guard target.isSecure else { return steps }
    return steps + [report.failure.map(insecure) ?? secure]
  }

  private var unconnected: Examination.Step {
    guard let failure = report.failure else { return .init("connection", .failed, "it was not made") }
    if failure.kind == .tls { return insecure(failure) }
    return .init("connection", .failed, text(failure), advice: advice(failure))
  }

  /// The sentence of a failure with the scheme that the settings name.
  private func text(_ failure: TransferFailure) -> String {
    failure.description.replacing(target.origin.description, with: target.shown)
  }

  private func advice(_ failure: TransferFailure) -> String {
    let port = target.origin.port
    switch failure.kind {
    case .timeout:
      return "a firewall that drops packets to port \(port) looks like this, as does a host that is down"
    case .connect: return "see that the server runs, and listens on port \(port)"
    case .proxy: return "see the option 'proxy' and the variables https_proxy, http_proxy and no_proxy"
    default: return "try again; if it stays, ask who runs the server"
    }
  }

  // MARK: - TLS

  private var secure: Examination.Step {
    let took = report.securityMicroseconds.map { $0 - (report.connectMicroseconds ?? 0) }
    guard target.tls.isVerified else {
      return .init(
        "TLS", .warning, "the certificate was not checked", time: Self.time(took),
        advice: "take insecure_skip_verify away: whoever is on the way can send anything")
    }
    guard let own = report.certificates.first, let end = own.end else {
      return .init("TLS", .ok, "the certificate is trusted", time: Self.time(took))
    }
    let found =
      "the certificate of \(own.subject) by \(own.issuer) is trusted, valid until \(Self.day(end)); "
      + "\(report.certificates.count) in the chain"
    let left = end - now.milliseconds / 1_000
    guard left < Self.soon else { return .init("TLS", .ok, found, time: Self.time(took)) }
    return .init(
      "TLS", .warning, found, time: Self.time(took),
      advice: "it ends in \(max(left / 86_400, 0)) days: see that its owner renews it")
  }

  private func insecure(_ failure: TransferFailure) -> Examination.Step {
    let own = report.certificates.first
    let seconds = now.milliseconds / 1_000
    let host = target.origin.host
    if let end = own?.end, end < seconds {
      return .init(
        "TLS", .failed, "the certificate of \(own?.subject ?? host) has expired on \(Self.day(end))",
        advice:
          "its owner must renew it; if the date is right elsewhere, see the clock of this machine ('date')")
    }
    if let begin = own?.begin, begin > seconds {
      return .init(
        "TLS", .failed, "the certificate of \(own?.subject ?? host) is valid from \(Self.day(begin)) on only",
        advice: "see the clock of this machine ('date'); if that is right, ask who runs the server")
    }
    let reason = report.securityReason
    if reason.contains("subject name") || reason.contains("host name") || reason.contains("does not match") {
      let names = own.map { $0.hosts.isEmpty ? [$0.subject] : $0.hosts } ?? []
      let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
      return .init(
        "TLS", .failed, "the certificate is for \(shown.isEmpty ? "another name" : shown), not for \(host)",
        advice: "write the name that the certificate is for in the url; another server may have answered")
    }
    if reason.contains("issuer") || reason.contains("self-signed") || reason.contains("self signed") {
      let issuer = report.certificates.last?.issuer ?? "its issuer"
      return .init(
        "TLS", .failed,
        "the certificate of \(own?.subject ?? host) is signed by \(issuer), whom nobody here trusts",
        advice:
          "if that is your own authority, give its certificate as 'ca_file'; for a public server see that "
          + "ca-certificates is installed, and that it sends its whole chain")
    }
    return .init(
      "TLS", .failed, text(failure),
      advice:
        "see that the port speaks TLS, and that 'ca_file' and the client's certificate are the right ones")
  }

  private static func day(_ seconds: Int64) -> String {
    String(Timestamp(milliseconds: seconds * 1_000).rfc3339(fraction: false).prefix(10))
  }

  private static func time(_ microseconds: Int64?) -> Milliseconds? {
    microseconds.map { Milliseconds(max($0, 0) / 1_000) }
  }
}
