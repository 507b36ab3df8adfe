package import Composable
import HTTP

/// What `source.http` knows of the answers so far: what to ask for, and whether an answer is news.
///
/// Pure: answers go in, what they mean comes out.
package struct PollMemory: Sendable {
  /// What an answer means.
  package enum Verdict: Sendable, Hashable {
    /// Its body is a message.
    case message
    /// There is nothing new.
    case nothing
    /// It is none of the answers that were asked for.
    case failure(SourceMachine.End)
  }

  private let sendsUnchanged: Bool
  private var entityTag: String?
  private var lastModified: String?
  private var lastBody: [UInt8]?

  /// Makes a memory of nothing.
  ///
  /// - Parameter sendsUnchanged: whether a body that is the same as the one before is a message again.
  package init(sendsUnchanged: Bool) { self.sendsUnchanged = sendsUnchanged }

  /// The headers that ask only for what is new (RFC 9110, section 13.1).
  package var conditions: [HTTPClient.Field] {
    // A server that is asked so never sends the same again.
    guard !sendsUnchanged else { return [] }
    var fields: [HTTPClient.Field] = []
    if let entityTag { fields.append(HTTPClient.Field("If-None-Match", entityTag)) }
    if let lastModified { fields.append(HTTPClient.Field("If-Modified-Since", lastModified)) }
    return fields
  }

  /// Takes an answer.
  ///
  /// - Parameter origin: the scheme, host and port that were asked.
  package mutating func take(
    status: Int, headers: [HTTPClient.Field], body: [UInt8], from origin: String, at now: Timestamp
  ) -> Verdict {
    if status == 304 { return .nothing }
    guard (200..<300).contains(status) else {
      return .failure(SourceMachine.End(answer: status, headers, from: origin, at: now))
    }
    entityTag = Self.value(of: "ETag", headers)
    lastModified = Self.value(of: "Last-Modified", headers)
    guard !body.isEmpty else { return .nothing }
    if !sendsUnchanged {
      guard body != lastBody else { return .nothing }
      lastBody = body
    }
    return .message
  }

  /// A field that can be sent back as it is.
  private static func value(of name: String, _ headers: [HTTPClient.Field]) -> String? {
    let value = headers.last { $0.name.lowercased() == name.lowercased() }?.value
    guard let value, !value.isEmpty, value.utf8.count <= 1_024, value.isHeaderValue else { return nil }
    return value
  }
}

extension SourceMachine.End {
  /// The end that an answer other than the one asked for means.
  init(answer status: Int, _ headers: [HTTPClient.Field], from origin: String, at now: Timestamp) {
    var text = "\(origin) answered \(status)"
    switch status {
    case 300..<400: text += ", which leads elsewhere; write the address it leads to"
    case 401, 403: text += "; check the headers and the token in the URL"
    case 404: text += "; check the path of the URL"
    case 405: text += "; it wants another method"
    default: break
    }
    let header = headers.last { $0.name.lowercased() == "retry-after" }?.value
    let seconds = header.flatMap { RetryAfter($0) }?.seconds(from: now.milliseconds / 1_000)
    if let seconds { text += "; it asks to wait \(seconds) s" }
    self.init(code: status, reason: text, retryAfter: seconds.map { Milliseconds.seconds($0) })
  }
}
