import Testing

@testable import WebSocket

@Suite struct ExtensionHeaderTests {
  private func shown(_ values: String...) -> [String]? {
    ExtensionHeader.members(of: values)?.map { member in
      ([member.name] + member.parameters.map { $0.name + ($0.value.map { "=" + $0 } ?? "") })
        .joined(separator: ";")
    }
  }

  @Test("reads extensions, parameters and values over all fields")
  func reads() {
    #expect(shown() == [])
    #expect(shown("") == [])
    #expect(shown(" , ,") == [])
    #expect(shown("a") == ["a"])
    #expect(shown("a; b ;c = 1", "d") == ["a;b;c=1", "d"])
    #expect(shown("a;b,, c ; d=\"x\\y\"\t, e") == ["a;b", "c;d=xy", "e"])
  }

  @Test(
    "answers nothing for a malformed value",
    arguments: [
      "a;", "a b", "a;b=", "a=1", ";a", "a;b=\"x", "a;b=\"\"", "a;b=\"x y\"", "a;b=\"x\" y", "a;b=\"x\\", "ä",
      "a;=b", "a;b=c=d", "a,b;",
    ])
  func malformed(value: String) { #expect(shown(value) == nil) }
}
