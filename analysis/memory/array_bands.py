"""Bands: the regions into which a procedure cuts its arrays, each a location of its own.

``work(m, 6)`` of which only columns are named, ``call rhs(work(1, 5), work(1, 2))``, ``work(i, 1) = ..``, is six
locations: its columns. An array is cut in the dimensions in which the procedure's references say by constants which
part they mean. The bands of an array are disjoint and together all of it, so whatever is not named lies in one of
them: two references that cannot be told apart touch the same bands.

``call tridag(x(1, q))`` may write any column, and the snapshot of x as a whole is ``x(:, q)``, less than all columns.
So an array of which a call gets parts of several bands is not cut, unless the call only reads it, or cuts it itself,
or constants tell what of each band it gets: of ``buf(1, k)`` passed for a column, and its first row cut off,
``buf(1, k)`` and ``buf(2:, k)``.

A vector is cut where calls are passed runs of it that constants tell, ``call rhs(w(1:n), w(n + 1))`` of a PARAMETER n;
a run that moves, ``w(k*n + 1:(k + 1)*n)`` with k from 1 to 3, keeps in one band what it may write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product

from snapset.analysis.memory.argument_extents import Extents
from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST, Band, Interval
from snapset.analysis.memory.loop_ranges import Ranges, loop_ranges, reached
from snapset.analysis.memory.storage_units import Storage
from snapset.analysis.memory.subscript_intervals import Constant, constants, declared, interval, meets, run_of
from snapset.frontend import ir
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements

MOST_BANDS = 12
"""An array is not cut into more."""


def find_bands(program: ir.Program, key: str, storage: Storage) -> Mapping[str, tuple[Band, ...]]:
    """By name, the bands of the arrays that a procedure cuts. Those of a host its internal procedures know whole."""
    found = _named_bands(program, key, storage)
    if not found:
        return {}
    across = _passed_across(program, key, storage, found)
    return {name: bands for name, bands in found.items() if name not in across}


def _named_bands(program: ir.Program, key: str, storage: Storage) -> Mapping[str, tuple[Band, ...]]:
    """What a procedure's own references say by constants, whatever else they mean."""
    procedure, inside = program.procedures[key], f"{key}::"
    candidates = {name: variable for name, variable in procedure.variables.items()
                  if _may_be_cut(procedure, variable) and not storage.is_shared(variable.area)}
    if not candidates or any(one.startswith(inside) for one in program.procedures):
        return {}
    constant = constants(procedure.variables)
    seen: dict[str, list[tuple[Interval | None, ...]]] = {}
    strided: set[tuple[str, int]] = set()
    lines = {name for name, variable in candidates.items() if variable.shape.rank == 1}
    for ref, passed in _references(procedure.body):
        if ref.name in candidates and ref.name not in lines and len(ref.parts) == 1 and ref.parts[0].subscripts:
            given = ref.parts[0].subscripts
            if len(given) == candidates[ref.name].shape.rank:
                strided |= {(ref.name, at) for at, one in enumerate(given) if isinstance(one, ir.Range) and one.step}
                seen.setdefault(ref.name, []).append(_selected(given, constant, passed and not ref.rank))
    found = {name: _bands([(EVERY,) if (name, at) in strided else _cut(dim, [one[at] for one in intervals], constant)
                           for at, dim in enumerate(candidates[name].shape.dims)]) for name, intervals in seen.items()}
    if lines:
        found.update(_runs(program, procedure, {name: candidates[name] for name in lines}))
    return {name: bands for name, bands in found.items() if len(bands) > 1}


