"""Bands: the regions into which a procedure cuts its arrays, each a location of its own.

``work(m, 6)`` of which only columns are named, ``call rhs(work(1, 5), work(1, 2))``, ``work(i, 1) = ..``, is six
locations: its columns. An array is cut in the dimensions in which the procedure's references say by constants which
part they mean. The bands of an array are disjoint and together all of it, so whatever is not named lies in one of
them: two references that cannot be told apart touch the same bands.

``call tridag(x(1, q))`` may write any column, and the snapshot of x as a whole is ``x(:, q)``, less than all columns.
So an array of which a call gets parts of several bands is not cut, unless the call only reads it, or cuts it itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product

from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST, Band, Interval
from snapset.analysis.memory.storage_units import Storage
from snapset.analysis.memory.subscript_intervals import Constant, constants, declared, interval, meets
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
    for ref, passed in _references(procedure.body):
        if ref.name in candidates and len(ref.parts) == 1 and ref.parts[0].subscripts:
            given = ref.parts[0].subscripts
            if len(given) == candidates[ref.name].shape.rank:
                strided |= {(ref.name, at) for at, one in enumerate(given) if isinstance(one, ir.Range) and one.step}
                seen.setdefault(ref.name, []).append(_selected(given, constant, passed and not ref.rank))
    found = {name: _bands([(EVERY,) if (name, at) in strided else _cut(dim, [one[at] for one in intervals], constant)
                           for at, dim in enumerate(candidates[name].shape.dims)]) for name, intervals in seen.items()}
    return {name: bands for name, bands in found.items() if len(bands) > 1}


def _selected(given: Iterable[ir.Subscript], constant: Constant, from_there_on: bool) -> tuple[Interval | None, ...]:
    """What subscripts select. ``from_there_on``: of an element passed, perhaps for what follows it, the rest of its
    column."""
    first, *others = (interval(one, constant) for one in given)
    return (EVERY if from_there_on else first, *others)


def _passed_across(program: ir.Program, key: str, storage: Storage,
                   found: Mapping[str, tuple[Band, ...]]) -> frozenset[str]:
    """The arrays of which a call may write parts of several bands that the callee does not tell apart."""
    procedure = program.procedures[key]
    constant, cut_by = constants(procedure.variables), dict[str, Mapping[str, tuple[Band, ...]]]()
    across = set[str]()
    for stmt in statements(procedure.body):
        if not isinstance(stmt, ir.Call):
            continue
        for target in stmt.targets:
            for dummy, actual in _bound(stmt, program.procedures[target]):
                if actual.name not in found or dummy.intent == "in" or len(_met(actual, found, constant)) <= 1:
                    continue
                if target not in cut_by:
                    cut_by[target] = _named_bands(program, target, storage)
                if dummy.name not in cut_by[target] or actual.parts[0].subscripts:
                    across.add(actual.name)
    return frozenset(across)


def _bound(call: ir.Call, procedure: ir.Procedure) -> Iterator[tuple[ir.Variable, ir.Ref]]:
    """The dummy arguments that references are passed for."""
    try:
        bound = bind(call, procedure)
    except BindError:
        return
    for name, actual in zip(procedure.formals, bound, strict=True):
        if isinstance(actual, ir.Ref) and name in procedure.variables:
            yield procedure.variables[name], actual


def _met(ref: ir.Ref, found: Mapping[str, tuple[Band, ...]], constant: Constant) -> tuple[Band, ...]:
    """The bands of which a reference that is passed may select something."""
    given = ref.parts[0].subscripts
    bands = found[ref.name]
    return bands if not given else tuple(
        band for band in bands if meets(band, _selected(given, constant, not ref.rank)))


def _may_be_cut(procedure: ir.Procedure, variable: ir.Variable) -> bool:
    """A plain array of this procedure that nothing else is a name for. One of one dimension stays whole: of it the
    sections that parts write are found."""
    own = variable.area.owner == procedure.key and variable.area.kind in ("local", "formal")
    plain = not (variable.pointer or variable.target or variable.allocatable or variable.automatic
                 or variable.polymorphic or variable.by_value)
    return (own and plain and variable.value is None and variable.shape.rank > 1
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
    low, high = declared(dim, constant)
    points = {point for first, last in told for point in (first, last + 1) if low < point <= high}
    return tuple((a, b - 1) for a, b in pairwise((LOWEST, *sorted(points), HIGHEST + 1)))
