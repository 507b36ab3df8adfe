/// How much an alert matters, from the least to the most.
public enum Severity: UInt8, Sendable, CaseIterable, Comparable {
  case info = 0
  case warning = 1
  case critical = 2

  /// The name a script or a configuration uses.
  public var name: String {
    switch self {
    case .info: "info"
    case .warning: "warning"
    case .critical: "critical"
    }
  }

  /// Finds a severity by the name a script or a configuration uses.
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }

  /// Whether the first matters less.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
