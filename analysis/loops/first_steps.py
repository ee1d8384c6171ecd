r"""What restarts one of the first steps, where the number of the step decides what it reads.

    if (k == 0) then; u = u + dt*f; f0 = f                    step 0 reads no f0
    else; u = u + dt*(1.5*f - 0.5*f0); f0 = f                 later ones do

With k known the test is; so R(i), for any span from step i on, goes backward over steps that each take their own way ::

    R(i) = use(S̄) ∪ use(S_i) ∪ (R(i+1) \ kill(S_i))

and is R, which the others have, for steps behind all numbers that k is compared with.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.dataflow.solver import DirectedGraph, make_graph
from snapset.analysis.loops.restart_data import StepRuns, chain_to_fixpoint
from snapset.analysis.loops.time_loop import TimeLoop
from snapset.frontend import ir

MOST = 8  # steps that are looked at one by one
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "/=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def first_steps(loop: TimeLoop, runs: StepRuns, adjoint: ProcedureAdjoint) -> tuple[May, ...]:
    """R(0), R(1) ... as far as they may be other than R, what the loop overwrites; empty where no number decides.

    ``adjoint``: of a step alone.
    """
    numbers = _numbers(loop)
    tests = {node: found for node in loop.step.nodes if (found := _comparison(loop, node)) is not None}
    if numbers is None or not tests:
        return ()
    start, by = numbers
    ends = [number for _, number in tests.values()]
    count = 0
    while count <= MOST and (start + count*by <= max(ends) if by > 0 else start + count*by >= min(ends)):
        count += 1
    if not 0 < count <= MOST:
        return ()
    alone = runs.closed(adjoint.levels[loop.step.index].entry[0])
    late = runs.along(_pruned(loop, tests, start + count*by))
    behind = chain_to_fixpoint(alone, lambda demanded: late.live(demanded) | alone)[-1]
    every: list[May] = []
    for step in reversed(range(count)):
        one = runs.along(_pruned(loop, tests, start + step*by))
        behind = one.live(behind) | alone
        every.append(behind & loop.changed)
    return tuple(reversed(every))


def _numbers(loop: TimeLoop) -> tuple[int, int] | None:
    """The DO variable's first value and its step, where they are constants."""
    stmt = loop.loop.stmt
    if not isinstance(stmt, ir.Do):
        return None
    start, by = _constant(stmt.start), 1 if stmt.step is None else _constant(stmt.step)
    return None if start is None or not by else (start, by)


def _comparison(loop: TimeLoop, node: int) -> tuple[str, int] | None:
    """``k == 0``: how a test compares the DO variable, and with which number."""
    at, stmt = loop.model.flow.nodes[node], loop.loop.stmt
    if at.kind != "test" or not isinstance(at.stmt, ir.If) or not at.stmt.then or not isinstance(stmt, ir.Do):
        return None
    test = at.test[0]
    if not isinstance(test, ir.Binary) or test.op not in _COMPARED:
        return None
    for var, other, op in ((test.left, test.right, test.op), (test.right, test.left, _TURNED.get(test.op, test.op))):
        number = _constant(other)
        if number is not None and isinstance(var, ir.Ref) and var == stmt.var:
            return op, number
    return None


def _constant(expr: ir.Expr) -> int | None:
    if isinstance(expr, ir.Unary) and expr.op == "-":
        inner = _constant(expr.operand)
        return None if inner is None else -inner
    value = expr.value if isinstance(expr, ir.Literal_) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _pruned(loop: TimeLoop, tests: Mapping[int, tuple[str, int]], value: int) -> DirectedGraph:
    """One step in which the DO variable has a value: the ways that its tests take."""
    flow = loop.model.flow
    inside = set(loop.step.nodes)
    succs = dict(enumerate(flow.succs))
    for node, (op, number) in tests.items():
        succs[node] = tuple(_taken(loop, node, _COMPARED[op](value, number)))
    return make_graph(loop.step.enter, succs, inside)


def _taken(loop: TimeLoop, node: int, holds: bool) -> Iterator[int]:
    stmt = loop.model.flow.nodes[node].stmt
    assert isinstance(stmt, ir.If)
    then = loop.model.flow.first_node.get(stmt.then[0].id)
    for one in loop.model.flow.succs[node]:
        if then is None or (one == then) == holds:
            yield one
