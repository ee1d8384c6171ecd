"""Where a declared list belongs: the parts that begin with the statement behind it, or the statement itself.

A list right before CHECKPOINT-START is the marked part's, one before a call the call's. What stands before another
statement (``CADJ STORE`` does so before loops and IF) says what is saved at that place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.recording.strategies import Place
from snapset.frontend.base.declared_saves import SaveList
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen


@frozen
class Beginning:
    """A part's id, and its first statement. ``call``: the part is a call, and no marked one."""

    id: str
    span: Span
    call: bool


@frozen
class PlacedList:
    """All that is declared before one statement, for the same thing. ``parts``: those it is for; ``points``: where no
    part is: by code and level, the statement's first node. Neither: the head's adjoint does not come here, or, with
    ``inside``, nothing begins there (END DO)."""

    lists: tuple[SaveList, ...]
    parts: tuple[Place, ...]
    points: tuple[Place, ...]
    inside: bool


def placed(adjoints: Adjoints, order: Sequence[str], parts: Mapping[Place, Beginning],
           declared: Iterable[SaveList]) -> tuple[PlacedList, ...]:
    """The lists of a program; those before one statement are one. ``order``: the adjoint codes; ``parts``: all, outer
    before inner."""
    groups: dict[tuple[object, int], list[SaveList]] = {}
    for one in declared:
        groups.setdefault((one.before or one.span, one.starts), []).append(one)
    starting: dict[tuple[str, str, int], list[Place]] = {}
    for place, begins in parts.items():
        starting.setdefault((place[0], begins.span.file, begins.span.line), []).append(place)
    found = []
    for (_, starts), lists in groups.items():
        at = lists[0].before
        line = ("", 0) if at is None else (at.file, at.line)
        meant = tuple(part for code in order for part in _meant(starting.get((code, *line), ()), parts, starts))
        points = () if meant or at is None else tuple(
            point for code in order if (point := _point(adjoints, code, *line)) is not None)
        inside = any(_comes_by(adjoints, code, lists[0].span) for code in order)
        found.append(PlacedList(tuple(lists), meant, points, inside))
    return tuple(found)


def _comes_by(adjoints: Adjoints, code: str, span: Span) -> bool:
    """Does a code run what stands above a line, and what stands below?"""
    lines = [node.span.line for node in adjoints.by_key[code].model.flow.nodes
             if node.stmt is not None and node.span.file == span.file]
    return bool(lines) and min(lines) < span.line <= max(lines)


def _meant(here: Sequence[Place], parts: Mapping[Place, Beginning], starts: int) -> list[Place]:
    """Of the parts that begin with a statement those that a list is for, ``starts`` marked parts beginning between."""
    calls = [place for place in here if parts[place].call]
    marked = [place for place in here if not parts[place].call]
    if starts:
        return marked[-starts:][:1]
    return calls or marked[-1:]


def _point(adjoints: Adjoints, code: str, file: str, line: int) -> Place | None:
    """Where a statement begins, if the code has it."""
    adjoint = adjoints.by_key[code]
    if adjoint.model.procedure.span.file != file:
        return None
    nodes = (node for node in adjoint.model.flow.nodes
             if node.stmt is not None and node.span.file == file and node.span.line == line)
    first = next(nodes, None)
    if first is None:
        return None
    level = next((level.graph.index for level in adjoint.levels if first.index in level.graph.forward.order), None)
    return None if level is None else (code, level, first.index)
