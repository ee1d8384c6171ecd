"""Which memory a generated function keeps in Python variables, and when it must be written back or read again."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from snapset.analysis.replay.codegen.compiled_procedure import CompiledProcedure
from snapset.analysis.replay.fused.scalar_values import is_cached
from snapset.analysis.replay.memory.frames import GLOBAL
from snapset.analysis.replay.memory.variable_slots import SlotPlace, dtype_of
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Node


class Slots:
    """The slots of one procedure. ``shared``: areas that several variables overlay.

    ``cached``: held in Python variables. ``dirty``: those of them that something here writes. ``writes``: by node,
    slots it may write (a call: all that other procedures may see). ``pairs``: slots that must not share memory for
    the caching to be right; they do not in a valid program.
    """

    def __init__(self, lowering: NodeFunctions, shared: Mapping[ir.Area, int]) -> None:
        self.code: CompiledProcedure = lowering.code
        procedure = self.code.procedure
        self.places = {p.number: p for p in self.code.layout.slots}
        self._hosts = bool(lowering.program.internal(procedure.key))
        self._shared = shared
        self.visible = frozenset(n for n, p in self.places.items() if self._hosts or self._outside(p))
        self.writes = {n.index: self._written(n, lowering) for n in lowering.flow.nodes}
        self.cached = tuple(sorted(n for n, p in self.places.items() if is_cached(p)))
        own = {n for node in lowering.flow.nodes if node.kind != "call" for n in self.writes[node.index]}
        self.dirty = tuple(n for n in self.cached if n in own)
        self.pairs = tuple(self._pairs(own))

    def _outside(self, place: SlotPlace) -> bool:
        """May the memory be another procedure's?"""
        variable, procedure = place.variable, self.code.procedure
        return (variable.area.kind in GLOBAL or variable.area.kind == "formal" or variable.area.owner != procedure.key
                or variable.name == procedure.result or variable.area in self._shared)

    def _written(self, node: Node, lowering: NodeFunctions) -> frozenset[int]:
        stmt = node.stmt
        match stmt:
            case ir.Assign():
                return frozenset(lowering.values.slot(piece.target).number for piece in lowering.pieces(stmt))
            case ir.Do() if node.kind in ("init", "step"):
                return frozenset((lowering.values.slot(stmt.var).number,))
            case ir.Call() if node.index in self.code.run:  # an intrinsic subroutine: no other procedure runs
                return self.code.touched[node.index]
            case ir.Call():
                return self.code.touched[node.index] | self.visible
            case ir.Allocate() | ir.Deallocate() | ir.IO():
                return self.code.touched[node.index]
        return frozenset()

    def _pairs(self, written: set[int]) -> list[tuple[int, int]]:
        found = []
        cached = set(self.cached)
        outside = [p for n, p in sorted(self.places.items()) if self._outside(p) and p.variable.value is None]
        for one, two in combinations(outside, 2):
            areas = one.variable.area, two.variable.area
            if not {one.number, two.number} & cached or not {one.number, two.number} & written:
                continue
            same = areas[0] == areas[1]
            if (same and areas[0] not in self._shared) or (
                    not same and all(a.kind in GLOBAL or self._is_own_overlay(a) for a in areas)):
                continue
            found.append((one.number, two.number))
        return found

    def _is_own_overlay(self, area: ir.Area) -> bool:
        """EQUIVALENCE of the procedure's own variables."""
        return area in self._shared and area.kind not in GLOBAL and area.owner == self.code.procedure.key

    def moves(self, number: int) -> bool:
        """May the variable get other memory while the procedure runs?"""
        place = self.places[number]
        variable = place.variable
        return (place.leaf.allocatable or variable.allocatable or variable.pointer
                or variable.shape.kind == "deferred")

    # ------------------------------------------------------------ code

    def load(self, number: int) -> str:
        single = dtype_of(self.places[number].leaf.type) == "f4"
        return f"v{number} = s[{number}].a{'[()]' if single else '.item()'}"

    def spill(self, number: int) -> str:
        return f"s[{number}].a[()] = v{number}"

    def view(self, number: int) -> str:
        """What elements are read from and written to: NumPy's array for single precision, else a memory view."""
        if self.moves(number):
            return f"view(s[{number}])"
        return f"s[{number}].a" if dtype_of(self.places[number].leaf.type) == "f4" else f"memoryview(s[{number}].a)"
