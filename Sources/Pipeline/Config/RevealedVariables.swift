/// The environment variables that a function of a configuration has read, so that no text repeats them.
///
/// Confined to the thread that calls the function.
final class RevealedVariables {
  private let environment: (String) -> String?
  private var texts: Set<String> = []
  /// The variables that were asked for and are not set.
  private(set) var missing: Set<String> = []

  init(_ environment: @escaping (String) -> String? = ProcessEnvironment.value(of:)) {
    self.environment = environment
  }

  /// The text of a variable; nil if it isn't set or is empty.
  func text(of name: String) -> String? {
    guard let text = environment(name), !text.isEmpty else {
      missing.insert(name)
      return nil
    }
    texts.insert(text)
    return text
  }

  /// A text with `<secret>` in place of each variable that was read.
  func redacted(_ text: String) -> String {
    // The longest first, as one may be part of another.
    texts.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) { $0.replacing($1, with: "<secret>") }
  }
}
