"""``snapset report --changed-since REV``: the parts in which, or below which, a statement is another than in REV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.check.changed_lines import Change, changed_files
from snapset.check.changes_since_lock import text_of
from snapset.check.revisions import revision
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.interprocedural.call_graph import reachable
from snapset.frontend.ir.statement_walk import statements

if TYPE_CHECKING:
    from snapset.analysis.results import HeadResult, Part
    from snapset.frontend.ir import Program


def changes(files: Sequence[str], rev: str) -> tuple[Change, ...]:
    """What is another in the files as they lie here. Raises InputError where there is no such revision; a file that
    the revision does not have is new in all its lines."""
    before = revision(rev, Path.cwd())
    new = [file for file in files if before.file(file) is None]
    whole = [Change(file, 1, max(len((text_of(file) or "").splitlines()), 1)) for file in new]
    return (*changed_files(files, before.file, text_of), *whole)


def changed_parts(results: Iterable[HeadResult], program: Program, found: Sequence[Change]) -> tuple[str, ...]:
    """The ids of the parts that a change is in, or in a procedure that they run."""
    below: dict[str, bool] = {}
    return tuple(dict.fromkeys(part.id for result in results for part in result.parts
                               if any(_meets(one, part) for one in found) or _below(part, program, found, below)))


def nothing(results: Iterable[HeadResult], rev: str) -> str:
    """What to print where no part has changed."""
    return "".join(f"Adjoint of {one.head}: no checkpointed part has changed since {rev}\n" for one in results)


def refuse_others(form: str, sets: bool, parts: Sequence[str], brief: object) -> None:
    """Raises InputError for options that say otherwise which parts to show."""
    given = {"--part": parts, "--sets": sets, "--brief": brief, f"--format {form}": form != "text"}
    other = next((name for name, there in given.items() if there), None)
    if other is not None:
        raise InputError(f"--changed-since says which parts to show in text, and {other} says otherwise: leave one out")


def _meets(one: Change, part: Part) -> bool:
    return one.file == part.file and one.first <= part.last_line and one.last >= part.first_line


def _below(part: Part, program: Program, found: Sequence[Change], known: dict[str, bool]) -> bool:
    """Does a change stand in a procedure that runs within the part?"""
    for key in dict.fromkeys(_called(part, program)):
        if key not in known:
            known[key] = any(_holds(program, below, found) for below in reachable(program, key))
        if known[key]:
            return True
    return False


def _called(part: Part, program: Program) -> Iterator[str]:
    for procedure in program.procedures.values():
        if procedure.name != part.procedure or procedure.span.file != part.file:
            continue
        for stmt in statements(procedure.body):
            if part.first_line <= stmt.span.line <= part.last_line:
                yield from getattr(stmt, "targets", ())


def _holds(program: Program, key: str, found: Sequence[Change]) -> bool:
    """Is a change in a procedure's statements, or in its head?"""
    procedure = program.procedures[key]
    lines = [stmt.span.end_line for stmt in statements(procedure.body)]
    last = max(lines, default=procedure.span.end_line)
    return any(one.file == procedure.span.file and one.first <= last and one.last >= procedure.span.line
               for one in found)