def _runs(program: ir.Program, procedure: ir.Procedure,
          lines: Mapping[str, ir.Variable]) -> Mapping[str, tuple[Band, ...]]:
    """The bands of arrays of one dimension: what calls are passed of them, where constants say what that is, as of a
    workspace: ``call rhs(w(1:12), w(13))``. Only where most references are of something that is known; what a call may
    write, ``w(k*12 + 1:(k + 1)*12)`` of k = 1 to 3, is in one band.
    """
    constant, ranges = constants(procedure.variables), loop_ranges(procedure)
    told: dict[str, set[Interval]] = {}
    joined: dict[str, set[Interval]] = {}
    calls = ((stmt, target) for stmt in statements(procedure.body) if isinstance(stmt, ir.Call)
             for target in stmt.targets)
    for stmt, target in calls:
        callee = program.procedures[target]
        for dummy, actual in _bound(stmt, callee):
            if actual.name in lines and len(actual.parts) == 1 and actual.parts[0].subscripts:
                one = _run(callee, stmt, dummy, actual, constant, ranges)
                exact = dummy.shape.rank > 0 and interval(actual.parts[0].subscripts[0], constant) is not None
                if exact and _ends(one):
                    told.setdefault(actual.name, set()).add(one)
                if dummy.intent != "in":
                    joined.setdefault(actual.name, set()).add(one)
    found = dict[str, tuple[Band, ...]]()
    for name, intervals in told.items():
        every = [reached(one.parts[0].subscripts[0], constant, ranges) for one, _ in _references(procedure.body)
                 if one.name == name and one.parts[0].subscripts]
        if sum(one is not None and _ends(one) for one in every)*2 > len(every):
            cuts = _between(lines[name].shape.dims[0], intervals, constant)
            found[name] = _bands([_joined(cuts, joined.get(name, set()))])
    return found


def _run(callee: ir.Procedure, call: ir.Call, dummy: ir.Variable, actual: ir.Ref, constant: Constant,
         ranges: Ranges) -> Interval:
    """The elements that a call is passed, at most, by a section or by the first of them."""
    assert actual.parts[0].subscripts is not None
    selected = reached(actual.parts[0].subscripts[0], constant, ranges)
    if not actual.rank and dummy.shape.rank:
        actuals = dict(zip(callee.formals, bind(call, callee), strict=True))
        selected = run_of(selected, Extents(callee, actuals, {}, lambda _: False).elements(dummy, actual, constant))
    return selected or EVERY


def _ends(one: Interval) -> bool:
    return LOWEST < one[0] and one[1] < HIGHEST


def _joined(cuts: tuple[Interval, ...], whole: Iterable[Interval]) -> tuple[Interval, ...]:
    """Intervals that follow each other, those in which one of ``whole`` is taken together."""
    found = list[Interval]()
    for low, high in cuts:
        if found and any(first <= found[-1][1] and low <= last for first, last in whole):
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return tuple(found)


def _selected(given: Iterable[ir.Subscript], constant: Constant, from_there_on: bool) -> tuple[Interval | None, ...]:
    """What subscripts select. ``from_there_on``: of an element passed, perhaps for what follows it, the rest of its
    column."""
    first, *others = (interval(one, constant) for one in given)
    return (EVERY if from_there_on else first, *others)


def _passed_across(program: ir.Program, key: str, storage: Storage,
                   found: Mapping[str, tuple[Band, ...]]) -> frozenset[str]:
    """The arrays of which a call may write parts of several bands that the callee does not tell apart; of each band a
    part that constants tell, ``buf(1, k)`` for a column of which the first row is a band, where none gets all of it."""
    procedure = program.procedures[key]
    constant, cut_by = constants(procedure.variables), dict[str, Mapping[str, tuple[Band, ...]]]()
    ranges = loop_ranges(procedure)
    across, parted, whole = set[str](), set[str](), set[str]()
    for stmt in statements(procedure.body):
        if not isinstance(stmt, ir.Call):
            continue
        for target in stmt.targets:
            callee = program.procedures[target]
            for dummy, actual in _bound(stmt, callee):
                if actual.name in found and not actual.parts[0].subscripts:
                    whole.add(actual.name)
                if actual.name not in found or dummy.intent == "in":
                    continue
                bands, given = found[actual.name], actual.parts[0].subscripts
                if given:
                    one = [_run(callee, stmt, dummy, actual, constant, ranges)] if len(given) == 1 else _selected(
                        given, constant, not actual.rank)
                    bands = tuple(band for band in bands if meets(band, one))
                    if len(given) > 1 and len(bands) > 1 and _is_told(bands, one):
                        parted.add(actual.name)
                        continue
                if len(bands) <= 1:
                    continue
                if target not in cut_by:
                    cut_by[target] = _named_bands(program, target, storage)
                if dummy.name not in cut_by[target] or actual.parts[0].subscripts:
                    across.add(actual.name)
    return frozenset(across | (parted & whole))


