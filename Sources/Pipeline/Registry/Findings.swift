/// One fault of a configuration or a script: where it is and what is wrong.
public struct Finding: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Where the fault is.
  public var place: Place
  /// What was expected, what was found and what to do, as a sentence without a full stop.
  public var message: String

  /// Makes a finding.
  public init(_ place: Place, _ message: String) {
    self.place = place
    self.message = message
  }

  /// The finding as one line.
  public var description: String { "\(place): \(message)" }

  /// Orders findings by place, then by text.
  public static func < (a: Self, b: Self) -> Bool {
    a.place == b.place ? a.message < b.message : a.place < b.place
  }
}

/// Every fault found in one go, sorted by place.
public struct Findings: Sendable, Hashable, CustomStringConvertible {
  /// The number of findings kept; further ones are only counted.
  public static let limit = 200

  private var found: [Finding] = []
  /// The number of findings beyond the limit.
  public private(set) var omitted = 0

  /// Makes an empty collection.
  public init() {}

  /// Whether no fault was found.
  public var isEmpty: Bool { found.isEmpty }

  /// The number of all findings, those beyond the limit included.
  public var count: Int { found.count + omitted }

  /// The findings, sorted by file, line, path and text.
  public var sorted: [Finding] { found.sorted() }

  /// One line for each finding, and one that counts those beyond the limit.
  public var description: String {
    var lines = sorted.map(\.description)
    if omitted > 0 { lines.append("and \(omitted) more") }
    return lines.joined(separator: "\n")
  }

  /// Adds a finding.
  public mutating func add(_ place: Place, _ message: String) {
    if found.count < Self.limit {
      found.append(Finding(place, message))
    } else {
      omitted += 1
    }
  }

  /// Adds the findings of another collection.
  public mutating func add(_ others: Findings) {
    for finding in others.found { add(finding.place, finding.message) }
    omitted += others.omitted
  }
}
