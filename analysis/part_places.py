"""Where the parts of a code stand, and what they are called: ``burgers@13``, ``burgers@13#2`` for a second one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.ir.statement_walk import beginning, last_line


def places(adjoint: ProcedureAdjoint) -> list[tuple[int, int]]:
    """The (level, node) of a procedure's parts, by line, outer before inner."""
    found = [(level, node) for level in range(len(adjoint.levels)) for node in adjoint.levels[level].parts]

    def lines(place: tuple[int, int]) -> tuple[int, int]:
        span, last = extent(adjoint, place[1], adjoint.levels[place[0]].graph.parts.get(place[1]))
        return span.line, -last

    return sorted(found, key=lines)


def extent(adjoint: ProcedureAdjoint, node: int, inner: int | None) -> tuple[Span, int]:
    """A part's first statement's span and its last statement's line. ``inner``: its level, None for a call."""
    flow = adjoint.model.flow
    if inner is None:
        return flow.nodes[node].span, flow.nodes[node].span.end_line
    marked = flow.levels[inner].marked
    assert marked is not None
    if not marked.body:
        return marked.span, marked.span.line
    return beginning(marked.body[0]), last_line(marked.body[-1])


def line_of(adjoint: ProcedureAdjoint, node: int) -> int:
    """Where a node stands; a marked part where it begins."""
    inner = next((level.graph.parts[node] for level in adjoint.levels if node in level.graph.parts), None)
    return adjoint.model.place(node).line if inner is None else extent(adjoint, node, inner)[0].line


def named(adjoint: ProcedureAdjoint, line: int) -> str:
    """A part's id, but for parts on the same line."""
    code = adjoint.code
    which = (":split" if code.split else "") + (f":context{code.context}" if code.context else "")
    return f"{adjoint.model.procedure.name}@{line}{which}"


def unique(ids: Iterable[str], before: Mapping[str, int] = MappingProxyType({})) -> list[str]:
    """Parts that start on the same line of the same procedure get ``#2``, ``#3`` ... behind their id. ``before``: how
    many there are already."""
    seen: dict[str, int] = dict(before)
    found = []
    for one in ids:
        count = seen[one] = seen.get(one, 0) + 1
        found.append(one if count == 1 else f"{one}#{count}")
    return found


def part_ids(adjoints: Adjoints, order: Iterable[str]) -> Mapping[tuple[str, int], str]:
    """The id of every part by procedure and node; ``order``: the procedures, callers first."""
    at: list[tuple[str, int]] = []
    ids: list[str] = []
    for key in order:
        adjoint = adjoints.by_key[key]
        for level, node in places(adjoint):
            span, _ = extent(adjoint, node, adjoint.levels[level].graph.parts.get(node))
            at.append((key, node))
            ids.append(named(adjoint, span.line))
    return dict(zip(at, unique(ids), strict=True))
