"""What a node of a running program costs in steps: one, or as many as its arrays have elements.

``a(2:n) = b(2:n) + c`` costs n - 1 elements, ``call f(x)`` and ``t = x(i)`` one step each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from snapset.analysis.replay.codegen.compiled_procedure import Function
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import FAILURES
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


def _of(lowering: NodeFunctions) -> Mapping[int, Callable[..., int]]:
    table: dict[int, Function] = {}
    lowering.names["elements_of"] = _elements_of
    for node in lowering.flow.nodes:
        sizes = list(_sizes(node, lowering))
        if sizes:
            lowering.source.define(table, node.index, f"e{node.index}", "s, f", [f"return max(1, {', '.join(sizes)})"])
    lowering.compile()
    return MappingProxyType({node: _certain(function) for node, function in table.items()})


def _sizes(node: Node, lowering: NodeFunctions) -> Iterator[str]:
    """Code of the elements of every array that a node names; what cannot be laid out is no step's cost."""
    values = lowering.values.at(node.span)
    for ref in _arrays(node):
        try:
            place = values.slot(ref)
            yield f"elements_of({place.code}, {values.index(ref, place)})"
        except RefusedError:
            continue


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


def _certain(function: Function) -> Callable[..., int]:
    """A statement that goes wrong does so when it runs, not when its cost is asked."""

    def cost(s: list[Slot], frame: Any) -> int:
        try:
            return int(function(s, frame))
        except FAILURES:
            return 1

    return cost
