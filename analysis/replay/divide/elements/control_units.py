"""The code inside one counted loop, or of a procedure outside of all, in the order of control: nodes, and loops.

A unit is a node, a counted loop with all that is in it, or all that goes in circles otherwise (a WHILE, a GOTO).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from snapset.analysis.replay.divide.elements.node_accesses import ElementAccesses


@dataclass(frozen=True, slots=True)
class ControlUnit:
    """``nodes`` that are no counted loop's, ``loops`` by number. ``leaving``: the nodes that control goes to from
    here. ``circles``: may it run more than once?"""

    nodes: tuple[int, ...]
    loops: tuple[int, ...]
    leaving: tuple[int, ...]
    circles: bool

    def every(self, accesses: ElementAccesses) -> Iterator[int]:
        """All nodes, those of its loops too."""
        yield from self.nodes
        for loop in self.loops:
            one = accesses.counted[loop]
            yield from (one.init, one.test, *one.body)


@dataclass(frozen=True, slots=True)
class ControlUnits:
    """``order``: last ones first. ``of``: the place in it of each node."""

    order: tuple[ControlUnit, ...]
    of: Mapping[int, int]


class ControlOrder:
    """The units of one procedure; those of one place are looked for once."""

    def __init__(self, accesses: ElementAccesses) -> None:
        self.accesses = accesses
        self._found: dict[tuple[int | None, tuple[int, ...], tuple[int, ...]], ControlUnits] = {}

    def units(self, loop: int | None, outer: Sequence[int], starts: Iterable[int]) -> ControlUnits:
        """The units that control comes to from some nodes without leaving an iteration of a loop, which is the last
        one of ``outer``."""
        key = loop, tuple(outer), tuple(starts)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = _Search(self.accesses, loop, key[1]).units(key[2])
        return found


class _Search:
    """Tarjan's algorithm over nodes and loops; a loop is named -1 - its number."""

    def __init__(self, accesses: ElementAccesses, loop: int | None, outer: tuple[int, ...]) -> None:
        self.accesses, self.outer = accesses, outer
        self.flow = accesses.flow
        self.body = None if loop is None else accesses.counted[loop].body
        self.header = -1 if loop is None else accesses.counted[loop].test

    def name(self, node: int) -> int | None:
        """The unit of a node before circles are joined; None: it lies outside."""
        if node == self.header or (self.body is not None and node not in self.body):
            return None
        holder = self.accesses.holder(node)
        nest = () if holder is None else self.accesses.around[holder]
        return node if len(nest) <= len(self.outer) else -1 - nest[len(self.outer)]

    def leaving(self, name: int) -> tuple[int, ...]:
        """The nodes that control goes to from a node or a loop."""
        if name >= 0:
            return self.flow.succs[name]
        one = self.accesses.counted[-1 - name]
        inside = one.body | {one.init, one.test}
        return tuple(dict.fromkeys(after for node in sorted(inside) for after in self.flow.succs[node]
                                   if after not in inside))

    def following(self, name: int) -> list[int]:
        return [one for after in self.leaving(name) if (one := self.name(after)) is not None]

    def units(self, starts: Iterable[int]) -> ControlUnits:
        number: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        waiting: set[int] = set()
        order: list[ControlUnit] = []
        of: dict[int, int] = {}
        for start in starts:
            first = self.name(start)
            if first is None or first in number:
                continue
            work = [(first, iter(self.following(first)))]
            number[first] = low[first] = len(number)
            stack.append(first)
            waiting.add(first)
            while work:
                now, left = work[-1]
                after = next(left, None)
                if after is None:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[now])
                    if low[now] == number[now]:
                        together: list[int] = []
                        while not together or together[-1] != now:
                            together.append(stack.pop())
                            waiting.remove(together[-1])
                        unit = self.unit(together)
                        of.update(dict.fromkeys(unit.every(self.accesses), len(order)))
                        order.append(unit)
                elif after not in number:
                    number[after] = low[after] = len(number)
                    stack.append(after)
                    waiting.add(after)
                    work.append((after, iter(self.following(after))))
                elif after in waiting:
                    low[now] = min(low[now], number[after])
        return ControlUnits(tuple(order), of)

    def unit(self, together: Sequence[int]) -> ControlUnit:
        nodes = tuple(sorted(one for one in together if one >= 0))
        loops = tuple(sorted(-1 - one for one in together if one < 0))
        leaving = tuple(dict.fromkeys(after for one in together for after in self.leaving(one)))
        circles = len(together) > 1 or together[0] in self.following(together[0])
        if circles:
            inside = set(together)
            leaving = tuple(after for after in leaving if self.name(after) not in inside)
        return ControlUnit(nodes, loops, leaving, circles)
