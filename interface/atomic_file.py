"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from snapset.frontend.base.diagnostics import InputError, Span


def save(path: Path, text: str, what: str, encoding: str = "utf-8") -> None:
    """Write the whole file or nothing: into a neighbour, then renamed. ``what``: what is written, for the error.

    Raises InputError where there is something else than a file, OSError where it cannot be written.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"not a file, so no {what} can be written there", Span(str(path), 1, 1))
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        # Names of files that are not UTF-8 are in pictures as they are shown elsewhere: written out.
        with os.fdopen(handle, "w", encoding=encoding, errors="backslashreplace", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
