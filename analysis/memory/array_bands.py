"""Bands: the regions into which a procedure cuts its arrays, each a location of its own.

``work(m, 6)`` of which only columns are named, ``call rhs(work(1, 5), work(1, 2))``, ``work(i, 1) = ..``, is six
locations: its columns. An array is cut in the dimensions in which the procedure's references say by constants which
part they mean. The bands of an array are disjoint and together all of it, so whatever is not named lies in one of them:
two references that cannot be told apart touch the same bands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product

from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST, Band, Interval
from snapset.analysis.memory.storage_units import Storage
from snapset.analysis.memory.subscript_intervals import Constant, constants, declared, interval
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements

MOST_BANDS = 12
"""An array is not cut into more."""


def find_bands(program: ir.Program, key: str, storage: Storage) -> Mapping[str, tuple[Band, ...]]:
    """By name, the bands of the arrays that a procedure cuts. Those of a host its internal procedures know whole."""
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
                selected = [interval(one, constant) for one in given]
                strided |= {(ref.name, at) for at, one in enumerate(given) if isinstance(one, ir.Range) and one.step}
                if passed and not ref.rank:  # perhaps for what follows it: the rest of its column
                    selected[0] = EVERY
                seen.setdefault(ref.name, []).append(tuple(selected))
    found = {name: _bands([(EVERY,) if (name, at) in strided else _cut(dim, [one[at] for one in intervals], constant)
                           for at, dim in enumerate(candidates[name].shape.dims)]) for name, intervals in seen.items()}
    return {name: bands for name, bands in found.items() if len(bands) > 1}


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
