"""The cheapest choice at the parts of a tool's own flow graph: of lazy and eager the better one, made better.

A location of an Opt set is moved to its other side, part by part, as long as that gives a lower peak, or the same peak
and less traffic. A choice at one part changes what the parts behind it are required to keep, so the whole graph is
recorded anew for each trial: this is for graphs of some hundred nodes. The result is never dearer than lazy or eager,
and no single location moved makes it cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from snapset.analysis.equations import NamedSolution
from snapset.analysis.flowgraph.graph_figures import GraphFigures
from snapset.analysis.flowgraph.own_graph import NONE, Names

Sides: TypeAlias = tuple[Names, Names, Names]
Chosen: TypeAlias = Mapping[str, Sides]
Recorded: TypeAlias = tuple[GraphFigures, Mapping[str, NamedSolution]]


def cheapest_sides(record: Callable[[Chosen], Recorded], starts: list[Chosen]) -> Chosen:
    """``record``: the figures and the solutions of a choice, whose sides may name more than the Opt sets hold. Raises
    ValueError where bytes are not known."""
    best = min(starts, key=lambda one: _cost(record(one)))
    cost = _cost(record(best))
    better = True
    while better:
        better = False
        for name, found in record(best)[1].items():
            for location in sorted(found.opt1 | found.opt2 | found.opt3):
                trial = {**best, name: _turned(best.get(name, (NONE, NONE, NONE)), location)}
                now = _cost(record(trial))
                if now < cost:
                    best, cost, better = trial, now, True
    return best


def _turned(sides: Sides, location: str) -> Sides:
    """One location on its other side; it is in one Opt set at most but for Opt1 and Opt2, which exclude each other."""
    one, two, three = (names ^ {location} for names in sides)
    return one, two, three


def _cost(found: Recorded) -> tuple[int, int]:
    peak, traffic = found[0].peak, found[0].traffic
    if peak is None or traffic is None:
        raise ValueError("optimal needs the size of every location that may be pushed: give size")
    return peak, traffic
