"""Execution counts of a run, from gcov's JSON (``gcov --json-format``), plain or gzipped."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import InputError, Span

LARGEST = 256 * 2**20
"""Bytes of JSON, unpacked."""


def read_counts(paths: Iterable[str], sources: Iterable[str]) -> Mapping[tuple[str, int], int] | None:
    """How often each (source file, line) ran, the counts of all files added; None without files.

    ``sources``: the program's files, as it names them; gcov's names are matched to them.
    Raises InputError for what is not gcov's JSON, or counts none of the sources; OSError for what cannot be read.
    """
    collections("read_counts", paths=paths, sources=sources)
    paths, sources = list(paths), list(sources)
    if not paths:
        return None
    counts: dict[tuple[str, int], int] = {}
    for path in paths:
        document = _document(path)
        directory = str(document.get("current_working_directory", ""))
        for file in document["files"]:
            source = _matched(str(file["file"]), directory, sources)
            for line in file["lines"] if source is not None else ():
                place = source or "", int(line["line_number"])
                counts[place] = counts.get(place, 0) + int(line["count"])
    if not counts:
        raise InputError(f"--counts {paths[0]}: it counts no line of {', '.join(sources[:3])}")
    return counts


def _document(path: str) -> dict[str, Any]:
    import gzip
    import json

    data = Path(path).read_bytes()
    try:
        if data[:2] == b"\x1f\x8b":
            with gzip.open(path) as stream:
                data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise InputError(f"more than {LARGEST // 2**20} MB", Span(path, 1, 1))
        found = json.loads(data)
        for file in found["files"]:
            for line in file["lines"]:
                int(line["line_number"]), int(line["count"])
            str(file["file"])
    except (ValueError, KeyError, TypeError, EOFError, OSError, RecursionError, zlib.error) as error:
        raise InputError("not gcov's JSON; write it with gcov --json-format after a run of gfortran --coverage",
                         Span(path, 1, 1)) from error
    if not isinstance(found, dict):
        raise InputError("not gcov's JSON: no object", Span(path, 1, 1))
    return found


def _matched(name: str, directory: str, sources: list[str]) -> str | None:
    """The source that gcov means: the same file, else the only one of that name."""
    real = os.path.realpath(os.path.join(directory, name))
    same = [one for one in sources if os.path.realpath(one) == real]
    named = [one for one in sources if os.path.basename(one) == os.path.basename(name)]
    return same[0] if same else named[0] if len(named) == 1 else None
