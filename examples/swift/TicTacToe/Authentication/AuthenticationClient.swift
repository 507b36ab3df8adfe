public import Composable

/// Knows who may play.
public struct AuthenticationClient: Sendable {
  /// What the service answers to a right password or code.
  public struct Answer: Sendable, Equatable {
    /// The proof to show from now on.
    public var token: String
    /// Whether a code has to be confirmed before the token is worth anything.
    public var needsCode: Bool

    /// Makes an answer.
    public init(token: String, needsCode: Bool = false) {
      self.token = token
      self.needsCode = needsCode
    }
  }

  /// Checks e-mail and password.
  public var login: @Sendable (_ email: String, _ password: String) async throws -> Answer
  /// Checks the code that was sent to the owner of a token.
  public var confirm: @Sendable (_ code: String, _ token: String) async throws -> Answer
}

/// Why somebody may not play.
public enum AuthenticationError: Error, Sendable, Equatable, CustomStringConvertible {
  case unknownUser
  case wrongCode

  /// The text to show.
  public var description: String {
    switch self {
    case .unknownUser: "This e-mail and password don't belong together."
    case .wrongCode: "This isn't the code that was sent."
    }
  }
}

extension AuthenticationClient: DependencyKey {
  /// What failure texts call it.
  public static let name = "authentication"

  /// A demonstration: the password is `password`, the code is `1234`, and `2fa@…` has to give it.
  public static var live: Self {
    Self(
      login: { email, password in
        guard email.contains("@"), password == "password" else { throw AuthenticationError.unknownUser }
        return Answer(token: "token of \(email)", needsCode: email.hasPrefix("2fa"))
      },
      confirm: { code, token in
        guard code == "1234" else { throw AuthenticationError.wrongCode }
        return Answer(token: token)
      })
  }

  /// Reports each use.
  public static var test: Self {
    Self(
      login: unimplementedFunction("authentication.login"),
      confirm: unimplementedFunction("authentication.confirm"))
  }
}

extension Dependencies {
  /// Knows who may play.
  public var authentication: AuthenticationClient {
    get { self[AuthenticationClient.self] }
    set { self[AuthenticationClient.self] = newValue }
  }
}
