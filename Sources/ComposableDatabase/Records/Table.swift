/// The table that holds a type of record.
///
/// Sendable because key paths to stored properties capture nothing and nothing of it changes.
public struct Table<R: Record>: @unchecked Sendable {
  /// The name in the database.
  public let name: String
  let columns: [Column<R>]
  private let indexes: [PartialKeyPath<R>: Int]
  let sql: TableSQL

  /// Declares a table with its columns, of which exactly one is the id.
  public init(_ name: String, _ columns: Column<R>...) {
    precondition(
      columns.filter(\.isID).count == 1, "The table \(name) needs exactly one id column: .id(\\.id).")
    let names = columns.map(\.name)
    precondition(Set(names).count == names.count, "The table \(name) has two columns of one name: \(names).")
    self.name = name
    self.columns = columns
    indexes = Dictionary(
      columns.enumerated().map { ($1.keyPath, $0) }, uniquingKeysWith: { first, _ in first })
    sql = TableSQL(name, columns)
  }

  func index(of keyPath: PartialKeyPath<R>) -> Int {
    guard let index = indexes[keyPath] else {
      preconditionFailure(
        "\(keyPath) has no column in the table \(name); declare one: .column(\"…\", \(keyPath)).")
    }
    return index
  }

  /// The quoted name of the column of a property.
  func column(_ keyPath: PartialKeyPath<R>) -> String { quoted(columns[index(of: keyPath)].name) }

  func values(of record: R) -> [SQLValue] { columns.map { $0.read(record) } }
}

/// A column of a table.
public struct Column<R: Record> {
  let name: String
  let keyPath: PartialKeyPath<R>
  let type: ColumnType
  let isOptional: Bool
  let isID: Bool
  let isUnique: Bool
  let isIndexed: Bool
  let read: (R) -> SQLValue

  private init<Value: DatabaseValue>(
    _ name: String, _ keyPath: KeyPath<R, Value>, isID: Bool = false, isUnique: Bool = false,
    isIndexed: Bool = false
  ) {
    self.name = name
    self.keyPath = keyPath
    self.isID = isID
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    type = Value.columnType
    isOptional = Value.isOptional
    read = { $0[keyPath: keyPath].sqlValue }
  }

  /// The column of the record's id.
  public static func id(_ keyPath: KeyPath<R, R.ID>, name: String = "id") -> Self {
    Self(name, keyPath, isID: true)
  }

  /// The column of a property.
  ///
  /// - Parameters:
  ///   - isUnique: Whether no two rows may have the same value.
  ///   - isIndexed: Whether rows are found by it without reading all.
  public static func column<Value: DatabaseValue>(
    _ name: String, _ keyPath: KeyPath<R, Value>, isUnique: Bool = false, isIndexed: Bool = false
  ) -> Self {
    Self(name, keyPath, isUnique: isUnique, isIndexed: isIndexed)
  }
}

/// The statements of a table, which are the same each time.
struct TableSQL: Sendable {
  let create: String
  let select: String
  let add: String
  let update: String
  let delete: String
  let deleteByID: String

  init<R>(_ table: String, _ columns: [Column<R>]) {
    let name = quoted(table)
    let names = columns.map { quoted($0.name) }
    let id = quoted(columns.first(where: \.isID)?.name ?? "id")
    let definitions = columns.map { column in
      quoted(column.name) + " " + column.type.rawValue + (column.isID ? " PRIMARY KEY" : "")
        + (column.isOptional ? "" : " NOT NULL") + (column.isUnique ? " UNIQUE" : "")
    }
    let indexes = columns.filter(\.isIndexed).map {
      ";\nCREATE INDEX \(quoted("\(table)_\($0.name)")) ON \(name) (\(quoted($0.name)))"
    }
    create =
      "CREATE TABLE \(name) (\n  \(definitions.joined(separator: ",\n  "))\n) STRICT" + indexes.joined()
    select = "SELECT \(names.joined(separator: ", ")) FROM \(name)"
    add =
      "INSERT INTO \(name) (\(names.joined(separator: ", "))) "
      + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
    update = "UPDATE \(name) SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE \(id) = ?"
    delete = "DELETE FROM \(name)"
    deleteByID = "DELETE FROM \(name) WHERE \(id) = ?"
  }
}

/// A name as SQL takes it literally.
func quoted(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
