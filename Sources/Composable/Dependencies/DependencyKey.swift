/// Declares a dependency: its type and its defaults.
///
///     struct PriceClient: Sendable {
///       var price: @Sendable (_ coin: String) async throws -> Double
///     }
///
///     extension PriceClient: DependencyKey {
///       static let name = "prices"
///       static let live = Self { _ in 67_000 }
///       static let test = Self(price: unimplementedFunction("prices.price"))
///     }
///
///     extension Dependencies {
///       var prices: PriceClient {
///         get { self[PriceClient.self] }
///         set { self[PriceClient.self] = newValue }
///       }
///     }
public protocol DependencyKey {
  associatedtype Value: Sendable = Self
  /// What failure texts call it.
  static var name: String { get }
  /// The value in a program.
  static var live: Value { get }
  /// The value in a test that gives none: one that reports each use. See ``unimplementedFunction(_:)``.
  static var test: Value { get }
  /// The value in a demonstration; the live value unless declared.
  static var preview: Value { get }
}

extension DependencyKey {
  /// The value in a demonstration; the live value unless declared.
  public static var preview: Value { live }
}
