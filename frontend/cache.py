"""The cache on disk: values by the hash of all they depend on, in one SQLite file a version of snapset.

Nothing in it is ever trusted further than it must be. A value carries a checksum, and is read by an unpickler that
makes nothing but snapset's own data; a directory others could write to is not used. Whatever goes wrong (a corrupted
file, a directory that cannot be written, a full disk, another run that holds the lock) costs time, never the answer:
it is said once (:attr:`Cache.trouble`), and the run goes on without. What a run stores is written at its end, in
one transaction: an interrupted run leaves what was there.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snapset.frontend.diagnostics import Span
from snapset.frontend.packing import DamagedError, pack, unpack

LARGEST = 512 * 2**20
"""Bytes in a cache file; when it has more, what was not used for longest goes."""
KEPT = 30 * 86400
"""Seconds after which the file of another version of snapset is removed."""
PATIENCE = 5.0
"""Seconds to wait for another run that is writing."""


@dataclass(slots=True)
class Cache:
    """Values by key. ``path`` None: there is no cache, nothing is found and nothing kept.

    ``trouble`` is why it is not (fully) used, in one line, for the user.
    """

    path: Path | None
    trouble: str | None = None
    _new: dict[bytes, bytes] = field(default_factory=dict)
    _used: set[bytes] = field(default_factory=set)
    _connection: sqlite3.Connection | None = None
    _empty: bool = False

    # ------------------------------------------------------------ reading

    def get(self, key: bytes, home: Span | None = None) -> Any | None:
        """The value stored under ``key``, with places from ``home`` on; None where there is none that can be used."""
        packed = self._read(key)
        if packed is None:
            return None
        try:
            value = unpack(packed, home)
        except DamagedError as why:
            self._note(f"{self.path} is damaged ({why}); what it held is computed again")
            return None
        self._used.add(key)
        return value

    def _read(self, key: bytes) -> bytes | None:
        if key in self._new:
            return self._new[key]
        connection = self._open()
        if connection is None or self._empty:
            return None
        try:
            row = connection.execute("select value from entry where key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return row[0] if row is not None and isinstance(row[0], bytes) else None

    # ------------------------------------------------------------ writing

    def put(self, key: bytes, value: Any, home: Span | None = None) -> None:
        """Keep a value, places as seen from ``home``; it is written by :meth:`close`."""
        if self.path is None:
            return
        try:
            self._new[key] = pack(value, home)
        except RecursionError:  # nested deeper than pickle goes; it is computed again next time
            return

    def close(self) -> None:
        """Write what is new."""
        try:
            if self._new and self._open(writing=True) is not None:
                self._write()
        finally:
            if self._connection is not None:
                self._connection.close()
            self._connection, self._new, self._used = None, {}, set()

    def _write(self) -> None:
        assert self._connection is not None
        now = int(_now())
        try:
            with self._connection as transaction:
                transaction.execute("begin immediate")
                transaction.executemany("insert or replace into entry values (?, ?, ?)",
                                        [(key, value, now) for key, value in self._new.items()])
                transaction.executemany("update entry set used = ? where key = ?", [(now, key) for key in self._used])
                _shrink(transaction)
        except sqlite3.Error as error:
            self._give_up(error)

    # ------------------------------------------------------------ the file

    def _open(self, writing: bool = False) -> sqlite3.Connection | None:
        if self.path is None:
            return None
        if self._connection is None:
            try:
                self._connection = _connect(self.path)
                self._empty = self._connection.execute("select 1 from entry limit 1").fetchone() is None
            except (sqlite3.Error, OSError) as error:
                if writing or self.path.exists():
                    self._give_up(error)
        return self._connection

    def _give_up(self, error: Exception) -> None:
        """The cache is not used any further in this run; a file that is no database is removed."""
        path, self.path = self.path, None
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        broken = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
        if broken and path is not None:
            try:
                path.unlink()
                self._note(f"{path} was damaged and is removed; everything is computed again")
            except OSError as why:
                self._note(f"{path} is damaged and cannot be removed ({why.strerror}); remove it, or use --no-cache")
            return
        self._note(f"{path} cannot be used ({error}); the answer is the same, it only takes longer")

    def _note(self, trouble: str) -> None:
        self.trouble = self.trouble or trouble


def no_cache() -> Cache:
    """A cache that holds nothing."""
    return Cache(None)


def open_cache(directory: Path) -> Cache:
    """The cache in a directory, which is made if it is not there; ``trouble`` says why it cannot be used."""
    try:
        _make(directory)
        found = directory.stat()
    except OSError as error:
        return Cache(None, f"no cache in {directory}: {error.strerror}; the answer is the same, it only takes longer")
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o022):
        return Cache(None, f"no cache in {directory}: others can write there; give a directory of your own, mode 700")
    path = directory / f"{version()}.sqlite"
    if not path.exists():
        _forget_others(directory)
    return Cache(path)


def default_directory() -> Path:
    """``$SNAPSET_CACHE_DIR``, else ``snapset`` below ``$XDG_CACHE_HOME``, else ``~/.cache/snapset``."""
    given = os.environ.get("SNAPSET_CACHE_DIR")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and os.path.isabs(base) else Path.home() / ".cache") / "snapset"


def version() -> str:
    """Of snapset's own code, of Python and of the parser: an edit to any of them makes another cache."""
    import importlib.util

    found = hashlib.blake2b(digest_size=12)
    found.update(repr((sys.version, sys.implementation.cache_tag)).encode())
    root = Path(__file__).resolve().parent
    package = importlib.util.find_spec("snapset")
    folders = [str(root)] if package is None else list(package.submodule_search_locations or ())
    for folder in sorted(folders):
        for directory, inner, files in os.walk(folder, followlinks=True):
            inner.sort()
            for name in sorted(files):
                if name.endswith(".py"):
                    _add_file(found, os.path.join(directory, name))
    for name in ("fparser", "pcpp", "networkx", "highspy", "sympy"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            _add_file(found, spec.origin)
    return found.hexdigest()


def _add_file(found: hashlib.blake2b, path: str) -> None:
    at = os.stat(path)
    found.update(f"{path} {at.st_size} {at.st_mtime_ns}\n".encode())


def _make(directory: Path) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)


def _now() -> float:
    return time.time()


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK)


def _connect(path: Path) -> sqlite3.Connection:
    if not _writable(path.parent) or (path.exists() and not _writable(path)):
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("pragma synchronous = normal")
        connection.execute("create table if not exists entry (key blob primary key, value blob, used integer)")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _shrink(transaction: sqlite3.Connection) -> None:
    """Forget what was not used for longest, until there is room for as much again as half of the limit."""
    (size,) = transaction.execute("select total(length(value)) from entry").fetchone()
    if size <= LARGEST:
        return
    for key, length in transaction.execute("select key, length(value) from entry order by used").fetchall():
        transaction.execute("delete from entry where key = ?", (key,))
        size -= length
        if size <= LARGEST // 2:
            return


def _forget_others(directory: Path) -> None:
    """Remove the files of versions nobody has used for long. Best effort."""
    try:
        for path in directory.glob("*.sqlite"):
            if _now() - path.stat().st_mtime > KEPT:
                path.unlink(missing_ok=True)
    except OSError:
        return
