public import Composable

extension Database: DependencyKey {
  /// What failure texts call it.
  public static let name = "database"
  /// Throws, until a host opens a database and gives it.
  public static var live: Database { .missing(reports: false) }
  /// Reports each use; a test gives ``inMemory(migrations:autosave:clock:issues:)``.
  public static var test: Database { .missing(reports: true) }
}

extension Dependencies {
  /// Holds records in tables.
  public var database: Database {
    get { self[Database.self] }
    set { self[Database.self] = newValue }
  }
}
