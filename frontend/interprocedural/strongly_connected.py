"""Strongly connected components of a directed graph: Tarjan (1972), without recursion.

networkx has them too, but takes a quarter of a second to be imported, which is as long as a whole small run.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def components(succs: Mapping[N, Sequence[N]]) -> list[tuple[N, ...]]:
    """The strongly connected components, each after those it leads to. ``succs`` has every node as a key."""
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    open_: dict[N, None] = {}  # Tarjan's stack, in order
    found: list[tuple[N, ...]] = []
    for root in succs:
        if root in index:
            continue
        path: list[tuple[N, Iterator[N]]] = [(root, iter(succs[root]))]
        index[root] = low[root] = len(index)
        open_[root] = None
        while path:
            node, rest = path[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_[target] = None
                    path.append((target, iter(succs[target])))
                    break
                if target in open_:
                    low[node] = min(low[node], index[target])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    found.append(_popped(open_, node))
    return found


def _popped(open_: dict[N, None], last: N) -> tuple[N, ...]:
    members: list[N] = []
    while not members or members[-1] != last:
        members.append(open_.popitem()[0])
    return tuple(members)
