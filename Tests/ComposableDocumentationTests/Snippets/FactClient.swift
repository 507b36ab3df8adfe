import Composable

// snippet
struct FactClient: Sendable {
  var about: @Sendable (_ number: Int) async throws -> String
}

extension FactClient: DependencyKey {
  static let name = "facts"
  static var live: Self { .over(Dependencies.live.http) }
  static var test: Self { Self(about: unimplementedFunction("facts.about")) }
  static var preview: Self { Self { number in "\(number) is a number." } }
}

extension Dependencies {
  var facts: FactClient {
    get { self[FactClient.self] }
    set { self[FactClient.self] = newValue }
  }
}
// end

// snippet
extension FactClient {
  static func over(_ http: HTTPClient) -> Self {
    Self { number in
      let response = try await http.send(HTTPClient.Request("https://facts.example/\(number)"))
      return String(decoding: response.body, as: UTF8.self)
    }
  }
}
// end
