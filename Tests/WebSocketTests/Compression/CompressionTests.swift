import Testing

@testable import WebSocket

@Suite struct CompressionTests {
  private func compression(_ change: (inout Compression) -> Void) -> Compression {
    var compression = Compression()
    change(&compression)
    return compression
  }

  /// What an answer agrees to; the mismatch's words otherwise.
  private func judge(_ answer: String, _ compression: Compression = Compression()) throws -> Result<
    Compression.Agreement, Compression.Mismatch
  > {
    let member = try #require(ExtensionHeader.members(of: [answer])?.first)
    return Result { () throws(Compression.Mismatch) in try compression.agreement(member) }
  }

  @Test("offers what was asked for")
  func offers() {
    #expect(Compression().offer == "permessage-deflate; client_max_window_bits")
    let all = compression {
      $0.serverKeepsContext = false
      $0.clientKeepsContext = false
      $0.serverWindowBits = 10
      $0.clientWindowBits = 9
    }
    #expect(
      all.offer
        == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=9"
    )
  }

  @Test("takes each parameter of the answer, asked for or not")
  func agrees() throws {
    let plain = Compression.Agreement(
      serverKeepsContext: true, clientKeepsContext: true, serverWindowBits: 15, clientWindowBits: 15)
    func agreed(_ change: (inout Compression.Agreement) -> Void) -> Compression.Agreement {
      var agreement = plain
      change(&agreement)
      return agreement
    }
    #expect(try judge("permessage-deflate").get() == plain)
    #expect(
      try judge("permessage-deflate; server_no_context_takeover").get()
        == agreed { $0.serverKeepsContext = false })
    #expect(
      try judge("permessage-deflate; client_no_context_takeover").get()
        == agreed { $0.clientKeepsContext = false })
    for bits in 8...15 {
      #expect(
        try judge("permessage-deflate; server_max_window_bits=\(bits)").get()
          == agreed { $0.serverWindowBits = bits })
      #expect(
        try judge("permessage-deflate; client_max_window_bits=\"\(bits)\"").get()
          == agreed { $0.clientWindowBits = bits })
    }
    let narrow = compression {
      $0.serverKeepsContext = false
      $0.serverWindowBits = 11
      $0.clientWindowBits = 12
    }
    #expect(
      try judge(
        "permessage-deflate; server_no_context_takeover; server_max_window_bits=9; client_max_window_bits=10",
        narrow
      ).get()
        == Compression.Agreement(
          serverKeepsContext: false, clientKeepsContext: true, serverWindowBits: 9, clientWindowBits: 10))
    #expect(
      try judge("permessage-deflate; server_no_context_takeover; server_max_window_bits=11", narrow).get()
        .clientWindowBits == 12)
  }

  @Test(
    "refuses an answer that no offer allows, saying what it found",
    arguments: [
      ("x-webkit-deflate-frame", "an extension that was not offered"),
      ("permessage-deflate; level=9", "a parameter that permessage-deflate does not have"),
      ("permessage-deflate; server_no_context_takeover=1", "a value for server_no_context_takeover"),
      ("permessage-deflate; client_no_context_takeover=true", "a value for client_no_context_takeover"),
      ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", "twice"),
      ("permessage-deflate; server_max_window_bits", "server_max_window_bits without a value from 8 to 15"),
      ("permessage-deflate; client_max_window_bits", "client_max_window_bits without a value from 8 to 15"),
      ("permessage-deflate; server_max_window_bits=7", "from 8 to 15"),
      ("permessage-deflate; server_max_window_bits=16", "from 8 to 15"),
      ("permessage-deflate; server_max_window_bits=08", "from 8 to 15"),
      ("permessage-deflate; server_max_window_bits=+9", "from 8 to 15"),
      ("permessage-deflate; client_max_window_bits=x", "from 8 to 15"),
    ])
  func refuses(answer: String, found: String) throws {
    guard case .failure(let mismatch) = try judge(answer) else {
      Issue.record("expected a refusal of \(answer)")
      return
    }
    #expect(mismatch.found.contains(found))
  }

  @Test("refuses an answer that leaves out or exceeds what was asked for")
  func refusesLess() throws {
    let fresh = compression { $0.serverKeepsContext = false }
    let narrow = compression {
      $0.serverWindowBits = 10
      $0.clientWindowBits = 10
    }
    let cases: [(String, Compression, String)] = [
      ("permessage-deflate", fresh, "without the server_no_context_takeover asked for"),
      ("permessage-deflate", narrow, "without the server_max_window_bits asked for"),
      ("permessage-deflate; server_max_window_bits=11", narrow, "from 8 to 10"),
      ("permessage-deflate; server_max_window_bits=9; client_max_window_bits=11", narrow, "from 8 to 10"),
    ]
    for (answer, compression, found) in cases {
      guard case .failure(let mismatch) = try judge(answer, compression) else {
        Issue.record("expected a refusal of \(answer)")
        continue
      }
      #expect(mismatch.found.contains(found))
    }
  }
}