def _is_told(bands: Iterable[Band], selected: Iterable[Interval | None]) -> bool:
    """Do constants say in each dimension that is cut what is passed? Of ``buf(1, k)``, passed for a column of which the
    first row is cut off, each band has one element or section."""
    return all(one is not None or ends == EVERY for band in bands for ends, one in zip(band, selected, strict=True))


def _bound(call: ir.Call, procedure: ir.Procedure) -> Iterator[tuple[ir.Variable, ir.Ref]]:
    """The dummy arguments that references are passed for."""
    try:
        bound = bind(call, procedure)
    except BindError:
        return
    for name, actual in zip(procedure.formals, bound, strict=True):
        if isinstance(actual, ir.Ref) and name in procedure.variables:
            yield procedure.variables[name], actual


def _may_be_cut(procedure: ir.Procedure, variable: ir.Variable) -> bool:
    """A plain array of this procedure that nothing else is a name for."""
    own = variable.area.owner == procedure.key and variable.area.kind in ("local", "formal")
    plain = not (variable.pointer or variable.target or variable.allocatable or variable.automatic
                 or variable.polymorphic or variable.by_value)
    return (own and plain and variable.value is None and variable.shape.rank > 0
            and variable.shape.kind in ("explicit", "assumed-shape") and variable.name != procedure.result
            and variable.type.kind in ("real", "integer", "logical"))  # and not complex: ``z%re`` is half


def _references(body: ir.Block) -> Iterator[tuple[ir.Ref, bool]]:
    """The references of a procedure, and whether they are passed."""
    for stmt in statements(body):
        for expr in _expressions(stmt):
            passed = isinstance(stmt, ir.Call)  # the first that the walk comes by is the expression itself
            found = enumerate(walk(expr))
            yield from ((one, passed and not place) for place, one in found if isinstance(one, ir.Ref))


def _expressions(stmt: ir.Stmt) -> Iterable[ir.Expr]:
    match stmt:
        case ir.Assign():
            return (stmt.target, stmt.value)
        case ir.Call():
            return [argument.value for argument in stmt.args]
        case ir.If():
            return (stmt.cond,)
        case ir.Where():
            return (stmt.mask,)
        case _:
            return ()


def _bands(cuts: list[tuple[Interval, ...]]) -> tuple[Band, ...]:
    """The product of what each dimension is cut into. One in which a stride selects elements is not cut."""
    cuts = [one if len(one) <= MOST_BANDS else (EVERY,) for one in cuts]
    while len(list(product(*cuts))) > MOST_BANDS:
        most = max(cuts, key=len)
        cuts[cuts.index(most)] = (EVERY,)
    return tuple(product(*cuts))


def _cut(dim: ir.Dim, seen: list[Interval | None], constant: Constant) -> tuple[Interval, ...]:
    """The intervals of one dimension: it is cut where most references say by constants which part they mean."""
    told = Counter(one for one in seen if one is not None and LOWEST < one[0] and one[1] < HIGHEST)
    if sum(told.values()) * 2 <= sum(one != EVERY for one in seen):
        return (EVERY,)
    return _between(dim, told, constant)


def _between(dim: ir.Dim, told: Iterable[Interval], constant: Constant) -> tuple[Interval, ...]:
    """What these intervals cut a dimension into."""
    low, high = declared(dim, constant)
    points = {point for first, last in told for point in (first, last + 1) if low < point <= high}
    return tuple((a, b - 1) for a, b in pairwise((LOWEST, *sorted(points), HIGHEST + 1)))
