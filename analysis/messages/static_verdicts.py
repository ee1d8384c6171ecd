"""Verdicts on parts without running the program: every rank followed, for 2 to 6 ranks, unknown switches both ways.

A verdict is proved for the numbers of ranks for which the calls could be followed and the program itself ends under
synchronous sends; where there is none, it is unknown, and said why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from snapset.analysis.messages.checkpointed_ranks import RerunPlan, run_plan
from snapset.analysis.messages.communication_trace import PlacedTrace, Ranks, placed
from snapset.analysis.messages.part_verdicts import InstanceVerdict, PartVerdicts, RerunVerdict
from snapset.analysis.messages.skeleton.closed_exchanges import ClosedExchange
from snapset.analysis.messages.skeleton.followed_groups import FollowedGroups, SingleSenders, UntoldError, WildcardError
from snapset.analysis.messages.skeleton.followed_program import FollowedProgram
from snapset.analysis.messages.skeleton.rank_skeleton import RankSkeleton
from snapset.analysis.messages.skeleton.skeleton_program import Decisions, UnprovableError
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen

SIZES: Final = (2, 3, 4, 5, 6)
MOST_WAYS: Final = 64
_Way: TypeAlias = "tuple[Ranks, Mapping[str, tuple[int, ...]]]"
_ORDER: Final[tuple[RerunVerdict, ...]] = ("silent", "self-contained", "right-tight", "not right-tight")


@frozen
class StaticVerdict:
    """What is proved of a part. ``sizes``: for how many ranks. ``reasons``: what crosses its border, or leads back.
    ``crossing``: the places (``file:line``) of its calls with a message that, on some rank, is not wholly inside.
    ``before``: of calls outside that start what is received inside; ``behind``: of calls inside that start what is
    received outside. ``assumed``: what must hold that is not proved."""

    verdict: RerunVerdict
    sizes: tuple[int, ...]
    reasons: tuple[str, ...]
    crossing: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    behind: frozenset[str] = frozenset()
    assumed: tuple[str, ...] = ()


@frozen
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
    facts, closed = FollowedProgram.of(program, root), dict[str, ClosedExchange]()
    for size in SIZES:
        try:
            ways = _followed(facts, root, size, said, closed)
        except WildcardError as error:
            return StaticMessages({}, str(error), error.span, _texts(said))
        except UnprovableError as error:
            why, at = why or str(error), at or error.span
            continue
        if not all(run_plan(one, RerunPlan(checkpoints=False), members=members).end.ends for one, members in ways):
            first = next(iter(closed.values()), None)
            why = why or (f"on {size} ranks the program itself is stuck, or a message has no other end"
                          if first is None else first.why)
            at = at if first is None else at or first.span
            continue
        for ranks, _ in ways:
            trace = placed(ranks)
            verdicts = PartVerdicts(trace)
            for name in trace.parts:
                found[name.rpartition(" run ")[0]].append((size, verdicts.on(name), trace))
    parts = {}
    for name, ours in found.items():
        procedure, _, number = name.rpartition(" ")
        parts[procedure, int(number)] = replace(_worst(ours), assumed=tuple(one.text for one in closed.values()))
    if closed and parts and not why:
        first = next(iter(closed.values()))
        why, at = first.why, first.span
        parts = {**_inside(facts, closed, parts), **parts}
    return StaticMessages(parts, "" if parts and not why else why, at, _texts(said))


def _inside(facts: FollowedProgram, closed: Mapping[str, ClosedExchange],
            parts: Mapping[tuple[str, int], StaticVerdict]) -> dict[tuple[str, int], StaticVerdict]:
    """Calls inside what is closed that may be taken to be closed themselves."""
    sizes = tuple(sorted({size for one in parts.values() for size in one.sizes}))
    return {place: StaticVerdict("self-contained", sizes, (), assumed=(
                f"{name} receives in each call all that it sends there (inside {one.name}, which is not followed)",
                *(other.text for other in closed.values())))
            for key, one in closed.items() for place, name in facts.closing.within(key)}


def _texts(said: dict[tuple[str, Span], str]) -> tuple[tuple[str, Span, str], ...]:
    return tuple((code, span, text) for (code, span), text in said.items())


def _followed(facts: FollowedProgram, root: str, size: int, said: dict[tuple[str, Span], str],
              closed: dict[str, ClosedExchange]) -> list[_Way]:
    """As :func:`_ways`; a procedure that cannot be followed, and can be closed, is added to those that are taken to
    be. Raises UnprovableError where there is none."""
    while True:
        try:
            return _ways(facts, root, size, said, closed)
        except UnprovableError as error:
            around = (key for key in error.within if key not in closed and key != root)
            key = next((one for one in around if facts.closing.possible(one)), None)
            if key is None:
                raise
            closed[key] = ClosedExchange(facts.program.procedures[key].name, str(error), error.span)


def _ways(facts: FollowedProgram, root: str, size: int, said: dict[tuple[str, Span], str],
          closed: Collection[str]) -> list[_Way]:
    """The traces of all ranks, for each way in which what is unknown may be decided."""
    found: list[_Way] = []
    work: list[tuple[bool, ...]] = [()]
    while work:
        given = work.pop()
        ranks, decisions = _all_ranks(facts, root, size, given, closed)
        taken = tuple(decisions.taken)
        for one in ranks:
            said.update(one.said if not taken else {key: text for key, text in one.said.items() if key[0] == "SN605"})
            for request in one.open:
                if request.open and not taken and not any(code == "SN603" for code, _ in one.said):
                    text = f"this request is never completed (rank {one.rank} of {size})"
                    said.setdefault(("SN604", request.span), text)
        members = {message: those for one in ranks for message, those in one.members.items()}
        found.append((tuple(tuple(one.body) for one in ranks), members))
        work += [(*taken[:k], False) for k in range(len(given), len(taken))]
        if len(found) > MOST_WAYS:
            raise UnprovableError("too many conditions that are not known", facts.program.procedures[root].span)
    return found


def _all_ranks(facts: FollowedProgram, root: str, size: int, given: tuple[bool, ...],
               closed: Collection[str]) -> tuple[list[RankSkeleton], Decisions]:
    """All ranks in one way; again and again, until each has told which of the new communicators it is in, and what it
    sends where somebody takes what comes."""
    told, senders, before, span = FollowedGroups(), SingleSenders(), -1, facts.program.procedures[root].span
    while True:
        decisions, found, missing = Decisions(given), list[RankSkeleton](), False
        senders.begin()
        for rank in range(size):
            try:
                found.append(RankSkeleton(facts, root, rank, size, decisions, closed, told, senders))
            except UntoldError:
                missing = True
        if not missing and senders.settled(span):
            return found, decisions
        if missing and told.count() == before:
            raise UnprovableError("a communicator whose ranks are not known", span)
        before = told.count()


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
