"""What makes an entry of the cache the user's own: a keyed hash over its key and its bytes.

The hash's key is the user's secret. It is kept away from the cache, in ``~/.config/snapset/cache.key``, so that who
brings a cache along (a restored one of a CI service, one in a repository) cannot have written entries that count. What
is sealed under one key of the cache does not open under another one.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from pathlib import Path

from snapset.frontend.base.frozen_records import frozen

VARIABLE = "SNAPSET_CACHE_KEY"
"""The environment variable that gives the secret where no file can, or should, keep it."""
SHORTEST = 32
"""Characters or bytes of a secret."""

_SIZE = 16
_FORMAT = b"snapset1"
_REMEDY = f"set {VARIABLE} to a secret of {SHORTEST} characters or more"


class ForeignError(Exception):
    """These bytes were not sealed with this secret under this key: damaged, moved here, or another's."""


class NoSecretError(Exception):
    """There is no secret, and why, in one line."""


@frozen
class Seal:
    """Seals and opens with the user's secret."""

    secret: bytes

    def close(self, key: bytes, data: bytes) -> bytes:
        """``data`` sealed, to be kept under ``key``."""
        return self._hash(key, data) + data

    def open(self, key: bytes, sealed: bytes) -> bytes:
        """What was sealed under ``key``. Raises ForeignError."""
        data = sealed[_SIZE:]
        if not hmac.compare_digest(self._hash(key, data), sealed[:_SIZE]):
            raise ForeignError("a checksum is wrong")
        return data

    def _hash(self, key: bytes, data: bytes) -> bytes:
        found = hashlib.blake2b(b"%d:" % len(key), digest_size=_SIZE, key=self.secret, person=_FORMAT)
        found.update(key)
        found.update(data)
        return found.digest()


def users_seal() -> Seal:
    """With the secret of :data:`VARIABLE`, else of the user's own file, which is made if it is not there.

    Raises NoSecretError where there can be none.
    """
    given = os.environ.get(VARIABLE)
    if given is not None:
        if len(given) < SHORTEST:
            raise NoSecretError(f"{VARIABLE} has fewer than {SHORTEST} characters")
        return Seal(hashlib.blake2b(os.fsencode(given), digest_size=32).digest())
    try:
        path = secret_file()
        try:
            return Seal(_read(path))
        except FileNotFoundError:
            _make(path)
            return Seal(_read(path))
    except (OSError, RuntimeError) as error:
        raise NoSecretError(f"no secret of yours: {_reason(error)}; {_REMEDY}") from None


def secret_file() -> Path:
    """Below ``$XDG_CONFIG_HOME``, else ``~/.config``. Raises RuntimeError where the user has no home."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base and os.path.isabs(base) else Path.home() / ".config") / "snapset" / "cache.key"


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    return str(error)


def _read(path: Path) -> bytes:
    """The secret of a file that is the user's alone. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "no regular file", str(path))
        if hasattr(os, "getuid") and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
            raise OSError(0, "others may have read it; remove it, and it is made anew", str(path))
        secret = os.read(handle, 2 * SHORTEST)
    finally:
        os.close(handle)
    if len(secret) != SHORTEST:
        raise OSError(0, "damaged; remove it, and it is made anew", str(path))
    return secret


def _make(path: Path) -> None:
    """A new secret, there whole or not at all; that of a run which was quicker stays. Raises OSError."""
    import secrets  # takes 3 ms, once in a user's life

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(SHORTEST))
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        except OSError:  # a file system without links
            os.replace(draft, path)
            return
    finally:
        draft.unlink(missing_ok=True)
