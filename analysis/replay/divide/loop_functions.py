"""DO loops of a walked run as compiled functions that stop where a step limit comes near.

A loop over a million elements with a stop in its middle runs as Python's loop until the last iteration that certainly
ends before the stop; there its state is written back (variables, iterations left) and the walker goes on node by node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from snapset.analysis.replay.divide.step_costs import Costs
from snapset.analysis.replay.fused.compile import FusedFunction, compile_fused
from snapset.analysis.replay.fused.register_slots import Slots
from snapset.analysis.replay.fused.scalar_values import NotFusableError
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.store_all import OverwrittenPlace, StoreAll
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Loop

Kind: TypeAlias = Literal["plain", "taping", "recording"]
BITS = 48  # of what is counted, the lower ones are bytes where these are counted too


@dataclass(slots=True)
class _Reach:
    """What a generated function sees of its machine. ``left``: the steps it may run, as a limit of its own. ``node``:
    where the walker goes on. ``store``: what it records for."""

    function: FusedFunction
    left: int
    node: int
    store: StoreAll | None = None
    call: None = None

    @property
    def trace(self) -> list[Any]:
        assert self.store is not None
        return self.store.trace

    def target(self, frame: Frame, node: int, slot: int) -> OverwrittenPlace:
        assert self.store is not None
        return self.store.target(frame, node, slot)

    @property
    def limits(self) -> _Reach:
        return self

    def hand_over(self, _: str, frame: Frame, error: Exception, local: Mapping[str, Any]) -> int:
        """The limit is reached, or something went wrong, which the node's own function will tell."""
        self.node, count = self.function.resume(frame, error, local)
        return count


@dataclass(slots=True)
class LoopFunctions:
    """The loops of one procedure that may run as functions, by init node. ``slots``: of the procedure. ``kind``: plain;
    taping: they count what a store-all adjoint would push, too, and a loop with a statement whose bytes are not always
    the same is none of them; recording: they give all that to a store-all adjoint."""

    lowering: NodeFunctions | None
    machine: Machine | None
    loops: Mapping[int, Loop]
    kind: Kind = "plain"
    slots: Slots | None = None
    compiled: dict[int, FusedFunction | None] = field(default_factory=dict)

    def run(self, node: int, frame: Frame, room: int, store: StoreAll | None = None) -> tuple[int, int, int]:
        """Run the loop that begins at ``node``, at most ``room`` steps of it. The steps run, the bytes counted, and
        where control is; none and there where it has to be walked. ``store``: what is recorded for."""
        loop = self.loops[node]
        left = room - len(loop.body) - 4  # an iteration that has begun is ended
        if left <= 0:
            return 0, 0, node
        function = self.function(loop)
        if function is None or not function.fits(frame.s):
            return 0, 0, node
        plain = self.kind == "plain"
        reach = _Reach(function, left if plain else left << BITS, loop.end, store)
        count = function.function(frame.s, frame, reach)
        return (count, 0, reach.node) if plain else (count >> BITS, count % (1 << BITS), reach.node)

    def function(self, loop: Loop) -> FusedFunction | None:
        """The compiled loop; None where that is not possible."""
        if loop.init not in self.compiled:
            assert self.lowering is not None
            assert self.machine is not None
            if self.slots is None:
                self.slots = Slots(self.lowering, self.machine.shared)
            weight = None if self.kind == "plain" else self.weight
            self.compiled[loop.init] = compile_fused(self.lowering, self.slots, (loop.stmt,), f"{self.kind}{loop.init}",
                                                     None, True, weight, self.kind == "recording")
        return self.compiled[loop.init]

    def weight(self, node: int) -> int:
        """One step, and the bytes that a node overwrites. Raises NotFusableError where these are not always the
        same."""
        assert self.lowering is not None
        code = self.lowering.code
        if node in code.spots and node not in code.single:
            raise NotFusableError
        return (1 << BITS) + code.single.get(node, 0)


NO_LOOPS = LoopFunctions(None, None, MappingProxyType({}))


def loop_functions(machine: Machine, costs: Costs, kind: Kind = "plain") -> Mapping[str, LoopFunctions]:
    """By procedure; those of a machine whose memory functions cannot hold (pointers) have none."""
    if not machine.direct:
        return MappingProxyType(dict.fromkeys(machine.lowerings, NO_LOOPS))
    return MappingProxyType({key: lowering.once(f"loop functions {bool(costs[key])} {kind}", loop_functions,
                                                partial(_of, machine, costs[key], lowering, kind))
                             for key, lowering in machine.lowerings.items()})


def _of(machine: Machine, costs: Mapping[int, Any], lowering: NodeFunctions, kind: Kind) -> LoopFunctions:
    flow, code = lowering.flow, lowering.code
    busy = frozenset(code.binds) | frozenset(costs) | frozenset(code.foralls) | frozenset(code.masks)
    found = {loop.init: loop for loop in flow.loops
             if isinstance(loop.stmt, ir.Do) and loop.stmt.kind != "forall" and loop.init >= 0
             and not busy & (loop.body | {loop.init, loop.test})}
    return LoopFunctions(lowering, machine, MappingProxyType(found), kind)
