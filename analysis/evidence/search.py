"""What every search for evidence shares: the head's codes, what was solved of them, and how a step is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import May, members, singleton
from snapset.analysis.evidence.steps import EvidenceStep, Role
from snapset.analysis.evidence.watched_levels import SolvedLevels
from snapset.analysis.evidence.ways import nearest_way
from snapset.analysis.procedures.call_binding import Target
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.strategies import Place
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.frontend.base.frozen_records import frozen

Steps = tuple[EvidenceStep, ...]
Entered = frozenset[tuple[str, int, int, str]]  # what is being searched already: code, level, location, for what
NONE_YET: Entered = frozenset()


@frozen
class Search:
    """One head's codes under one strategy; ``records``: theirs."""

    adjoints: Adjoints
    records: Mapping[str, ProcedureRecord]
    solved: SolvedLevels

    def at(self, place: Place) -> tuple[ProcedureAdjoint, LevelAdjoint]:
        """The code and the level that a part stands in."""
        adjoint = self.adjoints.by_key[place[0]]
        return adjoint, adjoint.levels[place[1]]

    def step(self, model: ProcedureModel, node: int, role: Role, location: int, note: str = "") -> EvidenceStep:
        """What a node does to a location of its procedure."""
        span = model.flow.nodes[node].span
        name = model.space.infos[location].name
        return EvidenceStep(span.file, span.line, model.procedure.key, role, name, note, (node,))

    def call_step(self, model: ProcedureModel, callee: ProcedureModel, node: int, location: int,
                  inner: int) -> EvidenceStep:
        """A call that takes a location into a procedure, where it is another one."""
        name, there = callee.procedure.name, callee.space.infos[inner].name
        same = there == model.space.infos[location].name
        return self.step(model, node, "calls", location, name if same else f"{name}, where it is {there}")

    def run(self, model: ProcedureModel, start: int, nodes: Iterable[int], location: int, role: Role) -> Steps | None:
        """The nearest of some nodes from ``start`` on that, run plainly, overwrites a location, or reads it before it
        is overwritten; in the procedures that are called too. ``nodes``: what runs of a stretch."""
        steps: list[EvidenceStep] = []
        running: frozenset[int] | None = frozenset(nodes)
        entered: set[tuple[str, int]] = set()
        while True:
            inner = {node: self._called(model, node, location, role) for node in model.calls}
            again = {node for node, found in inner.items() if found and (found[0].procedure.key, found[1]) in entered}
            nearest = _nearest(model, start, running, location, role, again)
            if nearest is None:
                return tuple(steps) or None
            node, way = nearest
            step = replace(self.step(model, node, role, location), path=way)
            into = inner.get(node)
            if into is None:
                unknown = node in model.calls and not model.calls[node].targets
                return (*steps, replace(step, role="unknown") if unknown else step)
            callee, there = into
            steps.append(replace(self.call_step(model, callee, node, location, there), path=way))
            model, start, running, location = callee, callee.flow.entry, None, there
            entered.add((callee.procedure.key, there))

    def _called(self, model: ProcedureModel, node: int, location: int, role: Role) -> tuple[ProcedureModel, int] | None:
        for target in model.calls[node].targets:
            callee = self.adjoints.models.by_key[target.key]
            writing = role == "overwrites"
            seen = callee.summary.out if writing else callee.summary.use
            for one in meant(model, target, singleton(location), seen, written=writing):
                return callee, one
        return None


def _nearest(model: ProcedureModel, start: int, running: frozenset[int] | None, location: int,
             role: Role, skipped: set[int]) -> tuple[int, tuple[int, ...]] | None:
    """The node, and the way to it from ``start``; ``running``: None where all of the procedure runs. ``skipped``: the
    calls that lead back to where the search has been."""
    bit, effects, succs = singleton(location), model.effects, model.flow.succs

    def does(node: int) -> bool:
        if node in skipped or (running is not None and node not in running):
            return False
        return bool((effects[node].out if role == "overwrites" else effects[node].use) & bit)

    def following(node: int) -> Iterable[int]:
        over = role != "overwrites" and effects[node].kill & bit and (running is None or node in running)
        return () if over else succs[node]

    found = nearest_way([start], following, lambda node: True, lambda node: node if does(node) else None)
    if found is not None:
        return found
    node = next((one for one in sorted(running or range(len(effects))) if does(one)), None)
    return None if node is None else (node, (node,))


def meant(model: ProcedureModel, target: Target, bit: May, among: May, *, written: bool) -> Iterator[int]:
    """The callee's locations ``among`` some that reading, or writing, is reading or writing a caller's one."""
    for one in members(among):
        link = target.link(one)
        if model.space.with_descriptors(model.space.with_aliases(link.out if written else link.use)) & bit:
            yield one


def on_the_way(found: tuple[Steps, tuple[int, ...]] | None) -> Steps | None:
    """The steps, the first one with the way that leads to it."""
    if found is None:
        return None
    (first, *rest), way = found
    return (replace(first, path=(*way[:-1], *first.path)), *rest)
