"""Bytes of a time loop's sets as formulas, and whether they are the same for every step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.costs.stack_figures import Cost
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.costs.tape_pushes import Pushes, tag
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.loops.loop_results import HeldLocation
from snapset.analysis.loops.step_dependencies import RecordedStep
from snapset.analysis.loops.step_model import adjoints_with
from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.sections.rotating_planes import DeadPlane
from snapset.analysis.symbolic.atoms import Name, Sym
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.loop_sums import depends
from snapset.analysis.symbolic.polynomials import ZERO, Quantity, add
from snapset.analysis.symbolic.substitution import known
from snapset.frontend import ir
from snapset.frontend.ir import Area


@dataclass(frozen=True)
class StepBytes:
    """The costs of one recorded step. ``tape``: its forward and backward sweep alone; ``pushes``: of its code.
    ``tagged``: what it leaves, each location's bytes multiplied by a name of its own. ``dead``: planes that restart
    data does not hold."""

    loop: TimeLoop
    step: RecordedStep
    stretches: Mapping[int, ir.Ref]
    pushes: Pushes
    tape: Cost
    tagged: Quantity
    dead: Mapping[int, DeadPlane]

    def size(self, index: int) -> Quantity:
        """The bytes of a location: of its stretch, where it has one."""
        piece = self.stretches.get(index)
        return self.pushes.size(index) if piece is None else self.pushes.selected(piece, index, self.loop.node)

    def sizes(self, bits: int) -> Quantity:
        return add(ZERO, *(self.size(i) for i in members(bits)))

    def restart_sizes(self, bits: int) -> Quantity:
        """The bytes of a set in restart data."""
        return add(ZERO, *map(self._restart_size, members(bits)))

    def _restart_size(self, index: int) -> Quantity:
        dead = self.dead.get(index)
        return self.size(index) - (0 if dead is None else self.pushes.selected(dead.plane, index, self.loop.node))

    def restart_held(self, bits: int) -> tuple[HeldLocation, ...]:
        """:meth:`held` in restart data."""
        infos = self.step.adjoint.model.space.infos
        others = {infos[index].name: (_sections(dead.others), self._restart_size(index))
                  for index, dead in self.dead.items()}
        return tuple(replace(one, shown=others[one.name][0], bytes=others[one.name][1]) if one.name in others else one
                     for one in self.held(bits))

    @cached_property
    def at_end(self) -> tuple[HeldLocation, ...]:
        """What is copied when the step has run."""
        infos, bits = self.step.adjoint.model.space.infos, self.step.at_end
        planes = {infos[index].name: (_sections(refs), self._at_end_size(index))
                  for index, refs in self.step.planes.items()}
        return tuple(replace(one, shown=planes[one.name][0], bytes=planes[one.name][1]) if one.name in planes else one
                     for one in self.held(bits))

    def _at_end_size(self, index: int) -> Quantity:
        planes = self.step.planes.get(index)
        if planes is None:
            return self.size(index)
        return add(ZERO, *(self.pushes.selected(one, index, self.loop.node) for one in planes))

    @property
    def _copied(self) -> Quantity:
        return add(ZERO, *map(self._at_end_size, members(self.step.at_end)))

    def shown(self, index: int) -> str:
        """A location as Fortran, with its stretch."""
        name = self.step.adjoint.model.space.infos[index].name
        piece = self.stretches.get(index)
        return name if piece is None else source(piece) or name

    def held(self, bits: int) -> tuple[HeldLocation, ...]:
        """A set by name; the segments of one variable together."""
        infos, found = self.step.adjoint.model.space.infos, dict[str, HeldLocation]()
        for index in members(bits):
            name, size = infos[index].name, self.size(index)
            before = found.get(name)
            if before is not None and before.bytes is not None:
                size = size + before.bytes
            found[name] = HeldLocation(name, self.shown(index), size)
        return tuple(found[name] for name in sorted(found))

    @property
    def dependencies(self) -> Quantity:
        """What a step leaves behind: its tape, and the copies at its end."""
        return self.tape.left + self._copied

    @property
    def peak(self) -> Quantity:
        """The highest point of the working storage while a step is recorded and reversed."""
        return self.tape.peak + self._copied

    def dependencies_by_name(self) -> tuple[tuple[HeldLocation, ...], Quantity]:
        """What is taped, in inner snapshots, and copied at the end, by location, of branches the worse side; and the
        bytes of control."""
        control = self._counting(None)
        found = {one.name: one for one in self.at_end}
        infos = self.step.adjoint.model.space.infos
        for index in sorted({index for name in self.tagged.names for index in self._tagged(name)}):
            name, more = infos[index].name, self._counting(index) - control
            before = found.get(name)
            if before is not None and before.bytes is not None:
                more = more + before.bytes
            found[name] = HeldLocation(name, self.shown(index) if before is None else before.shown, more)
        return tuple(found[name] for name in sorted(found)), control

    def _counting(self, index: int | None) -> Quantity:
        """What a step leaves if one location alone takes bytes, and control (None: control alone)."""
        one = None if index is None else tag(self.loop.key, index)
        return known(self.tagged, lambda sym: int(sym == one) if sym.what == "tag" else None)

    def _tagged(self, name: Name) -> Iterator[int]:
        """The location whose bytes a name marks; those of callees are in inner snapshots, by the caller's names."""
        key, _, index = name.name.rpartition(":")
        if isinstance(name, Sym) and name.what == "tag" and key == f"@{self.loop.key}":
            yield int(index)

    def varies(self, amount: Quantity) -> bool:
        """Does it depend on the step, or on what only the run of a step tells?"""
        return depends(amount, self.pushes.scope.counter(self.loop.loop)) or bool(self.unknown(amount))

    def unknown(self, amount: Quantity) -> tuple[str, ...]:
        """The trip counts in it that nothing but the run tells, and the sizes of what the loop allocates."""
        return tuple(sorted({one.name for one in amount.names if one.name.startswith("trips(")
                             or (isinstance(one, Sym) and self.resizes(one))}))

    def resizes(self, sym: Sym) -> bool:
        """Is it the size of what the loop allocates, or lets go, or of a result that a call in it makes?"""
        if not sym.what.startswith("size") or sym.area is None:
            return False
        return sym.area.kind == "temporary" or (sym.area, sym.path) in self._allocated

    @cached_property
    def _allocated(self) -> frozenset[tuple[Area | None, tuple[str, ...]]]:
        locations = self.loop.model.space.locations
        return frozenset((locations[i].area, locations[i].path[:-1]) for i in members(self.loop.changed)
                         if locations[i].is_allocation)


def step_bytes(adjoints: Adjoints, records: Mapping[str, ProcedureRecord], loop: TimeLoop, step: RecordedStep,
               stretches: Mapping[int, ir.Ref], dead: Mapping[int, DeadPlane]) -> StepBytes:
    """``records``: of all codes, the loop's before its step was recorded alone."""
    own = adjoints_with(adjoints, loop, step.adjoint.model, step.adjoint)
    structure = HeadStructure(own, adjoints.planning.order())
    every = {**{key: records[key] for key in adjoints.planning.order()}, loop.key: step.record}
    plain, tagged = CostModel(structure, every), CostModel(structure, every, tagged=True)
    index = loop.step.index
    return StepBytes(loop, step, stretches, plain.pushes_of(loop.key), plain.level(loop.key, index).whole,
                     tagged.level(loop.key, index).whole.left, dead)


def _sections(refs: Iterable[ir.Ref]) -> str:
    return ", ".join(source(one) or one.name for one in refs)
