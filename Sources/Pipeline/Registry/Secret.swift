/// A text that is never printed: given in the configuration, or taken from the environment when it is needed.
public struct Secret: Sendable, Hashable {
  enum Origin: Sendable, Hashable {
    case literal(String)
    case environment(name: String)
  }

  private let origin: Origin
  private let place: Place
  /// The schemes of which a URL must have one; empty for text that is no URL.
  private let schemes: [String]

  init(_ origin: Origin, place: Place, schemes: [String] = []) {
    self.origin = origin
    self.place = place
    self.schemes = schemes
  }

  /// Makes a secret from a text that the program has already.
  public init(_ text: String) {
    self.init(.literal(text), place: Place(file: "the program"))
  }

  /// The text, if it stands in the configuration itself; for checks, never for printing.
  var literal: String? {
    if case .literal(let text) = origin { text } else { nil }
  }

  /// The text itself, for the moment of use.
  ///
  /// - Throws: `SecretError` if the variable isn't set, is empty, or holds no URL of the expected kind.
  public func resolve(
    _ environment: (String) -> String? = ProcessEnvironment.value(of:)
  ) throws(SecretError) -> String {
    switch origin {
    case .literal(let text):
      return text
    case .environment(let name):
      guard let text = environment(name), !text.isEmpty else {
        throw SecretError(
          Finding(place, "the environment variable \(name) is not set; set it before the start"))
      }
      if !schemes.isEmpty, !URLText.isValid(text, schemes: schemes) {
        let expected = FieldType.url(schemes: schemes).expectation
        throw SecretError(
          Finding(place, "expected \(expected) in the environment variable \(name), got something else"))
      }
      return text
    }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<secret>`.
  public var description: String { "<secret>" }
  /// Always `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// Hides the text from `dump` and from everything else that prints by reflection.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a secret could not be resolved; it never holds the text.
public struct SecretError: Error, Hashable, CustomStringConvertible {
  /// The place of the secret and what is wrong with it.
  public let finding: Finding

  init(_ finding: Finding) { self.finding = finding }

  /// The finding as one line.
  public var description: String { finding.description }
}
