"""Models of procedures that earlier runs have made: of an unchanged one no more is there than what others see of it.

A model is known by the hash of its procedure's statements, of all that is declared, and of what is seen of the
procedures it calls. What callers see of it, its locations and its summary, has a hash too (:class:`Facts`), the same
one as long as it is equal. Everything else a model has is made when it is asked for, and that should be by analyses of
this very procedure only: an analysis of another one must not depend on more than what can be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from snapset.analysis.allocation.allocation_changes import Where
from snapset.analysis.allocation.allocation_summaries import AllocationSummaries, AllocationSummary
from snapset.analysis.allocation.rerun_hazards import Asked, Hazards, called
from snapset.analysis.dataflow.bitsets import May, Must
from snapset.analysis.incremental.result_store import Relative, Shelf, absolute, key_of, relative
from snapset.analysis.memory.locations import Info, Location, Space
from snapset.analysis.memory.storage_units import shared_sizes
from snapset.analysis.pipeline import unknown_in
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel, Summary
from snapset.analysis.procedures.unexecuted_constructs import unproved
from snapset.analysis.sections.section_summaries import Seen, Stretches
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.interprocedural.lazy_procedures import source_of
from snapset.frontend.persistence.fingerprint import digest

_Summary = tuple[May, May, Must, May, bool]
_Seen = tuple[tuple[Location, ...], tuple[Info, ...], int, int, _Summary, int, int]


class StaleError(Exception):
    """What was kept does not fit what is made from the same input: nothing that was kept can be used."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a procedure before its model is made.

    ``key``: of the model; ``seen``: of what callers see, which is of ``written`` what is visible. ``bounds``: what
    entering it reads. ``called``: what its calls may run. ``unknown``: its calls whose effects are not known.
    """

    key: bytes
    seen: bytes
    visible: int
    smooth: int
    summary: _Summary
    written: int
    bounds: int
    called: tuple[str, ...]
    unknown: tuple[tuple[str, Relative], ...]


class KeptModel(ProcedureModel):
    """A model of which only ``procedure`` and what is in :class:`Facts` is there from the beginning."""

    __slots__ = ("_bounds", "_make")

    _make: Callable[[str], Mapping[str, Any]]
    _bounds: May

    @property
    def bounds_read(self) -> May:
        return self._bounds

    def __getattr__(self, name: str) -> Any:
        if name not in _FIELDS:
            raise AttributeError(name)
        for field, value in object.__getattribute__(self, "_make")(name).items():
            object.__setattr__(self, field, value)
        return object.__getattribute__(self, name)


_FIELDS = frozenset(one.name for one in fields(ProcedureModel))
_VARIABLE = tuple(one.name for one in fields(ir.Variable) if one.name != "span")


class KeptModels(Models):
    """The models of one head's procedures, none of which calls itself."""

    def __init__(self, program: ir.Program, effects: Mapping[str, str], root: str, distinct_pointers: bool,
                 shelf: Shelf) -> None:
        super().__init__(program, effects, root, distinct_pointers)
        self.shelf = shelf
        self.facts: dict[str, Facts] = {}
        self.made: list[str] = []
        self._common = self._environment(effects)

    def _environment(self, effects: Mapping[str, str]) -> bytes:
        """What every model depends on, besides its procedure's statements and those it calls."""
        sources = (source_of(procedure) for procedure in self.program.procedures.values())
        shared = sorted({source.shared for source in sources if source is not None})
        saved = [v for p in self.program.procedures.values() for v in p.variables.values()
                 if v.area.kind == "saved" and v.area.owner == p.key]
        every = [tuple(getattr(v, name) for name in _VARIABLE) for v in saved]
        return key_of("models", shared, sorted(effects.items()), repr(every), self.storage.layout(),
                      self.storage.families.layout())

    def build(self, key: str) -> ProcedureModel:
        """The model of one procedure, those it calls being there: a kept one where nothing it depends on changed."""
        procedure = self.program.procedures[key]
        source = source_of(procedure)
        assert source is not None
        name = key_of("model", key, self._common, source.digest, [self.facts[c].seen for c in source.brief.callees])
        known = self.shelf.small(name)
        if known is not None:
            facts = self.facts[key] = Facts(name, *known)
            model: ProcedureModel = self._kept(procedure, facts)
        else:
            model = self.make(key)
            self.made.append(key)
            self.facts[key] = self._noted(name, model)
        self.by_key[key] = model
        return model

    def _noted(self, name: bytes, model: ProcedureModel) -> Facts:
        home = model.procedure.span
        seen = _seen_of(model)
        kept = self.shelf.same(key_of("seen", model.procedure.key), digest("seen", name), seen)
        unknown = tuple((called, relative(said, home)) for called, said in unknown_in(model))
        facts = Facts(name, kept, *seen[2:5], int(model.written), seen[6], called(model), unknown)
        self.shelf.keep(name, tuple(getattr(facts, one.name) for one in fields(Facts))[1:])
        return facts

    def _kept(self, procedure: ir.Procedure, facts: Facts) -> KeptModel:
        model = object.__new__(KeptModel)
        use, out, kill, shaped, unseen = facts.summary
        summary = Summary(use=use, out=out, kill=kill, shaped=shaped, unseen=unseen)
        for name, value in (("procedure", procedure), ("visible", facts.visible), ("smooth", facts.smooth),
                            ("summary", summary), ("written", facts.written),
                            ("_bounds", facts.bounds),
                            ("_make", lambda name: self._rest(procedure.key, name))):
            object.__setattr__(model, name, value)
        return model

    def _rest(self, key: str, name: str) -> Mapping[str, Any]:
        """What a kept model has not yet: its space alone, or all."""
        seen: _Seen | None = self.shelf.store.get(self.facts[key].seen)
        if name == "space" and seen is not None:
            space = Space()
            for location, info in zip(*seen[:2], strict=True):
                space.add(location, info)
            return {"space": space}
        made = self.make(key)
        self.made.append(key)
        if seen is not None and seen != _seen_of(made):
            raise StaleError(key)
        return {name: getattr(made, name) for name in _FIELDS}

    # ------------------------------------------------------------ what is said

    def unknown_calls(self) -> list[Diagnostic]:
        """As :func:`snapset.analysis.pipeline.unknown_calls`."""
        found: dict[str, Diagnostic] = {}
        for key, facts in self.facts.items():
            for name, said in facts.unknown:
                found.setdefault(name, absolute(said, self.program.procedures[key].span))
        return list(found.values())


    def not_executed(self) -> list[Diagnostic]:
        """As :func:`snapset.analysis.pipeline.not_executed`."""
        shared = shared_sizes(self.program)
        return unproved(one for key in self.facts for one in self._refused(key, shared))

    def _refused(self, key: str, shared: Mapping[ir.Area, int]) -> tuple[Diagnostic, ...]:
        """What the machine refuses in one procedure; of those it calls it looks at their dummy arguments."""
        procedures, facts = self.program.procedures, self.facts[key]
        sources = [source_of(procedures[callee]) for callee in facts.called]
        name = key_of("refused", facts.key, [source and source.digest for source in sources])
        home = procedures[key].span
        known: tuple[Relative, ...] | None = self.shelf.small(name)
        if known is None:
            from snapset.analysis.replay.statements.refused_constructs import refused_in

            found = refused_in(self.program, procedures[key], build_flow(procedures[key]), shared)
            known = tuple(relative(one, home) for one in found)
            self.shelf.keep(name, known)
        return tuple(absolute(one, home) for one in known)


