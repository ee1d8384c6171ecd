"""The statements that differ from those the lock was committed with, as far as git knows them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from snapset.check.changed_lines import Change, changed_files
from snapset.check.lock_comparison import Finding
from snapset.check.revisions import last_change


def changes_since(lock: Path, files: Sequence[str], findings: Sequence[Finding]) -> tuple[Change, ...]:
    """Of the files that are given, and of what findings name; none where there is no finding, or git knows nothing."""
    base = last_change(lock) if findings else None
    return changed_files(files_of(files, findings), base.file, text_of) if base is not None else ()


def files_of(files: Sequence[str], findings: Sequence[Finding]) -> tuple[str, ...]:
    """The files that are given, and those included that findings name."""
    named = {step.file for one in findings for step in one.evidence} | {one.span.file for one in findings}
    return tuple(dict.fromkeys((*files, *sorted(one for one in named if os.path.isfile(one)))))


def text_of(file: str) -> str | None:
    """A file's text; None where it cannot be read."""
    try:
        return Path(file).read_text(errors="surrogateescape") if os.path.isfile(file) else None
    except (OSError, ValueError):
        return None
