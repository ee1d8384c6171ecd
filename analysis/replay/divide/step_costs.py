"""What a node of a running program costs in steps: one, or as many as its arrays have elements.

``a(2:n) = b(2:n) + c`` costs n - 1 elements, ``call f(x)`` and ``t = x(i)`` one step each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeAlias

from snapset.analysis.replay.codegen.compiled_procedure import CompiledProcedure, Function
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.fused.compile import FusedFunction, compile_fused
from snapset.analysis.replay.fused.register_slots import Slots
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import FAILURES
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Index, Slot
from snapset.analysis.replay.memory.variable_slots import RefusedError
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Node
from snapset.frontend.ir.expression_queries import walk

Unit: TypeAlias = Literal["elements", "statements"]
Costs: TypeAlias = Mapping[str, Mapping[int, Callable[..., int]]]  # by procedure and node; 1 where there is none


def step_costs(machine: Machine, unit: Unit) -> Costs:
    """The nodes that may cost more than one step, with functions of (slots, frame) that tell before they run."""
    if unit == "statements":
        return MappingProxyType({key: {} for key in machine.codes})
    return MappingProxyType({key: lowering.once("step costs", step_costs, partial(_of, lowering))
                             for key, lowering in machine.lowerings.items()})


class CountingMachine(Machine):
    """A machine whose plain runs count what nodes cost: whole procedures as functions, as other machines run them.
    ``more``: the steps of all that has run beyond one for each node."""

    def __init__(self, machine: Machine, costs: Costs) -> None:
        vars(self).update(vars(machine))
        self.costs = costs
        self.more = 0
        self.compiled = {}
        self.codes = {key: replace(code, run=self._counting(code.run, costs[key]),
                                   choose=self._counting(code.choose, costs[key]))
                      for key, code in machine.codes.items()}

    def _counting(self, functions: Mapping[int, Function], costs: Mapping[int, Callable[..., int]]
                  ) -> dict[int, Function]:
        return {node: partial(self._counted, run, costs[node]) if node in costs else run
                for node, run in functions.items()}

    def _counted(self, run: Function, cost: Callable[..., int], s: list[Slot], frame: Frame) -> object:
        self.more += cost(s, frame) - 1
        return run(s, frame)

    def directly(self, code: CompiledProcedure) -> FusedFunction | None:
        key = code.procedure.key
        if key not in self.compiled:
            self.compiled[key] = self.lowerings[key].once(f"counting {bool(self.costs[key])}", step_costs,
                                                          partial(self._compiled, key))
        return self.compiled[key]

    def _compiled(self, key: str) -> FusedFunction | None:
        lowering, costs = self.lowerings[key], self.costs[key]
        lowering.names |= {f"cost{node}": cost for node, cost in costs.items()}
        return compile_fused(lowering, Slots(lowering, self.shared), lowering.code.procedure.body, "counting",
                             costly=frozenset(costs))


def _of(lowering: NodeFunctions) -> Mapping[int, Callable[..., int]]:
    table: dict[int, Function] = {}
    lowering.names |= {"elements_of": _elements_of, "size_of": _size_of, "COST_FAILURES": FAILURES}
    for node in lowering.flow.nodes:
        sizes = list(dict.fromkeys(_sizes(node, lowering)))
        if sizes:  # a statement that goes wrong does so when it runs, not when its cost is asked
            lowering.source.define(table, node.index, f"e{node.index}", "s, f", [
                "try:", f" return max(1, {', '.join(sizes)})", "except COST_FAILURES:", " return 1"])
    lowering.compile()
    return MappingProxyType(table)


def _sizes(node: Node, lowering: NodeFunctions) -> Iterator[str]:
    """Code of the elements of every array that a node names; what cannot be laid out is no step's cost. Where all of
    them have one shape, code of the one that is asked at least expense."""
    values = lowering.values.at(node.span)
    alike = _alike(node.stmt) if isinstance(node.stmt, ir.Assign) and node.kind == "simple" else ()
    found = {ref: code for ref in alike or _arrays(node) for code in _size(values, ref)}
    if alike and found:
        yield min(found.values(), key=_expense)
    else:
        yield from found.values()


def _size(values: ExpressionCode, ref: ir.Ref) -> Iterator[str]:
    try:
        place = values.slot(ref)
        subs = ref.parts[-1].subscripts
        if not subs or any(part.subscripts for part in ref.parts[:-1]) or ref.substring is not None:
            whole = not values.subscripts(place)
            yield f"size_of({place.code})" if whole else f"elements_of({place.code}, {values.index(ref, place)})"
        elif all((isinstance(sub, ir.Range) and sub.lower and sub.upper) or _is_scalar(sub) for sub in subs):
            yield "*".join(_extent(values, sub) for sub in subs if isinstance(sub, ir.Range)) or "1"
        else:
            yield f"elements_of({place.code}, {values.index(ref, place)})"
    except RefusedError:
        return


def _extent(values: ExpressionCode, sub: ir.Range) -> str:
    """Of ``low:high:step``."""
    assert sub.lower is not None
    assert sub.upper is not None
    low, high = values.value(sub.lower), values.value(sub.upper)
    if sub.step is None:
        return f"max(0, int({high}) - int({low}) + 1)"
    step = values.value(sub.step)
    return f"max(0, (int({high}) - int({low}) + int({step}))//int({step}))"


def _expense(code: str) -> tuple[int, int]:
    return code.startswith("elements_of") + (not code.startswith("size_of")), len(code)


def _alike(stmt: ir.Assign) -> tuple[ir.Ref, ...]:
    """The arrays of an assignment to an array that work on it element by element: all of one shape. None where
    something else may have another, or the target gets its shape by it."""
    if stmt.target.rank == 0:
        return ()
    found: list[ir.Ref] = []
    work: list[ir.Expr] = [stmt.value]
    while work:
        expr = work.pop()
        match expr:
            case ir.Ref(rank=0) if _is_scalar(expr):
                pass
            case ir.Ref() if expr.rank == stmt.target.rank and not any(
                    not _is_scalar(sub) for part in expr.parts for sub in part.subscripts or ()
                    if not isinstance(sub, ir.Range)):
                found.append(expr)
            case ir.Literal_():
                pass
            case ir.Unary():
                work.append(expr.operand)
            case ir.Binary():
                work += (expr.left, expr.right)
            case _:
                return ()
    return tuple(found)


def _is_scalar(expr: ir.Subscript) -> bool:
    """No array is in it."""
    return not isinstance(expr, ir.Range) and not any(
        (isinstance(one, ir.Ref) and one.rank > 0) or isinstance(one, ir.ArrayConstructor) for one in walk(expr))


def _arrays(node: Node) -> Iterator[ir.Ref]:
    match node.stmt:
        case ir.Assign() if node.kind == "simple":
            expressions: tuple[ir.Expr, ...] = (node.stmt.target, node.stmt.value)
        case ir.Where() if node.kind == "simple":
            expressions = (node.stmt.mask,)
        case _:
            expressions = node.test if node.kind == "test" else ()
    for expression in expressions:
        yield from (one for one in walk(expression) if isinstance(one, ir.Ref) and one.rank > 0
                    and one.type.kind in ("real", "complex", "integer", "logical", "character"))


def _elements_of(slot: Slot, index: Index) -> int:
    return 0 if slot.a is None else int(slot.a[index].size)


def _size_of(slot: Slot) -> int:
    return 0 if slot.a is None else int(slot.a.size)
