"""Calls: how a callee's locations correspond to the caller's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, members, set_of, singleton, union
from snapset.analysis.dataflow.renumbering import Renumbering
from snapset.analysis.external.declared_effects import DeclaredEffects
from snapset.analysis.memory.argument_extents import Extents, Steady
from snapset.analysis.memory.locations import DESCRIPTORS, HIGHEST, LOWEST, Band, Info, Location, Space, outward
from snapset.analysis.memory.references import ReferencedLocations, References
from snapset.analysis.operation_counts import TOO_MANY
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import children, rank_of, type_of, walk

# Intrinsic subroutines that associate a pointer they are passed.
ASSOCIATING = frozenset(("c_f_pointer", "c_f_procpointer"))


@frozen(quick=True)
class ArgumentLink:
    """What one callee location is to the caller.

    ``use``: what reading it reads. ``out``: what writing it writes. ``whole``: writing all of it writes
    all of ``out``. ``flow``: what it depends on, and passes on, differentiably. ``together``: the callee's locations
    that have to be written whole, it among them, for all that is passed to be.
    """

    use: May
    out: May
    whole: bool
    flow: May
    together: Exact = EMPTY


NO_LINK = ArgumentLink(EMPTY, EMPTY, False, EMPTY)


@frozen
class Target:
    """One procedure a call may run. ``passed``: a link for each of its locations that is passed something. ``hidden``:
    the caller's numbers of what both reach. ``whole``: of these, in the callee's numbering, what is overwritten whole
    where the callee does. ``size``: how many locations the callee has."""

    key: str
    passed: Mapping[int, ArgumentLink]
    hidden: Renumbering
    whole: Exact
    size: int

    def link(self, index: int) -> ArgumentLink:
        """What one of its locations is to the caller."""
        found = self.passed.get(index)
        if found is None:
            outer = self.hidden.numbers.get(index)
            if outer is None:
                return NO_LINK
            bit = singleton(outer)
            found = ArgumentLink(bit, bit, bool(self.whole >> index & 1), bit)
        return found

    def uses(self, bits: May) -> May:
        return union([link.use for link in self._of(bits)]) | self.hidden.outward(bits)

    def outs(self, bits: May) -> May:
        return union([link.out for link in self._of(bits)]) | self.hidden.outward(bits)

    def _of(self, bits: int) -> Iterable[ArgumentLink]:
        """The links of a set."""
        return [link for i, link in self.passed.items() if bits >> i & 1] if bits else ()

    def kills(self, bits: Must) -> Must:
        """What is certainly written whole: whole links, and every location of a variable passed in pieces."""
        found = self.hidden.outward(bits & self.whole) | union(exactly(one.out) for one in self._of(bits) if one.whole)
        cut = (link for link in self.passed.values() if link.together and not link.together & ~bits)
        return found | union(exactly(self._passed(link.together)) for link in cut)

    def _passed(self, together: Exact) -> May:
        """The caller's memory of an array that the callee cuts."""
        return union(self.passed[i].out for i in members(together))

    def flows(self, bits: May) -> May:
        return union([link.flow for link in self._of(bits)]) | self.hidden.outward(bits)

    def holding(self, bits: May) -> May:
        """The callee's locations that are memory of the caller's ``bits``."""
        return set_of(i for i, link in self.passed.items() if bits & link.out) | self.hidden.inward(bits)

    def depending(self, bits: May) -> May:
        """The callee's locations whose values come from, or go to, the caller's ``bits`` differentiably."""
        return set_of(i for i, link in self.passed.items() if bits & link.flow) | self.hidden.inward(bits)

    @property
    def wholes(self) -> Exact:
        """What of the caller's the callee sees whole."""
        return union(exactly(link.out) for link in self.passed.values() if link.whole) | self.hidden.outward(self.whole)


@frozen(kw_only=True)
class CallSite:
    """A call node. ``targets`` is empty when what runs is unknown.

    ``reads``: what evaluating the arguments reads. ``arguments``: the argument expressions.
    ``written``: what an unknown procedure could write through its arguments, ``whole``: what of it is
    passed as one whole.
    ``index_reads``: the subscripts of the arguments and the procedure pointer, which the derivative call needs again;
    in expressions integers too.
    ``declared``: what is known of a procedure without source. ``everything``: it may reach all that the caller can,
    and what runs counts as unknown; ``problem`` says why. ``effort``: what the call takes
    (:mod:`snapset.analysis.operation_counts`).
    """

    stmt: ir.Call
    targets: tuple[Target, ...]
    reads: May
    written: May
    whole: Must
    index_reads: May
    problem: str | None = None
    declared: DeclaredEffects | None = None
    everything: bool = False
    effort: int = TOO_MANY


