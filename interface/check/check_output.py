"""What a check or a comparison of revisions found, in every format."""

from __future__ import annotations

from pathlib import Path

from snapset.check import check_text
from snapset.check.causes import Cause
from snapset.check.check_text import Lines
from snapset.check.lock_comparison import Finding
from snapset.check.lock_file import Lock
from snapset.frontend.base.frozen_records import frozen


def cases_of(lock: Lock) -> tuple[tuple[str, str], ...]:
    """All heads with their parts."""
    return tuple((head, part) for head in sorted(lock) for part in (*sorted(lock[head].parts), ""))


@frozen
class Checked:
    """``command``: check or diff. ``old``: the lock, or the revision compared with. ``accept``: how to go on.
    ``written``: the lock was written, nothing compared with it. ``files``: whose lines may be quoted.
    ``cases``: every head and part that was looked at."""

    command: str
    old: str
    heads: int
    parts: int
    written: bool
    findings: tuple[Finding, ...]
    causes: tuple[Cause, ...]
    accept: str
    files: tuple[str, ...]
    cases: tuple[tuple[str, str], ...] = ()

    def source(self) -> Lines:
        """The lines that the causes stand on."""
        wanted = {(one.span.file, one.span.line) for one in self.causes}
        wanted |= {(step.file, step.line) for one in self.findings for step in one.evidence}
        found: dict[tuple[str, int], str] = {}
        for file in sorted({file for file, _ in wanted} & set(self.files)):
            try:
                lines = Path(file).read_text(errors="replace").splitlines()
            except OSError:
                continue
            found |= {(file, line): lines[line - 1].expandtabs().rstrip() for name, line in wanted
                      if name == file and line <= len(lines)}
        return found


def written(checked: Checked, form: str) -> str:
    """The whole output."""
    if form == "json":
        from snapset.check import check_json
        from snapset.documents.json_text import dumps

        return dumps([check_json.document(checked)])
    if form != "text":
        from snapset.check.check_annotations import outcome
        from snapset.render.formats import write

        return write(outcome(checked), form)
    if not checked.written:
        return check_text.write(checked.causes, checked.source(), checked.accept)
    rest = check_text.write(checked.causes, checked.source(), "")  # what no update accepts
    return f"{checked.old}: {_count(checked.heads, 'head')}, {_count(checked.parts, 'part')} written\n{rest}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
