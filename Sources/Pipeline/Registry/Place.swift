/// Where something stands in a configuration: file, line and path, as in `config.lua:12: sources.btc.url`.
public struct Place: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The file as it was named to the program.
  public var file: String
  /// The line of the nearest enclosing constructor call, if one is known.
  public var line: Int?
  /// The names on the way to the value, such as `sources.btc.open[2]`; empty for the whole configuration.
  public var path: String

  /// Makes a place.
  public init(file: String, line: Int? = nil, path: String = "") {
    self.file = file
    self.line = line
    self.path = path
  }

  /// The place as error texts begin with it.
  public var description: String {
    var text = file
    if let line { text += ":\(line)" }
    if !path.isEmpty { text += ": \(path)" }
    return text
  }

  /// Orders places by file, line and path.
  public static func < (a: Self, b: Self) -> Bool {
    (a.file, a.line ?? 0, a.path) < (b.file, b.line ?? 0, b.path)
  }

  /// The place of a member of the table at this place.
  public func member(_ name: String) -> Self {
    var place = self
    let name = LuaText.escaped(name, limit: 64)
    place.path = path.isEmpty ? name : "\(path).\(name)"
    return place
  }

  /// The place of an element of the list at this place, counted from 1 as in Lua.
  public func element(_ position: Int) -> Self {
    var place = self
    place.path += "[\(position)]"
    return place
  }

  /// This place with the line of a table, where the table knows its own.
  func at(line: Int?) -> Self {
    guard let line else { return self }
    var place = self
    place.line = line
    return place
  }
}