def is_elementwise(stmt: ir.Call, callee: ir.Procedure) -> bool:
    """Does an elemental procedure run once for each element?"""
    return callee.elemental and any(rank_of(arg.value) > 0 for arg in stmt.args)


def temporary_result(stmt: ir.Call, refs: References) -> Must:
    """What receives a function's result inside an expression: before the call it holds nothing, whatever the call
    gives it."""
    if stmt.result is None or refs.variables[stmt.result.name].area.kind != "temporary":
        return EMPTY
    return exactly(refs.touch(stmt.result).bits)


def call_site(stmt: ir.Call, callees: Sequence[tuple[ir.Procedure, Space, Exact]], refs: References,
              outer: OuterName, steady: Steady) -> CallSite:
    """Bind a call to its possible targets (procedure, its space, its outward-visible locations).

    ``steady(ref)`` tells whether a scalar of the caller has its entry value throughout, so that bounds
    declared with it can be compared.
    """
    values = [a.value for a in stmt.args]
    index_reads = union(_evaluating(v, refs) for v in values)
    if stmt.pointer is not None:
        index_reads |= refs.values(stmt.pointer)
    if stmt.dispatch is not None:
        index_reads |= refs.subscripts(stmt.dispatch.object)
    evaluated = refs.all_values(v for v in values if not isinstance(v, ir.Ref)) | index_reads
    written = union(refs.passed(v).bits for v in values if isinstance(v, ir.Ref))
    if not stmt.intrinsic or stmt.name in ASSOCIATING or stmt.name == "move_alloc":
        changed = union(refs.descriptor(v).bits for v in values if isinstance(v, ir.Ref))
        # What has no source here is taken to allocate nothing that it is passed.
        written |= changed if stmt.intrinsic else changed & ~refs.space.allocations
    if stmt.result is not None:
        written |= refs.touch(stmt.result).bits
    whole = union(refs.passed(v).certain for v in values if isinstance(v, ir.Ref))
    problem: str | None = None
    targets: list[Target] = []
    for procedure, space, visible in callees:
        try:
            actuals = bind(stmt, procedure)
        except BindError as error:
            problem, targets = str(error), []
            break
        index_reads |= union(_shaping(actual, refs) for name, actual in zip(procedure.formals, actuals, strict=True)
                             if actual is not None and _has_shape_of_actual(procedure, name))
        targets.append(_target(stmt, procedure, space, visible, actuals, refs, outer, steady))
    if not targets:
        index_reads |= union(_shaping(value, refs) for value in values)
    return CallSite(stmt=stmt, targets=tuple(targets), reads=evaluated | index_reads, written=written, whole=whole,
                    index_reads=index_reads, problem=problem)


