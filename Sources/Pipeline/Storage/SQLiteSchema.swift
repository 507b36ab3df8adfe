/// The tables of the storage's file and the way from each version of them to the next.
struct SQLiteSchema: Sendable {
  /// The statements that lead from version n to n + 1, by n. A released step never changes.
  var steps: [String]

  /// The version that this program reads and writes.
  var version: Int64 { Int64(steps.count) }

  /// What marks a SQLite file as this program's: `PIPE` in ASCII.
  static let applicationID: Int64 = 0x5049_5045

  static let current = SQLiteSchema(steps: [
    """
    PRAGMA application_id = 1346981957;
    CREATE TABLE state (
      script BLOB NOT NULL, key BLOB NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY (script, key)) WITHOUT ROWID;
    CREATE TABLE rule (
      script BLOB NOT NULL, rule BLOB NOT NULL, key BLOB NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY (script, rule, key)) WITHOUT ROWID;
    CREATE TABLE timer (
      script BLOB NOT NULL, key BLOB NOT NULL, action BLOB NOT NULL, due BLOB NOT NULL,
      payload BLOB NOT NULL,
      PRIMARY KEY (script, key, action)) WITHOUT ROWID;
    CREATE TABLE position (source TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE alert (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, severity INTEGER NOT NULL,
      script TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL,
      time INTEGER NOT NULL, value REAL, labels BLOB NOT NULL);
    CREATE TABLE delivery (
      number INTEGER PRIMARY KEY, alert TEXT NOT NULL, channel TEXT NOT NULL, origin TEXT NOT NULL,
      queued INTEGER NOT NULL, attempt INTEGER NOT NULL, not_before INTEGER NOT NULL,
      outcome INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', settled INTEGER,
      UNIQUE (alert, channel));
    CREATE INDEX delivery_queued ON delivery (number) WHERE outcome = 0;
    CREATE INDEX delivery_settled ON delivery (settled, number) WHERE outcome <> 0;
    CREATE TABLE quarantine (
      number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, script TEXT NOT NULL,
      source TEXT NOT NULL, input TEXT NOT NULL, reason TEXT NOT NULL, place TEXT NOT NULL,
      traceback TEXT NOT NULL, message BLOB NOT NULL, length INTEGER NOT NULL, size INTEGER NOT NULL);
    """,
    "ALTER TABLE alert ADD COLUMN lasts INTEGER NOT NULL DEFAULT 0;",
    """
    ALTER TABLE delivery ADD COLUMN hold TEXT;
    ALTER TABLE delivery ADD COLUMN held_until INTEGER;
    ALTER TABLE delivery ADD COLUMN silenced INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE delivery ADD COLUMN omitted INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE silence (
      number INTEGER PRIMARY KEY AUTOINCREMENT, rule TEXT NOT NULL, key TEXT, begins INTEGER NOT NULL,
      ends INTEGER NOT NULL);
    CREATE TABLE resend (
      number INTEGER PRIMARY KEY AUTOINCREMENT, alert TEXT NOT NULL, channel TEXT NOT NULL,
      UNIQUE (alert, channel));
    """,
    """
    CREATE TABLE origin (name TEXT NOT NULL);
    INSERT INTO origin VALUES ('');
    """,
    "ALTER TABLE quarantine ADD COLUMN marks TEXT NOT NULL DEFAULT '';",
  ])
}

/// How a delivery stands, as the file has it.
enum StoredOutcome: Int64 {
  case queued = 0
  case delivered = 1
  case failed = 2
  case expired = 3
  case replaced = 4
  case silenced = 5
  case digested = 6
}