def _seen_of(model: ProcedureModel) -> _Seen:
    """All that analyses of callers may look at."""
    space, summary = model.space, model.summary
    shown = summary.use, summary.out, summary.kill, summary.shaped, summary.unseen
    return (tuple(space.locations), tuple(space.infos), int(model.visible), int(model.smooth), shown,
            int(model.written & model.visible), int(model.bounds_read))


class KeptHazards(Hazards):
    """The hazards of kept models."""

    def __init__(self, models: KeptModels) -> None:
        super().__init__(models)
        self.kept = models
        self.allocating: KeptAllocations = KeptAllocations(models)

    def called(self, key: str) -> tuple[str, ...]:
        return self.kept.facts[key].called

    def alone(self, key: str) -> tuple[Diagnostic, ...]:
        name = key_of("alone", self.kept.facts[key].key, self.allocating.below(key))
        home = self.models.program.procedures[key].span
        known: tuple[Relative, ...] | None = self.kept.shelf.small(name)
        if known is None:
            found = super().alone(key)
            self.kept.shelf.keep(name, tuple(relative(one, home) for one in found))
            return found
        return tuple(absolute(one, home) for one in known)

    def asked_elsewhere(self, key: str) -> tuple[Asked, ...]:
        name = key_of("asked", self.kept.facts[key].key, self.allocating.below(key))
        known: tuple[Asked, ...] | None = self.kept.shelf.small(name)
        if known is None:
            known = super().asked_elsewhere(key)
            self.kept.shelf.keep(name, known)
        return known

    def asked_by_callees(self, key: str) -> str:
        """What is asked below a procedure, where, and what its callees do to allocations: its parts' hazards hang on
        it."""
        asks = [(self.allocating.span(where), state) for callee in self.called(key)
                for where, state in self.allocating.of(callee).asks.items()]
        return repr((self.allocating.below(key), asks))


class KeptAllocations(AllocationSummaries):
    """The summaries of kept models' allocations."""

    def __init__(self, models: KeptModels) -> None:
        super().__init__(models)
        self.kept = models

    def below(self, key: str) -> str:
        """The summaries of what a procedure calls."""
        return repr([self.of(callee) for callee in self.kept.facts[key].called])

    def find(self, key: str) -> AllocationSummary:
        name = key_of("allocations", self.kept.facts[key].key, self.below(key))
        known: AllocationSummary | None = self.kept.shelf.small(name)
        if known is None:
            known = super().find(key)
            self.kept.shelf.keep(name, known)
        return known

    def span(self, where: Where) -> Span:
        """The place of a statement, no model being made for it."""
        return build_flow(self.models.program.procedures[where[0]]).nodes[where[1]].span


class KeptStretches(Stretches):
    """The stretches of kept models."""

    def __init__(self, models: KeptModels) -> None:
        super().__init__(models)
        self.kept = models

    def find(self, key: str) -> Seen:
        facts = self.kept.facts[key]
        name = key_of("stretches", facts.key, [repr(self.of(callee)) for callee in facts.called])
        known: Seen | None = self.kept.shelf.small(name)
        if known is None:
            known = super().find(key)
            self.kept.shelf.keep(name, known)
        return known
