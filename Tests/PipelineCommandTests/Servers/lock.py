"""Keeps a SQLite database locked, as a program with an open transaction does.

usage: lock.py DATABASE write|everything   (against writers alone, or against readers, too)

Prints "locked", then "claimed" once a pipeline has claimed the database by its lock file. It ends with its input.
"""

import os
import sqlite3
import sys
import threading
import time

DATABASE, EXTENT = sys.argv[1], sys.argv[2]


def watch():
    while not os.path.exists(DATABASE + ".lock"):
        time.sleep(0.002)
    print("claimed", flush=True)


database = sqlite3.connect(DATABASE, isolation_level=None)
if EXTENT == "everything":
    # With the WAL's index in memory of its own, no other process can even read (PRAGMA locking_mode).
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
database.execute("BEGIN IMMEDIATE")
database.execute("CREATE TABLE other (a)")
print("locked", flush=True)
threading.Thread(target=watch, daemon=True).start()
sys.stdin.read()
database.execute("ROLLBACK")
