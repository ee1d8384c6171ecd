"""The 16 published patterns of communication around a part, as traces; their table is independent of snapset."""

from __future__ import annotations

import json
from typing import Any

from snapset.analysis.messages.communication_trace import Event, Ranks, Trace, TracePart

from tests.support.paths import ROOT

TABLE = ROOT / "tests" / "analysis" / "messages" / "mpi-patterns.json"
PATTERNS: dict[str, dict[str, Any]] = json.loads(TABLE.read_text())["patterns"]


def events(operations: list[list[Any]]) -> Trace:
    return tuple(Event(kind, peer, message) for kind, peer, message in operations)


def ranks_of(pattern: dict[str, Any]) -> Ranks:
    return tuple((*events(rank["U"]), TracePart("C", events(rank["C"])), *events(rank["D"]))
                 for rank in pattern["ranks"])
