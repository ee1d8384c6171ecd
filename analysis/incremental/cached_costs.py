"""Costs of procedures' adjoints, kept between runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from snapset.analysis.costs.stack_figures import Cost
from snapset.analysis.costs.stack_model import Coster, Ground
from snapset.analysis.incremental.result_store import Shelf, key_of
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.frontend.persistence.fingerprint import digest


class KeptCoster(Coster):
    """The costs of one head under one strategy, none of whose procedures calls itself.

    ``own``: for each procedure the hash of all its costs are computed from but for its callees', by which ``callees``
    goes, and for the line it begins in (``lines``), which matters where that line's number is part of a name.
    """

    def __init__(self, ground: Ground, records: Mapping[str, ProcedureRecord], strategy: str, shelf: Shelf,
                 own: Callable[[str], bytes], callees: Callable[[str], tuple[str, ...]],
                 lines: Callable[[str], int]) -> None:
        super().__init__(ground, records)
        self.shelf = shelf
        self.strategy = strategy
        self._own = own
        self._callees = callees
        self._lines = lines
        self._names: dict[str, bytes] = {}
        self._keys: dict[str, bytes] = {}
        self._whole: dict[str, Cost] = {}

    def name(self, key: str) -> bytes:
        """The hash of all that a procedure's costs are computed from."""
        self.key(key)
        return self._names[key]

    def stays(self, procedure: str) -> bool:
        """Are the costs those of a procedure that begins in this line?"""
        return self._names[procedure] != self._moving(procedure)

    def key(self, procedure: str) -> bytes:
        """The key of a procedure's whole cost: equal ones have the same."""
        if procedure not in self._keys:
            self._keys[procedure] = self._find(procedure)
        return self._keys[procedure]

    def _find(self, procedure: str) -> bytes:
        moving = self._moving(procedure)
        staying = key_of("placed", moving, self._lines(procedure))
        name = self._names[procedure] = moving if self.shelf.small(key_of("by line", moving)) is None else staying
        known: bytes | None = self.shelf.small(name)
        if known is not None:
            return known
        cost = self._whole[procedure] = super().whole(procedure)
        if self.ground.scope(procedure).by_line:
            self.shelf.keep(key_of("by line", moving), True)
            name = self._names[procedure] = staying
        known = self.shelf.same(key_of("last cost", self.strategy, procedure), digest("whole", name), cost)
        self.shelf.keep(name, known)
        return known

    def _moving(self, procedure: str) -> bytes:
        return key_of("cost", self.strategy, self._own(procedure), [self.key(c) for c in self._callees(procedure)])

    def whole(self, key: str) -> Cost:
        place = self.key(key)
        if key not in self._whole:  # what was worked out just now is there
            known: Cost | None = self.shelf.store.get(place)
            self._whole[key] = super().whole(key) if known is None else known
        return self._whole[key]
