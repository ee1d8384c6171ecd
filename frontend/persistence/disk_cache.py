"""The cache on disk: values by the hash of all they depend on, in one SQLite file a version of snapset.

Nothing in it is ever trusted further than it must be. A value is sealed with the user's secret, to the key it stands
under (:mod:`snapset.frontend.persistence.entry_seal`), and read by an unpickler that makes nothing but snapset's own
data; a directory others could write to is not used, nor a file that is not ours
(:mod:`snapset.frontend.persistence.cache_file`).
Whatever goes wrong (a corrupted file, a directory that cannot be written, a full disk, another run that holds the
lock) costs time, never the answer: it is said once (:attr:`Cache.trouble`), and the run goes on without. What a run
stores is written at its end, in one transaction: an interrupted run leaves what was there.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from snapset.frontend.base.diagnostics import Span
from snapset.frontend.persistence import cache_file
from snapset.frontend.persistence.entry_seal import ForeignError, NoSecretError, Seal, users_seal
from snapset.frontend.persistence.serialization import DamagedError, pack, unpack

LARGEST = 512 * 2**20
"""Bytes in a cache file; when it has more, what was not used for longest goes."""
_SLOWER = "the answer is the same, it only takes longer"


@dataclass(slots=True)
class Cache:
    """Values by key. ``path`` None: there is no cache, nothing is found and nothing kept.

    ``trouble`` is why it is not (fully) used, in one line, for the user.
    """

    path: Path | None
    trouble: str | None = None
    _seal: Seal = field(default=Seal(b""), repr=False)
    _new: dict[bytes, bytes] = field(default_factory=dict)
    _used: set[bytes] = field(default_factory=set)
    _connection: sqlite3.Connection | None = None
    _empty: bool = False

    # ------------------------------------------------------------ reading

    def get(self, key: bytes, home: Span | None = None) -> Any | None:
        """The value stored under ``key``, with places from ``home`` on; None where there is none that can be used."""
        sealed = self._read(key)
        if sealed is None:
            return None
        try:
            value = unpack(self._seal.open(key, sealed), home)
        except (DamagedError, ForeignError) as why:
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
            self._new[key] = self._seal.close(key, pack(value, home))
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
        now = int(cache_file.now())
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
                self._connection = cache_file.connect(self.path, _writable(self.path))
                self._empty = self._connection.execute("select 1 from entry limit 1").fetchone() is None
            except (sqlite3.Error, OSError, cache_file.NotOursError) as error:
                if writing or os.path.lexists(self.path):
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
                cache_file.remove(path)
                self._note(f"{path} was damaged and is removed; everything is computed again")
            except (OSError, cache_file.NotOursError) as why:
                self._note(f"{path} is damaged and cannot be removed ({why}); remove it, or use --no-cache")
            return
        self._note(f"{path} cannot be used ({error}); {_SLOWER}")

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
        return Cache(None, f"no cache in {directory}: {error.strerror}; {_SLOWER}")
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o022):
        return Cache(None, f"no cache in {directory}: others can write there; give a directory of your own, mode 700")
    try:
        seal = users_seal()
    except NoSecretError as why:
        return Cache(None, f"no cache in {directory}: {why}; {_SLOWER}")
    path = directory / cache_file.file_name(version())
    if not os.path.lexists(path):
        cache_file.forget_others(directory)
    return Cache(path, _seal=seal)


def default_directory() -> Path | None:
    """``$SNAPSET_CACHE_DIR``, else ``snapset`` below ``$XDG_CACHE_HOME``, else ``~/.cache/snapset``.

    None for a user who has no home.
    """
    given = os.environ.get("SNAPSET_CACHE_DIR")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base and os.path.isabs(base) else Path.home() / ".cache") / "snapset"
    except RuntimeError:
        return None


@cache
def version() -> str:
    """What :func:`code_version` finds, asked once: a process runs the code that it has loaded, and a program that makes
    a thousand reports need not look at five hundred files for each."""
    return code_version()


def code_version() -> str:
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


def _writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


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