class BoundCalls:
    """The calls of one procedure, which are bound twice: before and after it is known what is steady in it. A call is
    bound again only where it may come out otherwise: something steady was asked for, or the procedure has locations
    that were not there when it began to be bound."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._known: dict[int, tuple[int, CallSite]] = {}  # by node, with how many locations there were

    def site(self, node: int, bind_it: Callable[[Steady], CallSite], steady: Steady) -> CallSite:
        """The call of a node, as ``bind_it`` binds it."""
        asked, count = list[ir.Ref](), len(self._space)

        def noting(ref: ir.Ref) -> bool:
            asked.append(ref)
            return steady(ref)

        known = self._known.get(node)
        if known is not None and known[0] == count:
            return known[1]
        site = bind_it(noting)
        self._known[node] = -1 if asked else count, site
        return site


class OuterName:
    """Names, for one procedure, what it reaches only through a callee."""

    def __init__(self, refs: References) -> None:
        self.refs = refs
        self._visible: dict[ir.Area, list[str]] = {}
        self._hidden: dict[tuple[str, bool], tuple[Space, Exact, Renumbering, Exact]] = {}
        for name, variable in refs.variables.items():
            if variable.value is None:
                self._visible.setdefault(variable.area, []).append(name)

    def hidden(self, callee: str, space: Space, visible: Exact, passed: Collection[ir.Area],
               result: bool) -> tuple[Renumbering, Exact]:
        """What a callee's outward-visible locations are that are ``passed`` nothing, and which of them are always the
        same memory: the same at any call. ``result``: is its result passed?"""
        known = self._hidden.get((callee, result))
        if known is None or known[0] is not space or known[1] != visible:
            locations, infos = space.locations, space.infos
            numbers = {i: self.add(locations[i], infos[i]) for i in members(visible)
                       if locations[i].area not in passed}
            whole = set_of(i for i in numbers if not infos[i].may_move)
            known = self._hidden[callee, result] = space, visible, Renumbering(numbers), whole
        return known[2:]

    def add(self, location: Location, info: Info) -> int:
        """The number of a callee's outward-visible location in this procedure's space. What has its outward name
        already, in the callee, is the same record in all callers: there are tens of thousands in large programs."""
        space = self.refs.space
        known = space.find(location)
        if known is None and location.area in self._visible:
            for name in self._visible[location.area]:
                self.refs.leaves(name)
            known = space.find(location)
        return space.add(location, outward(location, info)) if known is None else known


def _target(stmt: ir.Call, procedure: ir.Procedure, space: Space, visible: Exact,
            actuals: Sequence[ir.Expr | None], refs: References, outer: OuterName, steady: Steady) -> Target:
    extents = Extents(procedure, dict(zip(procedure.formals, actuals, strict=True)), refs.variables, steady,
                      refs.storage.types)
    formals: dict[ir.Area, _Actual | None] = {}
    for name, actual in zip(procedure.formals, actuals, strict=True):
        if name in procedure.variables:
            variable = procedure.variables[name]
            formals[variable.area] = None if actual is None else _actual(actual, variable, refs, extents)
    if procedure.result is not None and stmt.result is not None:
        result = procedure.variables[procedure.result]
        formals[result.area] = _actual(stmt.result, result, refs, extents)
    given = stmt.result is not None
    hidden, whole = outer.hidden(procedure.key, space, visible & space.all(), formals, given)
    links: dict[int, ArgumentLink] = {}
    singletons: dict[ir.Area, list[int]] = {}
    for index in members(visible & space.all() & ~hidden.inside):
        location, info = space.locations[index], space.infos[index]
        passed = formals[location.area]
        if passed is not None:
            links[index] = _formal_link(location, info, passed, refs.space)
            if location.band is not None and passed.touch is not None:
                singletons.setdefault(location.area, []).append(index)
    for area, cut in singletons.items():
        if (found := formals[area]) is not None and found.whole:
            for index in cut:
                links[index] = replace(links[index], together=set_of(cut))
    return Target(procedure.key, links, hidden, whole, len(space))


@frozen(quick=True)
class _Actual:
    """An actual argument's effects, computed once for all locations of its dummy argument.

    ``touch``: None for an expression, whose value is ``reads`` and ``flow``. ``area`` and ``path``: where its
    components are, None where they are not those of the dummy argument. ``whole``: it is all that the dummy is.
    ``named``: it is selected by no subscripts. ``region``: gives, for a band of the dummy argument, the bits of the
    actual argument and whether they are no more than it; None where their dimensions are not the same.
    """

    touch: ReferencedLocations | None
    reads: May
    flow: May
    area: ir.Area | None
    path: tuple[str, ...]
    whole: bool
    named: bool = False
    region: Callable[[Band], tuple[May, bool]] | None = None


def _actual(expr: ir.Expr, formal: ir.Variable, refs: References, extents: Extents) -> _Actual:
    if not isinstance(expr, ir.Ref):
        return _Actual(None, refs.values(expr), refs.flows(expr), None, (), False)
    touch, whole = refs.touch(expr), None
    if expr.name in refs.bands and formal.shape.rank and not expr.rank:
        count = extents.elements(formal, expr, refs.constant)
        touch = refs.following(expr, *extents.in_column(formal, expr), count)
        whole = touch.whole
    alike = expr.type.kind != "derived" or refs.storage.related(expr.type.derived, formal.type.derived)
    area = refs.variables[expr.name].area if alike and expr.name in refs.variables else None
    whole = touch.whole and expr.type == formal.type and (extents.same(formal, expr) if whole is None else whole)
    named = all(part.subscripts is None for part in expr.parts)
    region = None
    if named and expr.name in refs.bands and expr.type == formal.type:
        region = partial(_region, refs, expr.name, extents.shifts(formal, expr))
    return _Actual(touch, EMPTY, EMPTY, area, tuple(part.name for part in expr.parts[1:]), whole, named, region)


def _region(refs: References, name: str, shifts: Sequence[int] | None, band: Band) -> tuple[May, bool]:
    """The bands of an actual argument that a band of the dummy argument is in, and whether it is all of them."""
    if shifts is None:
        return refs.region(name, [None for _ in refs.bands[name][0]])[0], False
    moved = [(low if low == LOWEST else low + by, high if high == HIGHEST else high + by)
             for (low, high), by in zip(band, shifts, strict=True)]
    return refs.region(name, moved)


def _formal_link(location: Location, info: Info, actual: _Actual, space: Space) -> ArgumentLink:
    if actual.touch is None:
        return ArgumentLink(actual.reads, EMPTY, False, actual.flow)
    bits = actual.touch.bits
    if location.band is not None:
        alone = False
        if actual.region is not None:
            bits, alone = actual.region(location.band)
        return ArgumentLink(bits, bits, alone and actual.whole, bits)
    if location.path and actual.area is not None:
        path = actual.path + location.path
        exact = space.find_whole(actual.area, path)
        bits = singleton(exact) if exact is not None else _narrowed(bits, path, space)
        if location.path[-1] in DESCRIPTORS:  # a pointer by its name: the callee associates this one, and no other
            whole = actual.named and exact is not None and not space.infos[exact].may_move
            if location.is_allocation and exact is None and actual.area.kind == "temporary":
                return NO_LINK  # a function result, which begins without
            return ArgumentLink(bits, bits, whole, EMPTY)
    if location.is_allocation:  # of a type that is not told apart from what is passed
        return ArgumentLink(bits | actual.touch.subscripts, bits | actual.touch.subscripts, False, EMPTY)
    whole = actual.whole and not info.may_move and bits != 0 and _one_to_one(bits, location)
    return ArgumentLink(bits, bits, whole, bits)


def _narrowed(bits: May, path: tuple[str, ...], space: Space) -> May:
    """Those of ``bits`` that the component ``path`` may lie in."""
    total = EMPTY
    for i in members(bits):
        place = space.locations[i].path
        short = min(len(place), len(path))
        if place[:short] == path[:short]:
            total |= singleton(i)
    return total


def _one_to_one(bits: int, location: Location) -> bool:
    """Does the callee's location stand for all of ``bits``? A component stands for one."""
    return location.segment is None and (bits & (bits - 1) == 0 or not location.path)


