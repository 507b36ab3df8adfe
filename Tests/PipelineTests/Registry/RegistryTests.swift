import Scripting
import Testing

@testable import Pipeline

@Suite("The registry")
struct RegistryTests {
  private struct Label: ComponentSettings {
    static let spec = ComponentSpec(
      kind: .channel, name: "label", summary: "Shows a label",
      fields: [FieldSpec("text", .text, default: "hello", help: "The text")], example: "channel.label {}")
    let text: String
    init(fields: FieldReader) { text = fields.text("text") }
  }

  private static func configured(_ registry: Registry) -> ConfiguredComponent? {
    var validation = FieldValidation()
    return validation.component(
      ["$component": "channel.label", "$line": 3, "$fields": ["text": "hi"]], kind: .channel, name: "l",
      registry: registry, at: Place(file: "config.lua", path: "channels.l"))
  }

  @Test("A registered component is made from what was configured")
  func make() throws {
    var registry = Registry()
    registry.register(Label.self)
    let component = try #require(Self.configured(registry))
    #expect(try registry.make(component, as: Label.self).text == "hi")
    #expect(try registry.make(component, as: (any ComponentSettings).self) is Label)
  }

  @Test("Asking for something else, or of a registry without it, says so with the place")
  func wrongProduct() throws {
    var registry = Registry()
    registry.register(Label.self)
    let component = try #require(Self.configured(registry))
    #expect(throws: RegistryError("config.lua:3: channels.l: channel.label does not make a Int")) {
      try registry.make(component, as: Int.self)
    }
    #expect(throws: RegistryError("config.lua:3: channels.l: channel.label is not registered")) {
      try Registry().make(component, as: Label.self)
    }
  }

  @Test(
    "What stands in place of a component is named",
    arguments: [
      (
        ["$component": "channel.lable", "$line": 3],
        "config.lua:3: c: unknown component channel.lable; did you mean 'label'?"
      ),
      (
        ["$component": "source.label", "$line": 3], "config.lua:3: c: expected a channel, got a source.label"
      ),
      (["$component": "channel", "$line": 3], "config.lua:3: c: expected a channel, got a channel"),
      (["url": "x"], "config.lua: c: expected a channel, for example channel.label { … }, got a map"),
      ("x", "config.lua: c: expected a channel, for example channel.label { … }, got \"x\""),
      (
        ["$component": "channel.label", "$line": 3, "$fields": "x"],
        "config.lua:3: c: expected a table of options for channel.label, got \"x\""
      ),
    ] as [(Value, String)])
  func notAComponent(value: Value, message: String) {
    var registry = Registry()
    registry.register(Label.self)
    var validation = FieldValidation()
    let place = Place(file: "config.lua", path: "c")
    let component = validation.component(value, kind: .channel, name: "c", registry: registry, at: place)
    #expect(component == nil)
    #expect(validation.findings.description == message)
  }

  @Test("A declaration that contradicts itself is found out")
  func contradictions() {
    let spec = ComponentSpec(
      kind: .source, name: "Bad", summary: "",
      fields: [
        FieldSpec("a", .integer(1...5), default: 9, help: "x"),
        FieldSpec("a", .text, default: "x", required: true, help: ""),
        FieldSpec("Ping-Time", .group([FieldSpec("b", .boolean, help: "x", example: 1)]), help: "x"),
      ], example: "x")
    #expect(
      spec.faults() == [
        "the declaration: a: expected an integer between 1 and 5, got 9",
        "the option 'a' is declared twice", "the option 'a' has no help",
        "the option 'a' is required and has a default", "the option 'Ping-Time' is not in snake_case",
        "the declaration: Ping-Time.b: expected true or false, got 1", "the name 'Bad' is not in snake_case",
        "it has no summary",
      ])
    #expect(DemoSource.spec.faults().isEmpty)
  }

  @Test("Registering a bad declaration or a name twice stops the program")
  func programmingMistakes() async {
    await #expect(processExitsWith: .failure) {
      var registry = Registry()
      registry.register(DemoSource.spec) { $0 }
      registry.register(DemoSource.spec) { $0 }
    }
    await #expect(processExitsWith: .failure) {
      var registry = Registry()
      registry.register(ComponentSpec(kind: .source, name: "", summary: "", fields: [], example: "")) { $0 }
    }
  }

  @Test("Asking for an option that is not declared, or as another type, stops the program")
  func wrongAccess() async {
    await #expect(processExitsWith: .failure) { _ = DemoSource.read([:]).fields?.text("no_such_option") }
    await #expect(processExitsWith: .failure) { _ = DemoSource.read([:]).fields?.text("count") }
    await #expect(processExitsWith: .failure) { _ = DemoSource.read([:]).fields?.text("label") }
  }
}
