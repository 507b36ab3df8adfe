import Testing

@testable import Pipeline

@Suite struct AlertIdentityTests {
  static let base = AlertIdentity(script: "s", rule: "r", key: "k", episode: 1, kind: .firing)

  @Test("An id is stable over versions of the program")
  func stable() {
    // The first half of SHA-256 over the documented bytes.
    #expect(Self.base.id == "587eee91668d845271e70857f34f9869")
  }

  @Test("Whatever differs gives another id, also where texts only move between fields")
  func different() {
    var identities: [AlertIdentity] = [Self.base]
    func add(_ change: (inout AlertIdentity) -> Void) {
      var identity = Self.base
      change(&identity)
      identities.append(identity)
    }
    add { $0.script = "s2" }
    add { $0.rule = "r2" }
    add { $0.key = "" }
    add { $0.episode = 2 }
    add { $0.kind = .resolved }
    add { $0.kind = .reminder }
    add { $0.reminder = 1 }
    add { ($0.script, $0.rule) = ("sr", "") }
    add { ($0.rule, $0.key) = ("", "rk") }
    add { $0.key = "k\u{0}" }
    #expect(Set(identities.map(\.id)).count == identities.count)
    #expect(identities.allSatisfy { $0.id.utf8.count == 32 && $0.id.allSatisfy(\.isHexDigit) })
  }
}
