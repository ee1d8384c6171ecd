"""Verdicts on parts without running the program: every rank followed, for 2 to 6 ranks, unknown switches both ways.

A verdict is proved for the numbers of ranks for which the calls could be followed and the program itself ends under
synchronous sends; where there is none, it is unknown, and said why.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from snapset.analysis.messages.checkpointed_ranks import RerunPlan, run_plan
from snapset.analysis.messages.communication_trace import PlacedTrace, Ranks, placed
from snapset.analysis.messages.part_verdicts import InstanceVerdict, PartVerdicts, RerunVerdict
from snapset.analysis.messages.skeleton.rank_skeleton import RankSkeleton
from snapset.analysis.messages.skeleton.skeleton_program import Decisions, UnprovableError
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span

SIZES: Final = (2, 3, 4, 5, 6)
MOST_WAYS: Final = 16
_ORDER: Final[tuple[RerunVerdict, ...]] = ("silent", "self-contained", "right-tight", "not right-tight")


@dataclass(frozen=True, slots=True)
class StaticVerdict:
    """What is proved of a part. ``sizes``: for how many ranks. ``reasons``: what crosses its border, or leads back.
    ``crossing``: the places (``file:line``) of its calls with a message that, on some rank, is not wholly inside.
    ``before``: of calls outside that start what is received inside; ``behind``: of calls inside that start what is
    received outside."""

    verdict: RerunVerdict
    sizes: tuple[int, ...]
    reasons: tuple[str, ...]
    crossing: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    behind: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StaticMessages:
    """``parts``: by procedure and statement id. ``unknown``: why there is no proof, and where. ``said``: what is wrong
    with the program's own calls, by code and place."""

    parts: dict[tuple[str, int], StaticVerdict]
    unknown: str = ""
    unknown_at: Span | None = None
    said: tuple[tuple[str, Span, str], ...] = ()


def static_messages(program: ir.Program, root: str) -> StaticMessages:
    """Follow every rank of the program from a procedure."""
    found: defaultdict[str, list[tuple[int, InstanceVerdict, PlacedTrace]]] = defaultdict(list)
    said: dict[tuple[str, Span], str] = {}
    why, at = "", None
    for size in SIZES:
        try:
            ways = list(_ways(program, root, size, said))
        except UnprovableError as error:
            why, at = why or str(error), at or error.span
            continue
        stuck = next((ranks for ranks in ways if not run_plan(ranks, RerunPlan(checkpoints=False)).end.ends), None)
        if stuck is not None:
            why = why or f"on {size} ranks the program itself is stuck, or a message has no other end"
            continue
        for ranks in ways:
            trace = placed(ranks)
            verdicts = PartVerdicts(trace)
            for name in trace.parts:
                found[name.rpartition(" run ")[0]].append((size, verdicts.on(name), trace))
    parts = {}
    for name, ours in found.items():
        procedure, _, number = name.rpartition(" ")
        parts[procedure, int(number)] = _worst(ours)
    everything = tuple((code, span, text) for (code, span), text in said.items())
    return StaticMessages(parts, "" if parts and not why else why, at, everything)


def _ways(program: ir.Program, root: str, size: int, said: dict[tuple[str, Span], str]) -> list[Ranks]:
    """The traces of all ranks, for each way in which what is unknown may be decided."""
    found: list[Ranks] = []
    work: list[tuple[bool, ...]] = [()]
    while work:
        given = work.pop()
        decisions = Decisions(given)
        ranks = [RankSkeleton(program, root, rank, size, decisions) for rank in range(size)]
        taken = tuple(decisions.taken)
        for one in ranks:
            said.update(one.said if not taken else {key: text for key, text in one.said.items() if key[0] == "SN605"})
            for request in one.open:
                if request.open and not taken and not any(code == "SN603" for code, _ in one.said):
                    text = f"this request is never completed (rank {one.rank} of {size})"
                    said.setdefault(("SN604", request.span), text)
        found.append(tuple(tuple(one.body) for one in ranks))
        work += [(*taken[:k], False) for k in range(len(given), len(taken))]
        if len(found) > MOST_WAYS:
            raise UnprovableError("too many conditions that are not known", program.procedures[root].span)
    return found


def _worst(ours: list[tuple[int, InstanceVerdict, PlacedTrace]]) -> StaticVerdict:
    worst = max((one for _, one, _ in ours), key=lambda one: _ORDER.index(one.verdict)).verdict
    reasons: dict[str, None] = {}
    for size, one, trace in ours:
        for arrow in one.arrows_back:
            reasons[f"{arrow.start.event.where} (rank {arrow.start.rank} of {size}, behind the part) leads back to "
                    f"{arrow.end.event.where} (rank {arrow.end.rank})"] = None
        places = defaultdict[str, dict[str, None]](dict)
        for event in trace.all():
            if event.event.message in one.crossing:
                inside = "inside" if one.name in event.parts else "outside"
                places[event.event.message][f"{event.event.where} {inside}"] = None
        for where in places.values():
            reasons[f"a message with {', '.join(where)}"] = None
        if reasons:
            break
    crossing = frozenset(event.event.where for _, one, trace in ours for event in trace.all()
                         if one.name in event.parts and event.event.message in one.crossing)
    before, behind = _half_inside(ours)
    return StaticVerdict(worst, tuple(sorted({size for size, _, _ in ours})), tuple(reasons)[:3], crossing, before,
                         behind)


def _half_inside(ours: list[tuple[int, InstanceVerdict, PlacedTrace]]) -> tuple[frozenset[str], frozenset[str]]:
    """Where receives are started outside and completed inside; started inside, and never completed there."""
    before, inside, behind = set[str](), set[str](), set[str]()
    for _, one, trace in ours:
        ends = {(event.rank, event.event.message): event for event in trace.all() if event.event.kind == "wait-recv"}
        for start in trace.all():
            end = ends.get((start.rank, start.event.message)) if start.event.kind == "irecv" else None
            if end is None:
                continue
            if one.name in end.parts:
                (inside if one.name in start.parts else before).add(start.event.where)
            elif one.name in start.parts:
                behind.add(start.event.where)
    return frozenset(before), frozenset(behind - inside)
