/// Makes HTTP requests.
///
/// This module has the interface only; a host gives the live value, as that of `ComposableNetworking`.
public struct HTTPClient: Sendable {
  /// A request.
  public struct Request: Sendable, Hashable {
    /// An absolute `http` or `https` URL.
    public var url: String
    /// The method, in upper case.
    public var method: String
    /// Header fields in their order; names compare without regard to case.
    public var headers: [Field]
    /// The body; empty for none.
    public var body: [UInt8]
    /// How long to wait for the whole response.
    public var timeout: Duration

    /// Makes a request.
    public init(
      _ url: String, method: String = "GET", headers: [Field] = [], body: [UInt8] = [],
      timeout: Duration = .seconds(30)
    ) {
      self.url = url
      self.method = method
      self.headers = headers
      self.body = body
      self.timeout = timeout
    }
  }

  /// A response, whatever its status.
  public struct Response: Sendable, Hashable {
    /// The status code, 100 to 599.
    public var status: Int
    /// Header fields in their order.
    public var headers: [Field]
    /// The body.
    public var body: [UInt8]

    /// Makes a response.
    public init(status: Int = 200, headers: [Field] = [], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// The first value of a header field, by its name without regard to case.
    public func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// A header field.
  public struct Field: Sendable, Hashable {
    /// The name, as it is sent.
    public var name: String
    /// The value, without white space around it.
    public var value: String

    /// Makes a header field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes a request and returns its response; throws where none came.
  public var send: @Sendable (Request) async throws -> Response

  /// Makes a client from its function.
  public init(send: @escaping @Sendable (Request) async throws -> Response) { self.send = send }
}

extension HTTPClient: DependencyKey {
  /// What failure texts call it.
  public static let name = "http"
  /// Throws, until a host gives a client.
  public static var live: Self { Self { _ in throw UnimplementedDependency("http.send") } }
  /// Reports each use.
  public static var test: Self { Self(send: unimplementedFunction("http.send")) }
}

extension Dependencies {
  /// Makes HTTP requests.
  public var http: HTTPClient {
    get { self[HTTPClient.self] }
    set { self[HTTPClient.self] = newValue }
  }
}
