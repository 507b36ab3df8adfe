/// A line of source, as written by the compiler.
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
  /// Module and file, `Module/File.swift`.
  public let fileID: StaticText
  /// The path of the file as compiled.
  public let filePath: StaticText
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// Makes a location from the compiler's literals.
  public init(
    _ fileID: StaticString, _ line: UInt, filePath: StaticString = "", column: UInt = 1
  ) {
    self.fileID = StaticText(fileID)
    self.filePath = StaticText(filePath)
    self.line = line
    self.column = column
  }

  /// The text that failure texts and logs show.
  public var description: String { "\(fileID):\(line)" }
}

/// A literal that can be compared; it costs no allocation until it is shown.
public struct StaticText: Sendable, Hashable, CustomStringConvertible {
  private let literal: StaticString

  /// Wraps a literal.
  public init(_ literal: StaticString) { self.literal = literal }

  /// The text that failure texts and logs show.
  public var description: String { literal.description }

  /// Whether both have the same text.
  public static func == (a: Self, b: Self) -> Bool { a.description == b.description }

  /// Feeds what equality compares to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