def _evaluating(value: ir.Expr, refs: References) -> May:
    """What must be right for an argument to be evaluated at all, whether the callee wants its value or not: subscripts,
    associations, and the integers of an expression, which it may divide by."""
    if isinstance(value, ir.Ref):
        # A procedure pointer is passed as what it is associated with: no dummy argument leads back to it.
        return refs.values(value) if value.type.kind == "procedure" else refs.subscripts(value)
    total: May = EMPTY
    for one in walk(value):
        if isinstance(one, ir.OpaqueExpr) or (isinstance(one, ir.Ref) and one.type.kind == "integer"):
            total |= refs.values(one)
        elif isinstance(one, ir.Ref):
            total |= refs.subscripts(one)
    return total


def _has_shape_of_actual(procedure: ir.Procedure, name: str) -> bool:
    """Does a dummy argument get its extents or its length from what is passed? Elementally, what runs is as often."""
    formal = procedure.variables.get(name)
    return formal is None or procedure.elemental or formal.shape.any_rank or formal.type.kind == "character" or \
        formal.shape.kind in ("assumed-shape", "deferred")


def _shaping(value: ir.Expr, refs: References) -> May:
    """What the shape of a value, or the length of a text, comes from besides :func:`_evaluating`: `half(r) + 1` has
    none where the call of half does not run, and how much there is of `pack(r, r > c)` the values tell."""
    if isinstance(value, ir.Ref):
        return refs.values(value) if refs.is_result(value) else EMPTY
    total: May = EMPTY
    stack: list[ir.Expr] = [value]
    while stack:
        one = stack.pop()
        if rank_of(one) == 0 and type_of(one).kind != "character":
            continue
        if isinstance(one, ir.Intrinsic) and one.name in ("pack", "trim"):
            total |= refs.values(one)
        elif isinstance(one, ir.Ref):
            total |= refs.values(one) if refs.is_result(one) else EMPTY
        else:
            stack += children(one)
    return total
