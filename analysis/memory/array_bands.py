"""Bands: the regions into which a procedure cuts its arrays, each a location of its own.

``work(m, 6)`` of which only columns are named, ``call rhs(work(1, 5), work(1, 2))``, ``work(i, 1) = ..``, is six
locations: its columns. An array is cut in the dimensions in which the procedure's references say by constants which
part they mean. The bands of an array are disjoint and together all of it, so whatever is not named lies in one of
them: two references that cannot be told apart touch the same bands.

``call tridag(x(1, q))`` may write any column, and the snapshot of x as a whole is ``x(:, q)``, less than all columns.
So an array of which a call gets parts of several bands is not cut, unless the call only reads it, or cuts it itself,
or constants tell what of each band it gets: of ``buf(1, k)`` passed for a column, and its first row cut off,
``buf(1, k)`` and ``buf(2:, k)``.

An array of a module is cut alike in every procedure, by what the references of all say.

A vector is cut where calls are passed runs of it that constants tell, ``call rhs(w(1:n), w(n + 1))`` of a PARAMETER n;
a run that moves, ``w(k*n + 1:(k + 1)*n)`` with k from 1 to 3, keeps in one band what it may write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product
from types import MappingProxyType

from snapset.analysis.memory.argument_extents import Extents
from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST, Band, Interval
from snapset.analysis.memory.loop_ranges import Ranges, loop_ranges, reached
from snapset.analysis.memory.storage_units import Storage
from snapset.analysis.memory.subscript_intervals import Constant, constants, declared, interval, meets, run_of
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements

MOST_BANDS = 12
"""An array is not cut into more."""
NO_BANDS: Mapping[ir.Area, tuple[Band, ...]] = MappingProxyType({})


def find_bands(program: ir.Program, key: str, storage: Storage,
               of_modules: Mapping[ir.Area, tuple[Band, ...]] = NO_BANDS) -> Mapping[str, tuple[Band, ...]]:
    """By name, the bands of the arrays that a procedure cuts. Those of a host its internal procedures know whole.
    ``of_modules``: what :func:`module_bands` says."""
    shared = {name: of_modules[variable.area] for name, variable in program.procedures[key].variables.items()
              if variable.area in of_modules} if of_modules else {}
    found = _named_bands(program, key, storage)
    if not found:
        return shared
    across = _passed_across(program, key, storage, found)
    return shared | {name: bands for name, bands in found.items() if name not in across}


@frozen
class ModuleReferences:
    """What a procedure's references select of an array of a module: ``seen`` by all of them, ``written`` by those that
    calls may write; ``steps``: the dimensions in which one selects by steps; ``bounds`` of the array, where known."""

    area: ir.Area
    bounds: tuple[Interval, ...]
    seen: tuple[tuple[Interval | None, ...], ...]
    written: tuple[tuple[Interval | None, ...], ...]
    steps: tuple[int, ...]


def module_references(program: ir.Program, key: str) -> tuple[ModuleReferences, ...]:
    """Of the arrays of modules that a procedure names, but for those of one dimension."""
    procedure = program.procedures[key]
    candidates = {name: variable for name, variable in procedure.variables.items()
                  if variable.area.kind == "module" and variable.shape.rank > 1 and _is_plain(variable)}
    if not candidates:
        return ()
    constant = constants(procedure.variables)
    seen, steps = _seen(procedure, candidates, constant)
    written: dict[str, list[tuple[Interval | None, ...]]] = {}
    for stmt in (one for one in statements(procedure.body) if isinstance(one, ir.Call)):
        for target in stmt.targets:
            for dummy, actual in _bound(stmt, program.procedures[target]):
                if actual.name in candidates and dummy.intent != "in":
                    rank = candidates[actual.name].shape.rank
                    given = actual.parts[0].subscripts or (ir.Range(),)*rank
                    told = len(given) == rank
                    written.setdefault(actual.name, []).append(
                        _selected(given, constant, not actual.rank) if told else (None,)*rank)
    named = {*seen, *written}
    return tuple(ModuleReferences(variable.area, tuple(declared(dim, constant) for dim in variable.shape.dims),
                                  tuple(seen.get(name, ())), tuple(written.get(name, ())),
                                  tuple(at for at in range(variable.shape.rank) if (name, at) in steps))
                 for name, variable in candidates.items() if name in named)


def module_bands(found: Iterable[ModuleReferences],
                 storage: Storage) -> tuple[tuple[ir.Area, tuple[Band, ...]], ...]:
    """The bands of arrays of modules, the same in every procedure: cut where the references of all say by constants
    which part they mean, and no call may write parts of several."""
    every: dict[ir.Area, list[ModuleReferences]] = {}
    for one in found:
        if not storage.is_shared(one.area):
            every.setdefault(one.area, []).append(one)
    cut = ((area, _in_modules(same)) for area, same in sorted(every.items()))
    return tuple((area, bands) for area, bands in cut if len(bands) > 1)


def _in_modules(same: Iterable[ModuleReferences]) -> tuple[Band, ...]:
    """The bands of one array from what all procedures select of it."""
    first, *others = same
    every = (first, *others)
    bounds = [(max(one.bounds[at][0] for one in every), min(one.bounds[at][1] for one in every))
              for at in range(len(first.bounds))]
    bands = _bands([(EVERY,) if any(at in one.steps for one in every)
                    else _cut(ends, [given[at] for one in every for given in one.seen])
                    for at, ends in enumerate(bounds)])
    written = [given for one in every for given in one.written]
    return bands if all(sum(meets(band, given) for band in bands) <= 1 for given in written) else ()


def _named_bands(program: ir.Program, key: str, storage: Storage) -> Mapping[str, tuple[Band, ...]]:
    """What a procedure's own references say by constants, whatever else they mean."""
    procedure = program.procedures[key]
    names = Counter(variable.area for variable in procedure.variables.values())  # several: EQUIVALENCE of one shape
    candidates = {name: variable for name, variable in procedure.variables.items() if names[variable.area] == 1
                  and _may_be_cut(procedure, variable) and not storage.is_shared(variable.area)}
    if not candidates or program.internal(key):
        return {}
    constant = constants(procedure.variables)
    seen, strided = _seen(procedure, candidates, constant)
    lines = {name for name, variable in candidates.items() if variable.shape.rank == 1}
    found = {name: _bands([(EVERY,) if (name, at) in strided
                           else _cut(declared(dim, constant), [one[at] for one in intervals])
                           for at, dim in enumerate(candidates[name].shape.dims)])
             for name, intervals in seen.items() if name not in lines}
    whole = {name for name, _ in strided}
    if lines - whole:
        found.update(_runs(program, procedure, {name: candidates[name] for name in sorted(lines - whole)}))
    return {name: bands for name, bands in found.items() if len(bands) > 1}


