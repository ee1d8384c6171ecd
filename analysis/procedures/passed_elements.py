"""What a call accesses of the caller's arrays: the elements that it is passed, and whether it writes all of them.

``call column(t(:, i), q(1, i), n)`` touches ``t(:, i)`` and, with ``real :: q(n)`` in it, ``q(:, i)`` where the columns
are at least that long. It kills these where the callee kills its dummy arguments and they are no smaller. What the
callee reaches in another way (a module's variable, its host's, a pointer), or what is unknown, is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from snapset.analysis.dataflow.bitsets import EMPTY, members
from snapset.analysis.memory.argument_extents import Extents, Steady
from snapset.analysis.memory.array_sections import rank
from snapset.analysis.memory.element_accesses import ElementAccess, given_subscripts, inside
from snapset.analysis.memory.locations import Info, Location, Space
from snapset.analysis.memory.references import References
from snapset.analysis.procedures.call_binding import CallSite, Target
from snapset.analysis.procedures.effect_sets import Effect, Summary
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import bind


@frozen
class Callee:
    """What is called, as its callers see it."""

    procedure: ir.Procedure
    space: Space
    summary: Summary


def passed_elements(site: CallSite, e: Effect, callees: Callable[[str], Callee], refs: References,
                    steady: Steady) -> Iterator[ElementAccess]:
    """The accesses of one call with effect ``e``: at least one of every array that it touches."""
    touched, stmt = (e.use | e.out) & refs.space.arrays, site.stmt
    if not site.targets or stmt.pointer is not None:
        yield from (ElementAccess(index, None) for index in members(touched))
        return
    told = set[int]()
    certain: list[dict[int, ElementAccess]] = []
    for target in site.targets:
        found = _Passed(target, stmt, callees(target.key), refs, steady)
        certain.append({})
        for one in (*found.evaluated(), *found.accesses()):
            told.add(one.index)
            yield ElementAccess(one.index, one.given)
            if one.full is not None:
                certain[-1][one.index] = one
    for index, one in certain[0].items():
        if all(other.get(index) == one for other in certain):
            yield one
    yield from (ElementAccess(index, None) for index in members(touched) if index not in told)


class _Passed:
    """What one target of a call accesses through its dummy arguments."""

    def __init__(self, target: Target, stmt: ir.Call, callee: Callee, refs: References, steady: Steady) -> None:
        self.target = target
        self.callee = callee
        self.refs = refs
        procedure = callee.procedure
        actuals = dict(zip(procedure.formals, bind(stmt, procedure), strict=True))
        if procedure.result is not None:
            actuals[procedure.result] = stmt.result
        self.extents = Extents(procedure, actuals, refs.variables, steady, refs.storage.types)
        passed = [(procedure.variables[name], actual) for name, actual in actuals.items()
                  if name in procedure.variables and actual is not None]
        self.actuals = {formal.area: (formal, actual) for formal, actual in passed if isinstance(actual, ir.Ref)}
        self.expressions = frozenset(formal.area for formal, actual in passed if not isinstance(actual, ir.Ref))
        self.values = [actual for actual in actuals.values() if actual is not None]
        self.values += [] if stmt.dispatch is None else [stmt.dispatch.object]

    def evaluated(self) -> Iterator[ElementAccess]:
        """What is read where the arguments are evaluated: operands of expressions, subscripts of variables."""
        for value in self.values:
            references = inside(value)
            if isinstance(value, ir.Ref):
                next(references)  # itself: what of it is read, the callee tells
            for ref in references:
                for index in members(self.refs.touch(ref).bits & self.refs.space.arrays):
                    info = self.refs.space.infos[index]
                    yield ElementAccess(index, None if info.other_names else given_subscripts(ref, info))

    def accesses(self) -> Iterator[ElementAccess]:
        summary, locations, space = self.callee.summary, self.callee.space.locations, self.refs.space
        whole = self.whole()
        for i in members(summary.use | summary.out):
            link, location = self.target.link(i), locations[i]
            bits = (link.use if summary.use >> i & 1 else EMPTY) | (link.out if summary.out >> i & 1 else EMPTY)
            if bits & space.arrays and location.area not in self.expressions:
                killed = i in whole and space.is_one(link.out)
                for index in members(bits & space.arrays):
                    yield self.access(index, location, killed)

    def access(self, index: int, location: Location, killed: bool) -> ElementAccess:
        """What a location of the callee is of one of the caller."""
        info, place = self.refs.space.infos[index], self.refs.space.locations[index]
        formal, actual = self.actuals.get(location.area, (None, None))
        if formal is None or actual is None or info.other_names or place.is_descriptor or not rank(info):
            return ElementAccess(index, None)
        given, covered = given_subscripts(actual, info), False
        if given is not None and formal.shape.rank and not actual.rank:
            leading = self.extents.leading(formal, actual)
            covered = bool(leading)
            given = None if leading is None else _from(given, actual, formal.shape.rank)
        elif given is not None:
            covered = self.extents.same(formal, actual)
        if given is None:
            return ElementAccess(index, None)
        path = tuple(part.name for part in actual.parts[1:]) + location.path
        alike = killed and covered and formal.type == actual.type and place.segment is None and place.path == path
        return ElementAccess(index, given, self.refs.full_dimensions(actual.name, given, info.band) if alike else None)

    def whole(self) -> frozenset[int]:
        """The callee's locations that it certainly writes whole, with all others of the same variable or component."""
        space, kill = self.callee.space, self.callee.summary.kill
        if not kill:
            return frozenset()
        places: dict[tuple[ir.Area, tuple[str, ...]], list[int]] = {}
        for i, location in enumerate(space.locations):
            if location.area in self.actuals:
                places.setdefault((location.area, location.path), []).append(i)
        return frozenset(i for same in places.values() for i in same
                         if all(kill >> one & 1 and space.locations[one].segment is None for one in same))


def _from(given: Sequence[ir.Subscript], actual: ir.Ref, rank_: int) -> list[ir.Subscript]:
    """The subscripts of what an element stands for: all of the first dimensions of the last part."""
    first = sum(len(part.subscripts or ()) for part in actual.parts[:-1])
    return [*given[:first], *(ir.Range() for _ in range(rank_)), *given[first + rank_:]]


def all_accesses(sites: Mapping[int, CallSite], effects: Sequence[Effect], callees: Callable[[str], Callee],
                 refs: References, steady: Steady) -> Callable[[int], Iterable[ElementAccess]]:
    """What gives the accesses of a call by its node."""
    found: dict[int, tuple[ElementAccess, ...]] = {}

    def of(node: int) -> Iterable[ElementAccess]:
        if node not in found:
            found[node] = tuple(passed_elements(sites[node], effects[node], callees, refs, steady))
        return found[node]

    return of


def certain_writes(accesses: Callable[[int], Iterable[ElementAccess]], refs: References,
                   ) -> Callable[[int], Iterable[tuple[int, Info, Sequence[ir.Subscript]]]]:
    """By the node of a call, the arrays of which it certainly writes some elements, and which."""
    infos = refs.space.infos
    return lambda node: [(one.index, infos[one.index], one.given) for one in accesses(node)
                         if one.full is not None and one.given is not None]
