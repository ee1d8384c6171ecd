"""What earlier runs found about a head: all traces in one entry of the cache, large values each in one of its own.

Every entry's key is a hash, and every value is sealed to its key (:mod:`snapset.frontend.persistence.disk_cache`), so
what is damaged or gone is made again. Of a question the last few answers are remembered: who takes an edit back finds
what was there.
"""

from __future__ import annotations

from typing import Any, Protocol

from snapset.analysis.incremental.query_engine import Node, Stamp, Trace
from snapset.frontend.persistence.fingerprint import digest, spelled

RUNS = 6
"""An answer that was not asked for in so many runs that wrote something is forgotten."""
ANSWERS = 3
"""So many answers to one question are remembered."""


class Store(Protocol):
    """Values by key, kept between runs."""

    def get(self, key: bytes) -> Any | None:
        """The value, None where there is none."""

    def put(self, key: bytes, value: Any) -> None:
        """Keep a value of snapset's own classes and plain data."""


class TraceStore:
    """The traces that earlier runs left of one head under one choice of options. ``name``: their key in ``store``."""

    def __init__(self, store: Store, name: bytes) -> None:
        self.store = store
        self.name = name
        old = store.get(name)
        self._old: dict[Node, tuple[int, tuple[Trace, ...]]] = old if isinstance(old, dict) else {}
        self._used: dict[Node, tuple[Trace, ...]] = {}
        self._changed = False

    def traces(self, node: Node) -> tuple[Trace, ...]:
        """The answers that a question had, the last one first."""
        if node in self._used:
            return self._used[node]
        return self._old[node][1] if node in self._old else ()

    def keep(self, node: Node, trace: Trace) -> None:
        """An answer of this run, or one of an earlier run that is still right."""
        known = self.traces(node)
        if known and known[0] is trace:
            self._used[node] = known
            return
        self._changed = True
        others = [one for one in known if one is not trace and one.reads != trace.reads]
        self._used[node] = (trace, *others[:ANSWERS - 1])

    def large(self, stamp: Stamp) -> Any | None:
        """A value that has an entry of its own; None where it is damaged or gone."""
        return self.store.get(_place(stamp))

    def keep_large(self, stamp: Stamp, value: Any) -> None:
        """Give it one."""
        self.store.put(_place(stamp), value)

    def save(self) -> None:
        """Hand the traces to the store, those that were not asked for lately left out."""
        if not self._changed:
            return
        kept = {node: (age + 1, traces) for node, (age, traces) in self._old.items()
                if age + 1 < RUNS and node not in self._used}
        kept.update((node, (0, traces)) for node, traces in self._used.items())
        self.store.put(self.name, kept)


def _place(stamp: Stamp) -> bytes:
    return digest("large", spelled(stamp))
