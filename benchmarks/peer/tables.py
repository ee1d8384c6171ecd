"""The comparison as markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.peer.measure import Run
from benchmarks.peer.sets import STRATEGIES, Row, Saved


@dataclass(frozen=True)
class Shares:
    """Bytes of all parts together, of those that both tools have."""

    peer: int
    ours: Mapping[str, int]

    def ratio(self, strategy: str) -> float | None:
        return self.ours[strategy] / self.peer if self.peer else None


def shares(rows: Iterable[Row]) -> Shares:
    both = [row for row in rows if row.peer is not None]
    return Shares(sum(row.peer.bytes for row in both if row.peer),
                  {s: sum(row.ours[s].bytes for row in both) for s in STRATEGIES})


def parts(rows: Sequence[Row]) -> list[str]:
    """A line for each part: its two sets; of the peer's, what ours leaves out, of ours, what it adds."""
    lines = ["| Part | Callee | Tapenade saves | bytes | " +
             " | ".join(f"{s}: less | more | bytes" for s in STRATEGIES) + " | lazy is |",
             "|---|---|---|---:|" + "---|---|---:|" * len(STRATEGIES) + "---|"]
    for row in rows:
        cells = [row.part, row.callee or "(marked)", *_peer(row)]
        for strategy in STRATEGIES:
            cells += _ours(row.ours[strategy], row.peer)
        lines.append("| " + " | ".join((*cells, row.relation("lazy") or "not paired")) + " |")
    return lines


def summary(rows: Sequence[Row]) -> list[str]:
    """How many parts, and the ratio of the bytes."""
    total = shares(rows)
    found = []
    for strategy in STRATEGIES:
        counted = Counter(row.relation(strategy) or "not paired" for row in rows)
        kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(counted.items()))
        ratio = total.ratio(strategy)
        share = "nothing to compare" if ratio is None else f"{100*ratio:.1f} % of Tapenade's"
        found.append(f"- {strategy}: {len(rows)} parts, {kinds}; {total.ours[strategy]:,} bytes to Tapenade's "
                     f"{total.peer:,}: {share}")
    return found


def heads_table(found: Mapping[str, Sequence[Row]], refused: Mapping[str, str]) -> list[str]:
    """A line for each head: the sets of strategy lazy. ``refused``: by head, why the peer makes no adjoint of it."""
    kinds = ("equal", "smaller", "larger", "other", "not paired")
    lines = [f"| Head | parts | {' | '.join(kinds)} | bytes: Tapenade | lazy |", "|---|" + "---:|" * (len(kinds) + 3)]
    for head, rows in found.items():
        counted = Counter(row.relation("lazy") or "not paired" for row in rows)
        total = shares(rows)
        lines.append(f"| {_procedure(head)} | {len(rows)} | " + " | ".join(str(counted[kind]) for kind in kinds) +
                     f" | {total.peer:,} | {total.ours['lazy']:,} |")
    return [*lines, *(f"| {_procedure(head)} | {why} |" for head, why in refused.items())]


def times(runs: Mapping[str, Sequence[Run]]) -> list[str]:
    """Wall time and memory of each tool: the median of the rounds, and all of them."""
    lines = ["| Tool | wall time, s | each round | peak memory, MiB |", "|---|---:|---|---:|"]
    for tool, rounds in runs.items():
        each = ", ".join(f"{r.seconds:.2f}" for r in rounds)
        lines.append(f"| {tool} | {median(r.seconds for r in rounds):.2f} | {each} | "
                     f"{median(r.bytes for r in rounds)/2**20:.0f} |")
    return lines


def _procedure(head: str) -> str:
    return head.partition("(")[0].strip()


def _peer(row: Row) -> list[str]:
    if row.peer is None:
        return ["?", "?"]
    return [_listed(row.peer.names) + ("" if row.run else " (not run)"), f"{row.peer.bytes:,}"]


def _ours(ours: Saved, peer: Saved | None) -> list[str]:
    if peer is None:
        return ["", _listed(ours.names), f"{ours.bytes:,}"]
    return [_listed(peer.names - ours.names, ""), _listed(ours.names - peer.names, ""), f"{ours.bytes:,}"]


def _listed(names: Iterable[str], nothing: str = "-") -> str:
    return " ".join(f"`{name}`" for name in sorted(names)) or nothing
