/// Tells a person something, by whatever way the host has.
public struct Notifier: Sendable {
  /// What to tell.
  public struct Notification: Sendable, Hashable {
    /// One line.
    public var title: String
    /// Further text; may be empty.
    public var body: String

    /// Makes a notification.
    public init(title: String, body: String = "") {
      self.title = title
      self.body = body
    }
  }

  /// Delivers a notification; throws where it wasn't accepted.
  public var notify: @Sendable (Notification) async throws -> Void

  /// Makes a notifier from its function.
  public init(notify: @escaping @Sendable (Notification) async throws -> Void) { self.notify = notify }
}

extension Notifier: DependencyKey {
  /// What failure texts call it.
  public static let name = "notifier"
  /// The desktop.
  public static let live = Self.desktop()
  /// Reports each use.
  public static var test: Self { Self(notify: unimplementedFunction("notifier.notify")) }
}

extension Dependencies {
  /// Tells a person something.
  public var notifier: Notifier {
    get { self[Notifier.self] }
    set { self[Notifier.self] = newValue }
  }
}
