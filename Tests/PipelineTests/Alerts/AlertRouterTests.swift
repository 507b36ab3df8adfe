import Scripting
import Testing

@testable import Pipeline

@Suite struct AlertRouterTests {
  static let channels = ["screen", "phone", "mail"]

  static func alert(
    _ severity: Severity = .info, rule: String = "r", key: String = "", labels: [String: String] = [:]
  ) -> Alert {
    Alert(
      id: "", name: rule, script: "s", key: key, severity: severity, text: "",
      time: Timestamp(milliseconds: 0), labels: labels)
  }

  static func findings(_ value: Value) -> [String] {
    do {
      _ = try AlertRouter(reading: value, channels: channels)
      return []
    } catch {
      return error.findings
    }
  }

  @Test("Without routes every channel gets every alert")
  func noRoutes() throws {
    #expect(
      try AlertRouter(reading: nil, channels: Self.channels).channels(for: Self.alert()) == Self.channels)
    #expect(
      try AlertRouter(reading: [], channels: Self.channels).channels(for: Self.alert()) == Self.channels)
    #expect(
      try AlertRouter(reading: [:], channels: Self.channels).channels(for: Self.alert()) == Self.channels)
  }

  @Test("The first route that takes an alert decides, and an empty one drops it")
  func firstMatch() throws {
    let router = try AlertRouter(
      reading: [
        ["rule": "noise", "to": []],
        ["key": "btc", "labels": ["team": "desk"], "to": ["mail"]],
        ["min_severity": "warning", "to": ["screen", "phone"]],
        ["to": ["screen"]],
      ], channels: Self.channels)
    #expect(router.channels(for: Self.alert(.critical, rule: "noise")) == [])
    #expect(router.channels(for: Self.alert(key: "btc", labels: ["team": "desk", "x": "y"])) == ["mail"])
    #expect(router.channels(for: Self.alert(key: "btc", labels: ["team": "other"])) == ["screen"])
    #expect(router.channels(for: Self.alert(.warning)) == ["screen", "phone"])
    #expect(router.channels(for: Self.alert(.critical)) == ["screen", "phone"])
    #expect(router.channels(for: Self.alert(.info)) == ["screen"])
    #expect(router.warnings == [])
  }

  @Test("A route with hours takes what became true within them, whenever it ends")
  func hours() throws {
    let router = try AlertRouter(
      reading: [
        ["hours": "22:00-07:00 Europe/Berlin", "to": ["mail"]], ["hours": "12:00-12:30", "to": ["phone"]],
        ["to": ["screen"]],
      ], channels: Self.channels)
    func channel(_ time: String, since: String? = nil) throws -> [String] {
      var alert = Self.alert()
      alert.time = try #require(Timestamp(parsing: time))
      alert.since = since.flatMap { Timestamp(parsing: $0) }
      return router.channels(for: alert)
    }
    // Summer time: 22:00 in Berlin is 20:00 UTC.
    #expect(try channel("2026-07-01T19:59:59Z") == ["screen"])
    #expect(try channel("2026-07-01T20:00:00Z") == ["mail"])
    #expect(try channel("2026-07-02T04:59:59Z") == ["mail"])
    #expect(try channel("2026-07-02T05:00:00Z") == ["screen"])
    #expect(try channel("2026-12-01T20:30:00Z") == ["screen"])
    #expect(try channel("2026-12-01T12:29:59Z") == ["phone"])
    #expect(try channel("2026-12-01T12:30:00Z") == ["screen"])
    #expect(try channel("2026-07-02T09:00:00Z", since: "2026-07-02T04:00:00Z") == ["mail"])
    #expect(router.warnings == [])
  }

  @Test(
    "Hours that can't be read are refused",
    arguments: ["22-7", "22:00-22:00", "22:00-07:00 Berlin", "24:00-01:00", "x"])
  func wrongHours(text: String) {
    let findings = Self.findings([["hours": .text(text), "to": []]])
    #expect(findings.count == 1 && findings[0].contains("invalid 'hours'"), "\(findings)")
  }

  @Test("An alert that no route takes goes nowhere, and a warning says so beforehand")
  func noMatch() throws {
    let router = try AlertRouter(
      reading: [["min_severity": "critical", "to": ["phone"]]], channels: Self.channels)
    #expect(router.channels(for: Self.alert()) == [])
    #expect(
      router.warnings == ["no route takes every alert, so some may go nowhere; end with { to = { … } }"])
    let covered = try AlertRouter(
      reading: [["to": ["phone"]], ["rule": "x", "to": ["mail"]]], channels: Self.channels)
    #expect(covered.warnings == ["routes[1] takes every alert, so the routes after it are never asked"])
  }

  @Test("All faults of all routes are reported at once")
  func faults() {
    #expect(
      Self.findings([
        ["to": ["phon", "screen", "screen"]], ["min_severty": "info", "to": ["pager"]], ["rule": 5], "x",
      ]) == [
        #"routes[1]: invalid 'to': expected names of channels, got "phon"; did you mean "phone"?"#,
        #"routes[1]: invalid 'to': expected each channel once, got "screen" twice"#,
        "routes[2]: unknown option 'min_severty'; did you mean 'min_severity'?",
        #"routes[2]: invalid 'to': expected names of channels, got "pager""#,
        "routes[3]: invalid 'rule': expected a text, got 5",
        "routes[3]: invalid 'to': expected a list of channel names, got nothing",
        #"routes[4]: expected a table of options, got "x""#,
        "routes[4]: invalid 'to': expected a list of channel names, got nothing",
      ])
    #expect(Self.findings(5) == ["invalid 'routes': expected a list of routes, got 5"])
    #expect(
      Self.findings([["to": "screen"]]) == [
        #"routes[1]: invalid 'to': expected a list of texts, got "screen""#
      ])
  }
}