def _seen(procedure: ir.Procedure, candidates: Mapping[str, ir.Variable],
          constant: Constant) -> tuple[dict[str, list[tuple[Interval | None, ...]]], set[tuple[str, int]]]:
    """By array, what the references of a procedure select of it; the dimensions of arrays that one selects by steps."""
    seen: dict[str, list[tuple[Interval | None, ...]]] = {}
    strided: set[tuple[str, int]] = set()
    for ref, passed in _references(procedure.body) if candidates else ():
        if ref.name in candidates and len(ref.parts) == 1 and ref.parts[0].subscripts:
            given = ref.parts[0].subscripts
            if len(given) == candidates[ref.name].shape.rank:
                strided |= {(ref.name, at) for at, one in enumerate(given) if isinstance(one, ir.Range) and one.step}
                seen.setdefault(ref.name, []).append(_selected(given, constant, passed and not ref.rank))
    return seen, strided


def _runs(program: ir.Program, procedure: ir.Procedure,
          lines: Mapping[str, ir.Variable]) -> Mapping[str, tuple[Band, ...]]:
    """The bands of arrays of one dimension: what calls are passed of them, where constants say what that is, as of a
    workspace: ``call rhs(w(1:12), w(13))``. Only where most references are of something that is known; what a call may
    write, ``w(k*12 + 1:(k + 1)*12)`` of k = 1 to 3, is in one band.
    """
    passed = [(stmt, callee, dummy, actual) for stmt in statements(procedure.body) if isinstance(stmt, ir.Call)
              for callee in (program.procedures[target] for target in stmt.targets)
              for dummy, actual in _bound(stmt, callee)
              if actual.name in lines and len(actual.parts) == 1 and actual.parts[0].subscripts]
    if not passed:
        return {}
    constant, ranges = constants(procedure.variables), loop_ranges(procedure)
    told: dict[str, set[Interval]] = {}
    joined: dict[str, set[Interval]] = {}
    for stmt, callee, dummy, actual in passed:
        one, given = _run(callee, stmt, dummy, actual, constant, ranges), actual.parts[0].subscripts or ()
        exact = dummy.shape.rank > 0 and interval(given[0], constant) is not None
        if exact and _ends(one):
            told.setdefault(actual.name, set()).add(one)
        if dummy.intent != "in":
            joined.setdefault(actual.name, set()).add(one)
    found = dict[str, tuple[Band, ...]]()
    for name, intervals in told.items():
        every = [reached(one.parts[0].subscripts[0], constant, ranges) for one, _ in _references(procedure.body)
                 if one.name == name and one.parts[0].subscripts]
        if sum(one is not None and _ends(one) for one in every)*2 > len(every):
            cuts = _between(declared(lines[name].shape.dims[0], constant), intervals)
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
    part that constants tell, ``buf(1, k)`` for a column of which the first row is a band, where none gets all of it and
    there are two bands: what is decided of them together is decided one by one."""
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
                    if len(given) > 1 and len(bands) == len(found[actual.name]) == 2 and _is_told(bands, one):
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
    return own and variable.shape.rank > 0 and variable.name != procedure.result and _is_plain(variable)


def _is_plain(variable: ir.Variable) -> bool:
    plain = not (variable.pointer or variable.target or variable.allocatable or variable.automatic
                 or variable.polymorphic or variable.by_value)
    return (plain and variable.value is None and variable.shape.kind in ("explicit", "assumed-shape")
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


def _cut(bounds: Interval, seen: list[Interval | None]) -> tuple[Interval, ...]:
    """The intervals of one dimension: it is cut where most references say by constants which part they mean."""
    told = Counter(one for one in seen if one is not None and LOWEST < one[0] and one[1] < HIGHEST)
    if sum(told.values()) * 2 <= sum(one != EVERY for one in seen):
        return (EVERY,)
    return _between(bounds, told)


def _between(bounds: Interval, told: Iterable[Interval]) -> tuple[Interval, ...]:
    """What these intervals cut a dimension into."""
    low, high = bounds
    points = {point for first, last in told for point in (first, last + 1) if low < point <= high}
    return tuple((a, b - 1) for a, b in pairwise((LOWEST, *sorted(points), HIGHEST + 1)))
