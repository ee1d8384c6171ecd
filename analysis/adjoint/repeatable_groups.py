"""Values that several statements make together, and that can be computed again as one.

    im = i - 1                       d(1) = x(1, i) - x(1, j)
    if (im < 1) im = n               d(2) = x(2, i) - x(2, j)

Behind the IF, im is what both statements make of i and n; behind the second assignment, d is what both make of x. A
*group* is such a run of statements: it gives one location its value on every way through it, and reads nothing of what
that location held before. It runs again as one: its assignments to that location, and the tests that choose among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, members, singleton, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

LONGEST = 24  # nodes in a row that are looked through


@frozen
class Guarded:
    """A test, and what runs again on each way behind it, by the node that it leads to."""

    test: int
    ways: tuple[tuple[int, tuple[int | Guarded, ...]], ...]


Steps = tuple[int | Guarded, ...]


@frozen
class Group:
    """``steps``: what runs; ``value``: the location; ``operands``: what it reads but for that; ``ends``: behind these
    nodes the value is made; ``inner``: where it may be half made, a test among them of which one way leads to the join
    at once: behind that the value is made on this way, and on the other not yet."""

    steps: Steps
    value: Exact
    operands: May
    ends: tuple[int, ...]
    inner: frozenset[int]

    @property
    def nodes(self) -> frozenset[int]:
        """All assignments and tests."""
        return frozenset(flat(self.steps))


def flat(steps: Steps) -> Iterator[int]:
    """The nodes of a group's assignments and tests, in the order of the text."""
    for step in steps:
        if isinstance(step, Guarded):
            yield step.test
            for _, inside in step.ways:
                yield from flat(inside)
        else:
            yield step


@frozen
class Ending:
    """A point where the values of some assignments are available for the last time.

    ``lost``: these, and those that are made of their values, and are still available here. ``makers``: others that are
    available here and make what those are made of.
    """

    lost: tuple[int, ...]
    makers: tuple[int, ...] = ()


@frozen
class LastAvailable:
    """Where the values of one level's assignments are available for the last time, by node.

    ``at``: before the node, which writes the value or an operand; ``behind``: behind it, where other ways join.
    ``parts``: by part, whatever is available before it.
    """

    at: Mapping[int, Ending]
    behind: Mapping[int, Ending]
    parts: Mapping[int, tuple[int, ...]]


