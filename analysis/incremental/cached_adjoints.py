"""Adjoint codes and what they record, kept between runs: of what did not change only what other procedures need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from snapset.analysis.activity.code_table import AdjointCode
from snapset.analysis.adjoint.adjoint_liveness import Maker
from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.incremental.cached_activity import KeptActivity
from snapset.analysis.incremental.cached_models import KeptHazards, KeptModels
from snapset.analysis.incremental.result_store import Shelf, key_of
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord, record_code


class KeptAdjoint(ProcedureAdjoint):
    """An adjoint code of which only ``use``, ``out`` and ``lost`` are there from the beginning."""

    __slots__ = ("_make",)

    _make: Callable[[], ProcedureAdjoint]

    def __getattr__(self, name: str) -> Any:
        return _made(self, name, ProcedureAdjoint)


class KeptRecord(ProcedureRecord):
    """A record of which only ``entering`` and ``passed_on`` are there from the beginning."""

    __slots__ = ("_make",)

    _make: Callable[[], ProcedureRecord]

    def __getattr__(self, name: str) -> Any:
        return _made(self, name, ProcedureRecord)


def _made(self: Any, name: str, kind: Any) -> Any:
    names = [one.name for one in fields(kind)]
    if name not in names:
        raise AttributeError(name)
    whole = object.__getattribute__(self, "_make")()
    for one in names:
        object.__setattr__(self, one, getattr(whole, one))
    return object.__getattribute__(self, name)


class KeptAdjoints:
    """The codes of one head, all in joint mode; ``order``: callers first. ``keys``: hashes of what they are made of."""

    def __init__(self, models: KeptModels, activity: KeptActivity, adjoints: Adjoints, hazards: KeptHazards,
                 order: tuple[str, ...], options: str) -> None:
        self.models = models
        self.activity = activity
        self.adjoints = adjoints
        self.hazards = hazards
        self.order = order
        self.keys: dict[str, bytes] = {}
        self._options = options
        for key in reversed(order):
            self._build(key)

    def _build(self, key: str) -> None:
        shelf, by_key, called = self.models.shelf, self.adjoints.by_key, self.models.facts[key].called
        seen = [(c, by_key[c].use, by_key[c].out, by_key[c].lost) for c in self.activity.active_callees(key)]
        hazardous = [bool(self.hazards.in_procedure(c)) for c in called]
        stretches = [repr(self.adjoints.stretches.of(c)) for c in called]
        name = self.keys[key] = key_of("adjoint", self._options, self.models.facts[key].key, self.activity.key(key),
                                       seen, hazardous, stretches, self.hazards.allocating.below(key))
        known: tuple[int, int, int] | None = shelf.small(name)
        if known is None:
            made = by_key[key] = self._make(key)
            shelf.keep(name, (int(made.use), int(made.out), int(made.lost)))
            return
        adjoint = object.__new__(KeptAdjoint)
        for field, value in (("use", known[0]), ("out", known[1]), ("lost", known[2]),
                             ("_make", lambda: self._make(key))):
            object.__setattr__(adjoint, field, value)
        by_key[key] = adjoint

    def _make(self, key: str) -> ProcedureAdjoint:
        return Maker(self.adjoints, self._code(key)).build()

    def _code(self, key: str) -> AdjointCode:
        active, model = self.activity.of[key], self.models.by_key[key]
        callees = {(node, target.key): target.key for node in active.active_calls
                   for target in model.calls[node].targets}
        return AdjointCode(key, key, False, 0, active, callees, frozenset())


class KeptRecords:
    """What the codes record under one strategy; ``by_key`` and the hash of what each was made of."""

    def __init__(self, adjoints: KeptAdjoints, strategy: Strategy) -> None:
        self.adjoints = adjoints
        self.strategy = strategy
        self.by_key: dict[str, ProcedureRecord] = {}
        self.keys: dict[str, bytes] = {}
        entering = dict.fromkeys(adjoints.order, May(EMPTY))
        for key in adjoints.order:
            self._record(key, entering[key], adjoints.models.shelf)
            for callee, required in self.by_key[key].passed_on.items():
                entering[callee] |= required

    def _record(self, key: str, entering: May, shelf: Shelf) -> None:
        name = self.keys[key] = key_of("record", self.strategy.name, self.adjoints.keys[key], int(entering))
        known: Mapping[str, int] | None = shelf.small(name)
        if known is None:
            made = self.by_key[key] = self._make(key, entering)
            shelf.keep(name, {callee: int(bits) for callee, bits in made.passed_on.items()})
            return
        record = object.__new__(KeptRecord)
        for field, value in (("entering", entering), ("passed_on", known),
                             ("_make", lambda: self._make(key, entering))):
            object.__setattr__(record, field, value)
        self.by_key[key] = record

    def _make(self, key: str, entering: May) -> ProcedureRecord:
        return record_code(self.adjoints.adjoints, key, entering, self.strategy)
