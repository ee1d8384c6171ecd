"""What an analysis solved, node by node: data-flow problems as they were, for people to read.

``with watching("varied") as solved: ...`` gathers each problem of that name that is solved meanwhile. A problem may be
solved again for the same code and border, knowing more: the last time counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from snapset.analysis.dataflow.framework import DataFlowProblem, Direction, FixedPoint, observing
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph, Level
from snapset.frontend.ir import statements as ir

SetsByName = Mapping[str, tuple[str, ...]]
_IN_A_LINE = ("enter", "join", "part", "init", "test", "", "step", "leave")
_WORDS = {"simple": "", "call": "", "stop": "", "loop-test": "test"}


@frozen
class NodeSets:
    """What holds before and behind one node. ``kind``: which evaluation of its line it is, "" for a plain statement."""

    file: str
    line: int
    kind: str
    at_entry: SetsByName
    at_exit: SetsByName


@frozen
class SolvedProblem:
    """One problem as it was solved. ``boundary``: what held where it began. ``part``: the first and last line of the
    marked part that it is about, None for a whole procedure."""

    name: str
    code: str
    part: tuple[int, int] | None
    boundary: SetsByName
    nodes: tuple[NodeSets, ...]


@contextmanager
def watching(name: str) -> Iterator[list[SolvedProblem]]:
    """The problems of that name that are solved meanwhile, in the order in which they were first; filled at the end."""
    seen: dict[object, SolvedProblem] = {}
    found: list[SolvedProblem] = []

    def note(problem: DataFlowProblem[Any], graph: DirectedGraph, solution: FixedPoint[Any]) -> None:
        if problem.name == name:
            one = _solved(problem, graph, solution)
            seen[one.code, one.part, tuple(one.boundary.items())] = one

    with observing(note):
        yield found
    found += seen.values()


def _solved(problem: DataFlowProblem[Any], graph: DirectedGraph, solution: FixedPoint[Any]) -> SolvedProblem:
    flow = problem.scope.flow
    level = _level(flow, graph.entry)
    nodes: list[NodeSets] = []
    for node in sorted(node for node in graph.order if node < len(flow.nodes)):
        at = flow.nodes[node]
        before, behind = problem.shown(solution.at_entry(node)), problem.shown(solution.at_exit(node))
        kind = "enter" if node == level.enter else "leave" if node == level.leave else _kind(flow, node)
        if kind != "join" or before != behind:
            nodes.append(NodeSets(at.span.file, at.span.line, kind, before, behind))
    lines = None if level.marked is None else (level.marked.span.line, level.marked.end.line)
    return SolvedProblem(problem.name, problem.scope.code, lines, problem.shown(problem.boundary), tuple(nodes))


def _level(flow: FlowGraph, border: int) -> Level:
    """The level that begins, or ends, at a node."""
    return next((one for one in flow.levels if border in (one.enter, one.leave)), flow.levels[0])


def _kind(flow: FlowGraph, node: int) -> str:
    """What a node does of its statement: that of an IF, or the second one of a line, has to be told apart."""
    at = flow.nodes[node]
    if any(node == level.enter for level in flow.levels):
        return "part"
    if at.kind == "test" and isinstance(at.stmt, ir.If | ir.Select | ir.While):
        return "test"
    return _WORDS.get(at.kind, "" if at.kind == "test" else at.kind)


def remark(sets: SetsByName) -> str:
    """``{a, b}``, or ``use {a} out {b}`` where there are several sets; empty ones of these are left out."""
    if set(sets) == {""}:
        return _braces(sets[""])
    return " ".join(f"{name} {_braces(one)}" for name, one in sets.items() if one) or "{}"


def remarks(solved: SolvedProblem) -> dict[tuple[str, int], str]:
    """By file and line what holds before and behind what stands there: ``{a} -> {a, b}``; of a loop
    ``init ... ; test ... ; step ...``. What holds at the end of a procedure is that of line 0."""
    found: dict[tuple[str, int], str] = {}
    for node in sorted(solved.nodes, key=lambda one: _IN_A_LINE.index(one.kind)):
        at = (node.file, 0) if node.kind == "leave" and solved.part is None else (node.file, node.line)
        text = f"{node.kind} {remark(node.at_entry)} -> {remark(node.at_exit)}".lstrip()
        found[at] = f"{found[at]}; {text}" if at in found else text
    return found


def at_the_end(problem: type[DataFlowProblem[Any]]) -> bool:
    """Does the problem begin where the code ends?"""
    return problem.direction is Direction.BACKWARD


def _braces(names: tuple[str, ...]) -> str:
    return "{" + ", ".join(names) + "}"
