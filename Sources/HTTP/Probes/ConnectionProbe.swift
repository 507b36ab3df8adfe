internal import CCurl

/// One look at the way to a server: its name, TCP and TLS, each with its time, without saying anything to it.
package struct ConnectionProbe: Sendable {
  /// What was seen.
  package struct Report: Sendable {
    /// The address that was connected to, nil where it didn't come so far.
    package var address: String?
    /// From the start to the end of each stage, in microseconds; nil where it didn't come so far.
    package var nameMicroseconds: Int64?
    package var connectMicroseconds: Int64?
    package var securityMicroseconds: Int64?
    /// The server's certificates, its own first; also where they were refused.
    package var certificates: [CertificateFacts] = []
    /// Why it ended early.
    package var failure: TransferFailure?
    /// The TLS library's own reason where it refused the certificates.
    package var securityReason = ""

    /// Makes a report of nothing seen yet.
    package init() {}
  }

  /// An `http` or `https` URL of the server with its port, whatever it speaks.
  package var url: String
  package var tls: TLSOptions
  /// The proxy to go through; nil for the one that the environment names.
  package var proxy: String?
  package var timeout: Duration

  /// Makes a probe.
  package init(url: String, tls: TLSOptions, proxy: String?, timeout: Duration) {
    self.url = url
    self.tls = tls
    self.proxy = proxy
    self.timeout = timeout
  }

  /// Takes the look; it blocks its thread no longer than twice the time-out.
  package func run() -> Report {
    var report = attempt(tls)
    // Where nobody answers to TLS, libcurl doesn't say how far it came: without TLS it shows.
    if report.failure?.kind == .timeout, report.connectMicroseconds == nil, url.hasPrefix("https:") {
      var plain = self
      plain.url = "http:" + url.dropFirst("https:".count)
      var way = plain.attempt(tls)
      guard way.failure == nil else { return report }
      (way.failure, way.securityMicroseconds) = (report.failure, nil)
      return way
    }
    // What a refused certificate says, and how long the way took, shows only where it is accepted.
    if let failure = report.failure, failure.kind == .tls, tls.isVerified {
      let reason = report.securityReason
      var open = tls
      open.isVerified = false
      report = attempt(open)
      (report.failure, report.securityReason) = (failure, reason)
    }
    return report
  }

  private func attempt(_ tls: TLSOptions) -> Report {
    var report = Report()
    do throws(TransferFailure) {
      let (proxy, timeout) = (proxy, timeout)
      var request = TransferRequest(url: url, schemes: ["http", "https"]) { handle throws(TransferFailure) in
        try handle.set(CURLOPT_CONNECT_ONLY, 1)
        try handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        try handle.set(CURLOPT_CERTINFO, 1)
        if let proxy { try handle.set(CURLOPT_PROXY, proxy) }
      }
      request.tls = tls
      request.connectTimeout = timeout
      request.timeout = timeout
      let transfer = try Transfer(request)
      let handle = transfer.handle
      let status = curl_easy_perform(handle.pointer)
      report.address = handle.text(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
      report.nameMicroseconds = handle.time(CURLINFO_NAMELOOKUP_TIME_T)
      report.connectMicroseconds = handle.time(CURLINFO_CONNECT_TIME_T)
      report.securityMicroseconds = handle.time(CURLINFO_APPCONNECT_TIME_T)
      report.certificates = handle.certificates
      report.securityReason = handle.reasonText
      if status != CURLE_OK { _ = try transfer.answer(status) }
    } catch {
      report.failure = error
    }
    return report
  }
}

extension EasyHandle {
  /// A time that libcurl measured, in microseconds; nil for a stage that wasn't reached.
  fileprivate func time(_ info: CURLINFO) -> Int64? {
    var microseconds: curl_off_t = 0
    curl_easy_getinfo_offset(pointer, info, &microseconds)
    return microseconds > 0 ? Int64(microseconds) : nil
  }

  fileprivate var certificates: [CertificateFacts] {
    var found: UnsafeMutablePointer<curl_certinfo>?
    guard curl_easy_getinfo_certificates(pointer, &found) == CURLE_OK, let info = found?.pointee else {
      return []
    }
    return (0..<Int(info.num_of_certs)).map { index in
      var lines: [String] = []
      var line = info.certinfo[index]
      while let current = line {
        lines.append(String(cString: current.pointee.data))
        line = current.pointee.next
      }
      return CertificateFacts(lines: lines)
    }
  }
}
