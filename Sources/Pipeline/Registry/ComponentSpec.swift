/// The one declaration of a source, channel, storage or decoder.
///
/// Reading a configuration, defaults, errors about unknown options, `pipeline help` and the reference all
/// come from it, so they cannot disagree.
public struct ComponentSpec: Sendable {
  /// A fault that concerns more than one field, found after each field was read.
  public struct Fault: Sendable {
    /// The path of the field to name, such as `reconnect.cap`.
    public var field: String
    /// What was expected and what was found, as a sentence without a full stop.
    public var message: String

    /// Makes a fault of a field.
    public init(_ field: String, _ message: String) {
      self.field = field
      self.message = message
    }
  }

  /// What a component can do for scripts beyond its main purpose.
  public enum Ability: Sendable, Hashable {
    /// A source to which scripts can send messages (`effect.send`).
    case takesMessages
    /// A channel to which scripts can publish values (`effect.publish`).
    case publishes
  }

  /// What the component is for.
  public var kind: ComponentKind
  /// The word after the dot, such as `websocket`.
  public var name: String
  /// One sentence that says what the component does, without a full stop.
  public var summary: String
  /// What else there is to know, a paragraph each, each of sentences with their full stops.
  public var details: [String]
  /// The options it takes, in the order help shows them.
  public var fields: [FieldSpec]
  /// A use of the component, as Lua text of a configuration.
  public var example: String
  /// What the component can do for scripts beyond its main purpose.
  public var abilities: Set<Ability>
  /// Whether alerts can be sent to it, if it is a channel; routes and fallbacks can't name it otherwise.
  public var takesAlerts: Bool
  /// The options whose files must exist, where that depends on other options.
  public var neededFiles: @Sendable (FieldReader) -> [String]
  /// Finds the faults between fields; it is called only if each field alone is fine.
  public var check: @Sendable (FieldReader) -> [Fault]

  /// Declares a component.
  public init(
    kind: ComponentKind, name: String, summary: String, details: [String] = [], fields: [FieldSpec],
    example: String, abilities: Set<Ability> = [], takesAlerts: Bool = true,
    neededFiles: @escaping @Sendable (FieldReader) -> [String] = { _ in [] },
    check: @escaping @Sendable (FieldReader) -> [Fault] = { _ in [] }
  ) {
    self.kind = kind
    self.name = name
    self.summary = summary
    self.details = details
    self.fields = fields
    self.example = example
    self.abilities = abilities
    self.takesAlerts = takesAlerts
    self.neededFiles = neededFiles
    self.check = check
  }

  /// The name a configuration uses, such as `source.websocket`.
  public var constructor: String { "\(kind.rawValue).\(name)" }
}

/// The settings of a component as a Swift type: its declaration, and how it is made from what was configured.
public protocol ComponentSettings: Sendable {
  /// The declaration that the fields were checked against.
  static var spec: ComponentSpec { get }

  /// Takes the settings from fields that were checked against `spec`.
  init(fields: FieldReader)
}
