"""Costs of procedures' adjoints, kept between runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from snapset.analysis.costs.cost import Cost
from snapset.analysis.costs.model import Coster, Ground
from snapset.analysis.recorded import ProcedureRecord
from snapset.analysis.shelf import Shelf, key_of
from snapset.frontend.fingerprint import digest


class KeptCoster(Coster):
    """The costs of one head under one strategy, none of whose procedures calls itself.

    ``names``: for each procedure the hash of all its costs are computed from but for its callees', by which
    ``callees`` goes.
    """

    def __init__(self, ground: Ground, records: Mapping[str, ProcedureRecord], strategy: str, shelf: Shelf,
                 names: Callable[[str], bytes], callees: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__(ground, records)
        self.shelf = shelf
        self.strategy = strategy
        self._own = names
        self._callees = callees
        self._names: dict[str, bytes] = {}
        self._keys: dict[str, bytes] = {}
        self._whole: dict[str, Cost] = {}

    def name(self, key: str) -> bytes:
        """The hash of all that a procedure's costs are computed from."""
        if key not in self._names:
            self._names[key] = key_of("cost", self.strategy, self._own(key), [self.key(c) for c in self._callees(key)])
        return self._names[key]

    def key(self, procedure: str) -> bytes:
        """The key of a procedure's whole cost: equal ones have the same."""
        if procedure not in self._keys:
            name = self.name(procedure)
            known: bytes | None = self.shelf.small(name)
            if known is None:
                cost = self._whole[procedure] = super().whole(procedure)
                known = self.shelf.same(key_of("last cost", self.strategy, procedure), digest("whole", name), cost)
                self.shelf.keep(name, known)
            self._keys[procedure] = known
        return self._keys[procedure]

    def whole(self, key: str) -> Cost:
        place = self.key(key)
        if key not in self._whole:  # what was worked out just now is there
            known: Cost | None = self.shelf.store.get(place)
            self._whole[key] = super().whole(key) if known is None else known
        return self._whole[key]
