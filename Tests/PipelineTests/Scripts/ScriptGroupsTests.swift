import Testing

@testable import Pipeline

@Suite struct ScriptGroupsTests {
  /// Scripts by what feeds them: a source, or a topic as `script.topic`.
  private func groups(_ feeders: KeyValuePairs<String, [String]>) -> ScriptGroups {
    let origins = feeders.map { name, origins in
      let read = origins.map { text -> InputOrigin in
        let parts = text.split(separator: ".").map(String.init)
        return parts.count == 1 ? .source(text) : .topic(script: parts[0], topic: parts[1])
      }
      return (name, read)
    }
    return ScriptGroups(order: feeders.map(\.key), origins: Dictionary(uniqueKeysWithValues: origins))
  }

  @Test func `scripts that share sources alone stand alone`() {
    #expect(groups(["a": ["btc"], "b": ["btc"], "c": ["eth"]]).groups == [["a"], ["b"], ["c"]])
  }

  @Test func `topics connect, also through others and through a reducer`() {
    #expect(
      groups(["a": ["btc"], "b": ["btc"], "c": ["a.x"], "d": ["c.y", "b.z"], "e": ["eth"]]).groups
        == [["a", "b", "c", "d"], ["e"]])
    #expect(
      groups(["a": ["native.x"], "b": ["btc"], "c": ["native.y"]]).groups == [["a", "c"], ["b"]])
  }

  @Test func `parts have about as many scripts each, and the first has the first group`() {
    let groups = groups([
      "a": ["btc"], "b": ["btc"], "c": ["b.x"], "d": ["c.x"], "e": ["btc"], "f": ["btc"],
    ])
    #expect(groups.parts(atMost: 1) == [["a", "b", "c", "d", "e", "f"]])
    #expect(groups.parts(atMost: 2) == [["a", "e", "f"], ["b", "c", "d"]])
    #expect(groups.parts(atMost: 9).count == 4)
    #expect(self.groups([:]).parts(atMost: 2) == [[]])
  }

  @Test func `an alert belongs to the group of its script, and one about the host to none`() {
    let groups = groups(["a": ["btc"], "b": ["btc"]])
    func alert(_ script: String, name: String, key: String = "") -> Alert {
      var alert = HostAlert.make(.clockSet, about: key, at: Timestamp(milliseconds: 0), text: "")
      alert.script = script
      alert.name = name
      return alert
    }
    #expect(groups.number(of: alert("b", name: "over")) == 1)
    #expect(groups.number(of: alert("host", name: "feed down", key: "b")) == -1)
    #expect(groups.number(of: alert("host", name: "script suspended", key: "b")) == 1)
  }
}
