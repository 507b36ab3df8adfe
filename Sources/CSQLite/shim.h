#include <sqlite3.h>

/// Leaves the log beside the file when a connection is closed; the next one to open the file takes it in.
///
/// Swift can't call sqlite3_db_config, which takes any number of arguments.
static inline int sqlite3_keep_log_at_close(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
