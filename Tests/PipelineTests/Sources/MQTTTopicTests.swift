import MQTT
import Testing

@Suite("Topics of MQTT")
struct MQTTTopicTests {
  @Test(
    "Wildcards stand for whole levels",
    arguments: [
      ("a", true), ("a/b", true), ("/", true), ("#", true), ("+", true), ("a/#", true), ("+/b/+", true),
      ("a//b", true), ("$SYS/#", true), ("", false), ("a#", false), ("a/#/b", false), ("a+/b", false),
      ("a/b+", false), ("#/a", false), ("a/\u{0}", false), ("ä/+", true),
    ])
  func filters(text: String, isFilter: Bool) { #expect(MQTTTopic.isFilter(text) == isFilter) }

  @Test("What is published to has none, and an end")
  func names() {
    #expect(MQTTTopic.isName("a/b") && !MQTTTopic.isName("a/+") && !MQTTTopic.isName("#"))
    #expect(!MQTTTopic.isName("") && MQTTTopic.isName(String(repeating: "a", count: 65_535)))
    #expect(!MQTTTopic.isName(String(repeating: "a", count: 65_536)))
  }
}
