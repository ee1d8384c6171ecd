"""The cache's SQLite file: opened only where it is one of ours, and nothing else is ever removed.

One of ours has a name of ours (``snapset-<hash>.sqlite``), is a regular file of the user's, carries our number as
its ``application_id``, and has one table and no trigger or view, whose text another could have chosen.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from pathlib import Path

from snapset.frontend.base.lazy_patterns import pattern_of

KEPT = 30 * 86400
"""Seconds after which the file of another version of snapset is removed."""
PATIENCE = 5.0
"""Seconds to wait for another run that is writing."""
MAGIC = 0x736E6170  # "snap"
"""What stands in bytes 68 to 71 of the header of every file of ours."""
LONGEST = 256 * 2**20
"""Bytes of a value."""

_NAME = pattern_of(r"snapset-[0-9a-f]{24}\.sqlite")
_TABLE = "CREATE TABLE entry (key blob primary key, value blob, used integer)"
_SCHEMA = [("index", "sqlite_autoindex_entry_1", None), ("table", "entry", _TABLE)]


class NotOursError(Exception):
    """Another program's file stands where ours would."""


def file_name(version: str) -> str:
    """Of the cache of one version of snapset."""
    return f"snapset-{version}.sqlite"


def connect(path: Path, writable: bool) -> sqlite3.Connection:
    """The file opened, made where there is none. Raises sqlite3.Error, OSError, NotOursError."""
    if not _is_plain(path):
        raise NotOursError("it is no file of yours")
    if not writable:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    else:
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        connection.execute("pragma trusted_schema = off")
        if writable:
            connection.execute("pragma synchronous = normal")
        _check(connection, writable)
    except (sqlite3.Error, NotOursError):
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, writable: bool) -> None:
    """The schema is ours to the letter; an empty file becomes ours."""
    for _ in range(2):
        (number,) = connection.execute("pragma application_id").fetchone()
        schema = connection.execute("select type, name, sql from sqlite_master order by type").fetchall()
        if number == MAGIC and schema == _SCHEMA:
            return
        if schema not in ([], _SCHEMA) or number not in (0, MAGIC) or not writable:
            break
        with connection:  # another run may be doing the same
            connection.execute("begin immediate")
            connection.execute(f"pragma application_id = {MAGIC}")
            connection.execute(_TABLE.replace("TABLE", "TABLE IF NOT EXISTS"))
    raise NotOursError("it is no cache of snapset's")


def _is_plain(path: Path) -> bool:
    """A regular file of the user's, or none at all."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return True
    return stat.S_ISREG(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())


def remove(path: Path) -> None:
    """Remove a cache that cannot be read any more. Raises OSError; NotOursError for what has not our name."""
    if _NAME.fullmatch(path.name) is None or not _is_plain(path):
        raise NotOursError("it is no file of snapset's")
    path.unlink()


def forget_others(directory: Path) -> None:
    """Remove the caches of versions nobody has used for long. Best effort."""
    try:
        for path in directory.iterdir():
            if _NAME.fullmatch(path.name) and _is_plain(path) and _is_old(path) and _is_marked(path):
                path.unlink(missing_ok=True)
    except OSError:
        return


def _is_old(path: Path) -> bool:
    return now() - path.stat().st_mtime > KEPT


def now() -> float:
    """Seconds since the epoch."""
    return time.time()


def _is_marked(path: Path) -> bool:
    with open(path, "rb") as stream:
        header = stream.read(100)
    return header.startswith(b"SQLite format 3\0") and header[68:72] == MAGIC.to_bytes(4, "big")
