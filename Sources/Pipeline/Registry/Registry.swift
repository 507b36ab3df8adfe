/// Every component and script function that this program knows.
///
/// A value: a host written in Swift takes the built-in one, adds its own components, and hands it over.
public struct Registry: Sendable {
  private struct Entry: Sendable {
    var spec: ComponentSpec
    var make: @Sendable (FieldReader) throws -> any Sendable
  }

  private var entries: [ComponentKind: [String: Entry]] = [:]
  private var functionsByName: [String: FunctionSpec] = [:]
  private var typesByName: [String: TypeSpec] = [:]
  private var constantsByName: [String: ConstantSpec] = [:]
  private var presetsByName: [String: PresetSpec] = [:]

  /// Makes an empty registry.
  public init() {}

  /// Adds a component and how it is made; a spec that contradicts itself, or a name already taken, stops the
  /// program with a sentence.
  public mutating func register<Product: Sendable>(
    _ spec: ComponentSpec, make: @escaping @Sendable (FieldReader) throws -> Product
  ) {
    let faults = spec.faults()
    precondition(faults.isEmpty, "\(spec.constructor): \(faults.joined(separator: "; "))")
    precondition(entries[spec.kind]?[spec.name] == nil, "\(spec.constructor) is registered already")
    entries[spec.kind, default: [:]][spec.name] = Entry(spec: spec, make: make)
  }

  /// Adds a component whose product is its settings.
  public mutating func register<Settings: ComponentSettings>(_ settings: Settings.Type) {
    register(settings.spec) { settings.init(fields: $0) }
  }

  /// Adds a preset of a source that is registered already; a spec that contradicts itself, or a name already taken,
  /// stops the program with a sentence.
  public mutating func register(_ preset: PresetSpec) {
    let faults = preset.faults(base: spec(.source, preset.base))
    precondition(faults.isEmpty, "\(preset.constructor): \(faults.joined(separator: "; "))")
    precondition(presetsByName[preset.name] == nil, "\(preset.constructor) is registered already")
    presetsByName[preset.name] = preset
  }

  /// Adds a script function; a name already taken stops the program with a sentence.
  public mutating func register(_ function: FunctionSpec) {
    precondition(functionsByName[function.name] == nil, "\(function.name) is registered already")
    functionsByName[function.name] = function
  }

  /// Adds a type that functions take or give; a name already taken stops the program with a sentence.
  public mutating func register(_ type: TypeSpec) {
    precondition(typesByName[type.name] == nil, "the type \(type.name) is registered already")
    typesByName[type.name] = type
  }

  /// Adds a global that is no function; a name already taken stops the program with a sentence.
  public mutating func register(_ constant: ConstantSpec) {
    precondition(constantsByName[constant.name] == nil, "\(constant.name) is registered already")
    constantsByName[constant.name] = constant
  }

  /// The declaration of a component; nil if there is none.
  public func spec(_ kind: ComponentKind, _ name: String) -> ComponentSpec? { entries[kind]?[name]?.spec }

  /// The declarations of a kind, sorted by name.
  public func specs(of kind: ComponentKind) -> [ComponentSpec] {
    (entries[kind] ?? [:]).values.map(\.spec).sorted { $0.name < $1.name }
  }

  /// The declaration of a preset; nil if there is none.
  public func preset(_ name: String) -> PresetSpec? { presetsByName[name] }

  /// The declarations of the presets, sorted by name.
  public var presets: [PresetSpec] { presetsByName.values.sorted { $0.name < $1.name } }

  /// The declarations of the script functions, sorted by name.
  public var functions: [FunctionSpec] { functionsByName.values.sorted { $0.name < $1.name } }

  /// The declaration of a script function; nil if there is none.
  public func function(_ name: String) -> FunctionSpec? { functionsByName[name] }

  /// The declarations of the types with names, sorted by name.
  public var types: [TypeSpec] { typesByName.values.sorted { $0.name < $1.name } }

  /// The declarations of the globals that are no functions, sorted by name.
  public var constants: [ConstantSpec] { constantsByName.values.sorted { $0.name < $1.name } }

  /// Makes what a configured component stands for.
  ///
  /// - Throws: what the component's own factory throws, or `RegistryError` if the component isn't registered
  ///   or makes something else.
  public func make<Product>(
    _ component: ConfiguredComponent, as type: Product.Type = Product.self
  ) throws -> Product {
    guard let entry = entries[component.spec.kind]?[component.spec.name] else {
      throw RegistryError("\(component.place): \(component.spec.constructor) is not registered")
    }
    guard let product = try entry.make(component.fields) as? Product else {
      throw RegistryError("\(component.place): \(component.spec.constructor) does not make a \(type)")
    }
    return product
  }
}

/// Why a component could not be made.
public struct RegistryError: Error, Hashable, CustomStringConvertible {
  /// The place, and what is missing or of the wrong kind.
  public let description: String

  init(_ description: String) { self.description = description }
}
