"""Parts of procedures of which earlier runs kept what they record."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.incremental.cached_costs import KeptCoster
from snapset.analysis.incremental.cached_models import KeptHazards
from snapset.analysis.incremental.line_shift import entry_moved
from snapset.analysis.incremental.result_store import Shelf, key_of
from snapset.analysis.part_results import PartBuilder, SecondRun
from snapset.frontend.ir import Procedure
from snapset.frontend.persistence.fingerprint import digest


class KeptParts(PartBuilder):
    """What a callee records in a second run is kept as seen from the line that it begins in."""

    def __init__(self, adjoints: Adjoints, costers: Mapping[str, KeptCoster], hazards: KeptHazards, shelf: Shelf,
                 procedures: Mapping[str, Procedure]) -> None:
        super().__init__(adjoints, costers, hazards, {})
        self.kept = costers
        self.shelf = shelf
        self.procedures = procedures

    def find_second_run(self, name: str, code: str) -> SecondRun:
        span = self.procedures[code].span
        found = self.shelf.store.get(self.second_run_key(name, code))
        if not isinstance(found, SecondRun):
            return super().find_second_run(name, code)
        return _placed(found, span.file, span.line)

    def second_run_key(self, name: str, code: str) -> bytes:
        """Equal ones have the same key, wherever in its file the procedure begins."""
        span = self.procedures[code].span
        wanted = key_of("second run", self.kept[name].name(code), span.file)
        known: bytes | None = self.shelf.small(wanted)
        if known is None:
            found = _placed(super().find_second_run(name, code), span.file, -span.line)
            known = self.shelf.same(key_of("last second run", name, code), digest("second run", wanted), found)
            self.shelf.keep(wanted, known)
        return known


def _placed(found: SecondRun, file: str, lines: int) -> SecondRun:
    """As seen from so many lines above."""
    return SecondRun(tuple(entry_moved(one, file, lines, {}) for one in found.tape),
                     tuple(entry_moved(one, file, lines, {}) for one in found.control))
