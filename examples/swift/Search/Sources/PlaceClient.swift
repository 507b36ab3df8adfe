import Composable

/// A place on the map.
struct Place: Sendable, Equatable {
  var name: String
  var country: String
}

/// Knows the places of the world.
struct PlaceClient: Sendable {
  var search: @Sendable (_ query: String) async throws -> [Place]
}

extension PlaceClient: DependencyKey {
  static let name = "places"

  /// A few places that are known without a network.
  static var live: Self {
    let known = [
      Place(name: "Berlin", country: "Germany"), Place(name: "Bergen", country: "Norway"),
      Place(name: "Bern", country: "Switzerland"), Place(name: "Lyon", country: "France"),
    ]
    return Self { query in known.filter { $0.name.lowercased().hasPrefix(query.lowercased()) } }
  }

  static var test: Self { Self(search: unimplementedFunction("places.search")) }
}

extension Dependencies {
  var places: PlaceClient {
    get { self[PlaceClient.self] }
    set { self[PlaceClient.self] = newValue }
  }
}
