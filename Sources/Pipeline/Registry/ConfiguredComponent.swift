/// A component as a configuration uses it: which one, under which name, with which options.
public struct ConfiguredComponent: Sendable {
  /// The name the configuration gives it, such as `btc`; the section's name for the storage.
  public let name: String
  /// The declaration the options were checked against.
  public let spec: ComponentSpec
  /// The options, checked, with defaults filled in.
  public let fields: FieldReader
  /// The constructor call, for errors that show up later.
  public let place: Place

  init(name: String, spec: ComponentSpec, fields: FieldReader, place: Place) {
    self.name = name
    self.spec = spec
    self.fields = fields
    self.place = place
  }
}