@frozen
class Computable:
    """The assignments that one adjoint code can run again: by node, the location that it gives a value, and what it
    reads; by level, where its values are available for the last time. ``groups``: several statements as one, by a
    number that no node has."""

    value: Mapping[int, Exact]
    operands: Mapping[int, May]
    levels: tuple[LastAvailable, ...]
    groups: Mapping[int, Group] = field(default_factory=dict)

    def of_those(self, kept: frozenset[int]) -> Computable:
        """Only some of the assignments."""
        def among(all_of_them: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(n for n in all_of_them if n in kept)

        def endings(given: Mapping[int, Ending]) -> dict[int, Ending]:
            found = {node: Ending(among(one.lost), among(one.makers)) for node, one in given.items()}
            return {node: one for node, one in found.items() if one.lost}

        levels = (LastAvailable(endings(one.at), endings(one.behind), {n: among(some) for n, some in one.parts.items()})
                  for one in self.levels)
        return Computable({n: bits for n, bits in self.value.items() if n in kept},
                          {n: bits for n, bits in self.operands.items() if n in kept}, tuple(levels),
                          {n: one for n, one in self.groups.items() if n in kept})

    def before_part(self, level: int, node: int) -> Exact:
        """What a part's snapshot may do without: what can be computed when the snapshot is back."""
        return exactly(union(self.value[n] for n in self.levels[level].parts.get(node, ())))

    def steps(self, assignments: Iterable[int]) -> Steps:
        """What runs: of groups all their statements."""
        return tuple(step for n in assignments for step in (self.groups[n].steps if n in self.groups else (n,)))


Allowed = Callable[[int], bool]  # may an assignment run again?


def find_groups(model: ProcedureModel, cheap: Allowed, cheap_test: Allowed) -> list[Group]:
    """All groups of a procedure. ``cheap``: the assignments that may run again; ``cheap_test``: the tests."""
    search = _Search(model, cheap, cheap_test)
    return [*search.branches(), *search.elements()]


@frozen
class _Way:
    """A test with its ways, each a row of assignments and further tests; ``join``: where they meet."""

    test: int
    ways: tuple[tuple[int, tuple[int | _Way, ...]], ...]
    join: int


class _Search:
    def __init__(self, model: ProcedureModel, cheap: Allowed, cheap_test: Allowed) -> None:
        self.model, self.cheap, self.cheap_test = model, cheap, cheap_test
        self.succs, self.preds = model.graph.succs, model.graph.preds

    # ------------------------------------------------------------ IF

    def branches(self) -> Iterator[Group]:
        """What an IF construct gives a variable, with the assignment before it where not every way has one."""
        for node in self.model.graph.order:
            at = self.model.flow.nodes[node]
            if at.kind == "test" and isinstance(at.stmt, ir.If) and (found := self.way(node, 0)) is not None:
                written = union(self.model.effects[n].out for n in _inside(found))
                groups = (self.branch(found, singleton(index)) for index in members(written))
                yield from (one for one in groups if one is not None)

    def way(self, test: int, depth: int) -> _Way | None:
        ways, joins = list[tuple[int, tuple[int | _Way, ...]]](), set[int]()
        if len(self.succs[test]) != 2 or depth > 4 or not self.cheap_test(test):
            return None
        for first in self.succs[test]:
            found = self.row(first, depth)
            if found is None:
                return None
            ways.append((first, found[0]))
            joins.add(found[1])
        return _Way(test, tuple(ways), joins.pop()) if len(joins) == 1 else None

    def row(self, node: int, depth: int) -> tuple[tuple[int | _Way, ...], int] | None:
        """A row of assignments and IF constructs from a node on, to where another way joins."""
        found, through = list[int | _Way](), -1
        for _ in range(LONGEST):
            at = self.model.flow.nodes[node]
            if len(self.preds[node]) > 1 and node != through:
                return tuple(found), node
            if at.kind == "test" and isinstance(at.stmt, ir.If):
                inner = self.way(node, depth + 1)
                if inner is None:
                    return None
                found.append(inner)
                node = through = inner.join
                if self.model.flow.nodes[node].kind != "join":
                    return None
                continue
            if at.kind == "simple" and isinstance(at.stmt, ir.Assign) and not at.masks:
                found.append(node)
            elif at.kind != "join":
                return None
            if len(self.succs[node]) != 1:
                return None
            node = self.succs[node][0]
        return None

    def branch(self, way: _Way, value: Exact) -> Group | None:
        effects = self.model.effects
        steps: Steps = (_guarded(way, lambda n: bool(effects[n].out & value)),)
        if not self.made(steps, value):
            before = self.assignment_before(way.test, value)
            if before is None:
                return None
            steps = (before, *steps)
        nodes = frozenset(flat(steps))
        assignments = [n for n in nodes if self.model.flow.nodes[n].kind == "simple"]
        if not all(self.cheap(n) and effects[n].out == value == effects[n].kill for n in assignments):
            return None
        operands = May(union(effects[n].use for n in nodes) & ~value)
        inside = frozenset(_inside(way))
        others = (n for n in inside - nodes if self.model.flow.nodes[n].kind == "simple")
        if any(effects[n].out & operands or effects[n].everything for n in others):
            return None
        ends = tuple(_ends(way))
        return Group(steps, value, operands, ends, inside | ({way.test} & {*ends}))

    def made(self, steps: Steps, value: Exact, before: bool = False) -> bool | None:
        """Does every way give a value? None where one reads it before."""
        effects, made = self.model.effects, before
        for step in steps:
            if not made and effects[step.test if isinstance(step, Guarded) else step].use & value:
                return None
            if isinstance(step, Guarded):
                ways = [self.made(inside, value, made) for _, inside in step.ways]
                if None in ways:
                    return None
                made = all(ways)
            else:
                made = True
        return made

    def assignment_before(self, test: int, value: Exact) -> int | None:
        """The assignment that gives the value in the row of statements before a test; None where there is none."""
        passed, node = May(EMPTY), test
        for _ in range(LONGEST):
            if len(self.preds[node]) != 1:
                return None
            node = self.preds[node][0]
            at, effect = self.model.flow.nodes[node], self.model.effects[node]
            if at.kind not in ("simple", "join") or effect.everything or len(self.succs[node]) != 1:
                return None
            if effect.out & value:
                plain = effect.out == value == effect.kill and not effect.use & (value | passed)
                return node if plain and isinstance(at.stmt, ir.Assign) else None
            passed |= effect.out
        return None

    # ------------------------------------------------------------ elements

    def elements(self) -> Iterator[Group]:
        """Arrays whose elements a row of assignments gives one by one."""
        for kill in self.model.proofs.array_kills:
            row = self.straight(kill.opens, kill.closes)
            value = singleton(kill.index)
            if not row or not kill.writers <= set(row):
                continue
            writers = tuple(n for n in row if n in kill.writers)
            effects = self.model.effects
            operands = May(union(effects[n].use for n in writers))
            plain = all(self.cheap(n) and effects[n].out == value for n in writers)
            touched = union(effects[n].out for n in row)
            if len(writers) > 1 and plain and not operands & touched and not any(effects[n].everything for n in row) \
                    and all(n in kill.writers or not effects[n].out & value for n in row):
                yield Group(writers, value, operands, (kill.closes,), frozenset(row[:-1]))

    def straight(self, first: int, last: int) -> list[int]:
        """The row of plain statements from one node to another; empty where there is none."""
        found = [first]
        while found[-1] != last:
            after = self.succs.get(found[-1], ())  # none where control never comes by
            if len(after) != 1 or len(self.preds[after[0]]) != 1 or len(found) > LONGEST:
                return []
            found.append(after[0])
        return found if all(self.model.flow.nodes[n].kind == "simple" for n in found) else []


def _guarded(way: _Way, wanted: Allowed) -> Guarded:
    def kept(row: Iterable[int | _Way]) -> Steps:
        found = list[int | Guarded]()
        for one in row:
            if isinstance(one, _Way):
                if any(map(wanted, _inside(one))):
                    found.append(_guarded(one, wanted))
            elif wanted(one):
                found.append(one)
        return tuple(found)

    return Guarded(way.test, tuple((first, kept(row)) for first, row in way.ways))


def _inside(way: _Way) -> Iterator[int]:
    """All nodes on the ways, inner tests included."""
    for _, row in way.ways:
        for one in row:
            if isinstance(one, _Way):
                yield one.test
                yield from _inside(one)
            else:
                yield one


def _ends(way: _Way) -> Iterator[int]:
    """The nodes from which control comes to the join."""
    for _, row in way.ways:
        last = row[-1] if row else way.test
        if isinstance(last, _Way):
            yield from _ends(last)
        else:
            yield last
