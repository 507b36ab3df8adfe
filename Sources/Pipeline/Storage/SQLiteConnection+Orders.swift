/// Orders of users: written beside the host by ``StorageDesk``, read by the host.
extension SQLiteConnection {
  /// Everything that users ask for, without a version.
  func orders() throws -> StandingOrders {
    var orders = StandingOrders()
    orders.silences = try silences()
    let statement = try prepare(
      """
      SELECT \(Self.alertColumns), r.channel, r.number
      FROM resend r JOIN alert a ON a.id = r.alert ORDER BY r.number
      """)
    while try statement.step() {
      orders.resends.append(
        StandingOrders.Resend(
          number: statement.integer(12), alert: try alert(statement), channel: statement.text(11)))
    }
    return orders
  }

  /// The silences in the order of their numbers.
  func silences() throws -> [Silence] {
    let statement = try prepare("SELECT number, rule, key, begins, ends FROM silence ORDER BY number")
    var silences: [Silence] = []
    while try statement.step() {
      silences.append(
        Silence(
          number: statement.integer(0), rule: statement.text(1),
          key: statement.isNull(2) ? nil : statement.text(2),
          begins: Timestamp(milliseconds: statement.integer(3)),
          ends: Timestamp(milliseconds: statement.integer(4))))
    }
    return silences
  }

  /// A number that changes whenever another connection has changed the file.
  func foreignChanges() throws(SQLiteFailure) -> Int64 { try integer("PRAGMA data_version") }
}
