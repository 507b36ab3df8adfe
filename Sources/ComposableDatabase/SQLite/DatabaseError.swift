/// Why a database didn't do what it was asked.
public struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What failed.
  public enum Reason: Sendable, Hashable {
    /// SQLite refused, with its extended result code (sqlite.org/rescode.html).
    case sqlite(code: Int32)
    /// A constraint of the schema doesn't hold: not null, unique, a foreign key or a check.
    case constraint
    /// There is no such row.
    case missing
    /// A column holds something else than the record expects.
    case unexpectedValue
    /// The file's schema isn't the one that the migrations make.
    case schema
  }

  /// What failed.
  public let reason: Reason
  /// The place and what happened there, in one sentence.
  public let description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
