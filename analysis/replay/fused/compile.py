"""Compiles generated functions of whole procedures and parts, and hands over to the node functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from snapset.analysis.replay.codegen import confined_code
from snapset.analysis.replay.fused.lines import Mark
from snapset.analysis.replay.fused.register_slots import Slots
from snapset.analysis.replay.fused.scalar_values import NotFusableError
from snapset.analysis.replay.fused.writer import FunctionWriter, Text, Weight
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.partial_columns import PartialColumns
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError, Slot
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

FALLBACK = (ReplayError, ArithmeticError, IndexError, ValueError)


@frozen
class FusedFunction:
    """A compiled function of (slots, frame, machine) that gives the number of statements run.

    ``needed``: slots that must have memory; ``pairs``: slots that must not share it.
    """

    function: Callable[..., int]
    text: Text
    needed: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]

    def fits(self, s: list[Slot]) -> bool:
        """May it run on these slots?"""
        for n in self.needed:
            if s[n].a is None or isinstance(s[n].a, PartialColumns):
                return False
        for one, other in self.pairs:
            a, b = s[one].a, s[other].a
            if a is None or b is None or (a is not b and a.base is None and b.base is None):
                continue  # two that own their memory do not share it
            if np.may_share_memory(a, b):
                return False
        return True

    def resume(self, frame: Frame, error: Exception, local: Mapping[str, Any]) -> tuple[int, int]:
        """Bring the frame to the state the node functions go on from; the node, and the statements run so far.

        Raises:
            Exception: ``error``, where it is another procedure's.
        """
        assert error.__traceback__ is not None
        mark: Mark = self.text.marks[error.__traceback__.tb_lineno - 2]
        if mark.node < 0:
            raise error
        for n in self.text.spills:
            frame.s[n].values[()] = local[f"v{n}"]
        count = int(local["c"]) + mark.pending
        for index in frame.code.flow.nodes[mark.node].loops:
            steps = self.text.loops.get(index)
            if steps is None:
                continue
            by = int(local[f"s{index}"]) if steps.by is None else steps.by
            down = steps.var is None
            left = int(local[f"t{index}"] if down else (local[f"e{index}"] - local[steps.var or ""]) // by)
            frame.loops[index] = [left, by]
            if mark.bulk == index:
                count -= int((local[steps.counted] - local[steps.var or ""]) // by) * steps.each
        return mark.node, count


def compile_fused(lowering: NodeFunctions, slots: Slots, block: ir.Block, name: str,
                  running: frozenset[int] | None = None, stops: bool = False,
                  weight: Weight | None = None, records: bool = False,
                  costly: frozenset[int] = frozenset()) -> FusedFunction | None:
    """The function of a block; None where it has to be run node by node. ``stops``: it may be run in part. ``weight``:
    what a run of a node counts (1); NotFusableError where that is not known. ``records``: it notes what it
    overwrites. ``costly``: nodes of which the machine is told, in ``more``, how much more than one step they cost:
    ``cost5(s, f)`` is one of the procedure's names."""
    if lowering.code.refused:
        return None
    try:
        text = FunctionWriter(lowering, slots, running, stops, weight, records, costly).write(block, name)
    except NotFusableError:
        return None
    lowering.names.update(HELPERS)
    try:
        confined_code.define(text.source, f"{lowering.code.procedure.key} {name}", lowering.names)
    except confined_code.TooDeepError:
        return None
    function = lowering.names[name]
    assert callable(function)
    return FusedFunction(function, text, tuple(n for n in text.needed if n in slots.visible), slots.pairs)


# ---------------------------------------------------------------- what generated functions call


def over() -> int:
    raise OverflowError("an integer leaves its type")


def low() -> int:
    raise IndexError("a subscript is below its bound")


def endless() -> None:
    raise ReplayError("the program does not end within the steps allowed (--max-steps)")


def view(slot: Slot) -> Any:
    """The elements of an allocatable array; none where it is not allocated."""
    a: Array = np.empty((0,) * len(slot.lo)) if slot.a is None else slot.a
    return a if a.dtype == np.float32 else a.data


def truncated(a: int, b: int) -> int:
    """Integer division. Raises ZeroDivisionError."""
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def remainder(a: int, b: int) -> int:
    """MOD of integers. Raises ZeroDivisionError."""
    found = abs(a) % abs(b)
    return -found if a < 0 else found


def nearest(x: float) -> int:
    """NINT: halves away from zero."""
    found = math.floor(abs(x) + 0.5)
    return -found if x < 0 else found


HELPERS: Final = MappingProxyType({
    "FALLBACK": FALLBACK, "over": over, "low": low, "endless": endless, "view": view, "truncated": truncated,
    "remainder": remainder, "nearest": nearest, "sqrt": math.sqrt, "fmod": math.fmod, "copysign": math.copysign,
    "floor": math.floor, "ceil": math.ceil,
})
