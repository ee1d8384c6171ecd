"""Between which numbers DO variables run: 1 to 3 of k, where ``do k = 1, 3`` is around every place that names it.

So ``w(k*12 + 1:(k + 1)*12)`` is somewhere in w(13:48), and ``w(60 + i)`` of ``do i = 1, 12`` in w(61:72). That holds
wherever the procedure names the variable, for nothing but loops may give it a value, and outside of them nothing reads
it. (Within its loop nobody may change it: Fortran 2018, 19.6.7.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST, Interval
from snapset.analysis.memory.subscript_intervals import Constant, constants
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements

Ranges: TypeAlias = Mapping[str, Interval]

_PLAIN = (ir.Assign, ir.Call, ir.If, ir.Do, ir.While, ir.Select, ir.Where, ir.Marked, ir.ScopeBlock, ir.Continue,
          ir.Cycle, ir.Exit, ir.Goto, ir.Return, ir.Stop)


def loop_ranges(procedure: ir.Procedure) -> Ranges:
    """By name, the least and the greatest value that a DO variable has where the procedure names it; not those of which
    that is not known."""
    candidates = frozenset(name for name, one in procedure.variables.items() if _is_counter(procedure, one))
    candidates &= {stmt.var.name for stmt in statements(procedure.body) if isinstance(stmt, ir.Do)}
    if not candidates or not all(isinstance(stmt, _PLAIN) for stmt in statements(procedure.body)):
        return {}
    constant, found = constants(procedure.variables), dict[str, Interval]()
    unclear = set[str]()
    work: list[tuple[ir.Stmt, Ranges]] = [(stmt, {}) for stmt in reversed(procedure.body)]
    while work:
        stmt, around = work.pop()
        inner = around
        if isinstance(stmt, ir.Do):
            name, ends = stmt.var.name, reached(ir.Range(stmt.start, stmt.stop, stmt.step), constant, around) or EVERY
            least, most = found.get(name, ends)
            found[name] = min(least, ends[0]), max(most, ends[1])
            inner = {**around, name: ends}
        unclear |= {name for name in _named(stmt) if name not in around} | _given_values(stmt)
        work += [(one, inner) for block in blocks(stmt) for one in reversed(block)]
    return {name: ends for name, ends in found.items()
            if name in candidates - unclear and ends != EVERY}


def _is_counter(procedure: ir.Procedure, variable: ir.Variable) -> bool:
    """A scalar integer of this procedure that nothing else is a name for."""
    own = variable.area.owner == procedure.key and variable.area.kind == "local"
    return (own and variable.type.kind == "integer" and variable.shape.kind == "scalar" and variable.value is None
            and not (variable.pointer or variable.target or variable.allocatable))


def _named(stmt: ir.Stmt) -> Iterator[str]:
    """What a statement names, but for the blocks inside it and a DO variable where it stands."""
    for expr in _expressions(stmt):
        for one in walk(expr):
            if isinstance(one, ir.Ref):
                yield one.name
            elif isinstance(one, ir.OpaqueExpr):
                yield from one.reads


def _given_values(stmt: ir.Stmt) -> frozenset[str]:
    """The variables to which a statement gives values otherwise than as a DO loop."""
    implied = frozenset(one.var for expr in _expressions(stmt) for one in walk(expr) if isinstance(one, ir.ImpliedDo))
    target = stmt.target if isinstance(stmt, ir.Assign) else stmt.result if isinstance(stmt, ir.Call) else None
    return implied if target is None else implied | {target.name}


def _expressions(stmt: ir.Stmt) -> Iterable[ir.Expr]:
    match stmt:
        case ir.Assign():
            return (stmt.target, stmt.value)
        case ir.Call():
            object_ = None if stmt.dispatch is None else stmt.dispatch.object
            return (*(argument.value for argument in stmt.args),
                    *(one for one in (stmt.result, stmt.pointer, object_) if one is not None))
        case ir.If() | ir.While():
            return () if stmt.cond is None else (stmt.cond,)
        case ir.Where():
            return (stmt.mask,)
        case ir.Do():
            return tuple(one for one in (stmt.start, stmt.stop, stmt.step) if one is not None)
        case ir.Select():
            return (stmt.selector,)
        case ir.Return():
            return () if stmt.alternate is None else (stmt.alternate,)
        case ir.Stop():
            return () if stmt.code is None else (stmt.code,)
        case _:
            return ()


def reach(expr: ir.Expr | None, constant: Constant, ranges: Ranges) -> Interval | None:
    """The least and the greatest value that an expression may have; None where that is not known."""
    number = constant(expr)
    if number is not None:
        return number, number
    match expr:
        case ir.Ref() if len(expr.parts) == 1 and expr.parts[0].subscripts is None:
            return ranges.get(expr.name)
        case ir.Unary(op="-", operand=operand):
            inner = reach(operand, constant, ranges)
            return None if inner is None else (_bounded(-inner[1]), _bounded(-inner[0]))
        case ir.Binary(op="+" | "-" | "*" as op, left=left, right=right):
            return _combined(op, reach(left, constant, ranges), reach(right, constant, ranges))
        case _:
            return None


def _combined(op: str, a: Interval | None, b: Interval | None) -> Interval | None:
    if a is None or b is None:
        return None
    if op == "*":
        every = [one*other for one in a for other in b]
        if any(abs(one) >= HIGHEST for one in (*a, *b)):
            return None
        return min(every), max(every)
    low, high = (b if op == "+" else (-b[1], -b[0]))
    return _bounded(a[0] + low if LOWEST not in (a[0], low) else LOWEST), \
        _bounded(a[1] + high if HIGHEST not in (a[1], high) else HIGHEST)


def _bounded(value: int) -> int:
    return max(LOWEST, min(HIGHEST, value))


def reached(subscript: ir.Subscript, constant: Constant, ranges: Ranges) -> Interval | None:
    """What a subscript selects at most; None where that is not known."""
    if not isinstance(subscript, ir.Range):
        return reach(subscript, constant, ranges)
    step = 1 if subscript.step is None else constant(subscript.step)
    if not step:
        return None
    ends = (subscript.lower, subscript.upper) if step > 0 else (subscript.upper, subscript.lower)
    low, high = (reach(one, constant, ranges) for one in ends)
    return LOWEST if low is None else low[0], HIGHEST if high is None else high[1]
