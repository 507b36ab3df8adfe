/// The way between a whole and one of its cases: `Route(embed: Action.child, extract: { … })`.
///
/// A route stands where a macro would write a case path. Declare routes as static members of an extension
/// constrained to both types, then use them by their short name:
///
///     extension Route where Whole == App.Action, Part == Counter.Action {
///       static var counter: Self {
///         Route(embed: Whole.counter) { if case .counter(let action) = $0 { action } else { nil } }
///       }
///     }
public struct Route<Whole, Part>: Sendable {
  /// Makes the whole from its part.
  public let embed: @Sendable (Part) -> Whole
  /// Finds the part in the whole; nil where the whole is something else.
  public let extract: @Sendable (Whole) -> Part?

  /// Makes a route from its two directions.
  @inlinable
  public init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    self.embed = embed
    self.extract = extract
  }

  /// Continues this route into a part of its part.
  public func appending<Detail>(_ next: Route<Part, Detail>) -> Route<Whole, Detail> {
    let (embed, extract) = (embed, extract)
    return Route<Whole, Detail>(
      embed: { embed(next.embed($0)) }, extract: { extract($0).flatMap(next.extract) })
  }
}

extension Route where Whole == Part {
  /// The route from a whole to itself.
  public static var whole: Self { Route(embed: { $0 }, extract: { $0 }) }
}
