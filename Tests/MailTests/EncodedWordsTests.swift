import Testing

@testable import Mail

@Suite("Header texts")
struct EncodedWordsTests {
  @Test(
    "a text of ASCII stays as it is, any other is encoded",
    arguments: [
      ("", ""), ("over level [btc]", "over level [btc]"), ("é", "=?UTF-8?B?w6k=?="),
      ("ab é", "=?UTF-8?B?YWIgw6k=?="),
      ("x=?y", "=?UTF-8?B?eD0/eQ==?="), ("a\r\nBcc: b", "a  Bcc: b"),
    ])
  func encode(text: String, encoded: String) { #expect(EncodedWords.encode(text) == encoded) }

  @Test("a long text goes over several lines, none of which is too long or cuts a character")
  func long() {
    let text = String(repeating: "ab€😀", count: 40)
    let lines = EncodedWords.encode(text).split(separator: "\r\n")
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.utf8.count <= 76 })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" =?UTF-8?B?") })
  }
}
