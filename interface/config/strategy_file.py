"""A strategy in a file: a clause a line, so that the choice for many parts is committed, read and compared."""

from __future__ import annotations

from pathlib import Path

from snapset.analysis.recording.strategy_texts import strategy_of_lines
from snapset.frontend.base.diagnostics import InputError, Span

LARGEST = 2**20
"""Bytes."""


def read_strategy(path: str) -> str:
    """The text of the strategy in a file, named after it.

    Raises InputError, with the line, for what is no strategy; OSError for what cannot be read.
    """
    if not Path(path).is_file() and Path(path).exists():
        raise InputError(f"{path} is no regular file")
    with open(path, "rb") as stream:
        data = stream.read(LARGEST + 1)
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("not a text; a line says 'eager', 'Opt3+=v' or 'relax@17: Opt3+=v'",
                         Span(path, data[:error.start].count(b"\n") + 1, 1)) from error
    if len(data) > LARGEST:
        raise InputError(f"more than {LARGEST // 2**20} MB", Span(path, 1, 1))
    return strategy_of_lines(lines, Path(path).stem, path)
