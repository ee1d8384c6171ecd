"""May a part that communicates run twice? (mpi-adjoint-checkpointing.txt, sections 1.3 and 4)

*Self-contained*: all events of every message that the part touches are in it, on all ranks: everything again is right
(the popular way). *Right-tight*: no path of the communication graph leads from behind the part back into it: messages
wholly inside may be sent again, the other receives are logged. The paper speaks of arrows from D to C; an arrow from D
to what stands before C on a third rank leads into C as well, by that rank's order, and re-sending then ends in a
deadlock (tests/analysis/messages/test_part_verdicts.py has one), so paths count here. Else everything is logged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from snapset.analysis.messages.communication_graph import MessageArrow, arrows, by_message, reaching
from snapset.analysis.messages.communication_trace import PlacedEvent, PlacedTrace
from snapset.frontend.base.frozen_records import frozen

RerunVerdict: TypeAlias = Literal["silent", "self-contained", "right-tight", "not right-tight"]


@frozen
class InstanceVerdict:
    """The verdict on one run of a part. ``inside``: the messages wholly inside, all of whose pairs may be sent again
    where it is right-tight. ``crossing``: messages with an event inside and one outside. ``arrows_back``: from behind
    the part, to where a path into it begins."""

    name: str
    inside: frozenset[str]
    crossing: tuple[str, ...]
    arrows_back: tuple[MessageArrow, ...]

    @property
    def self_contained(self) -> bool:
        """No message crosses the border."""
        return not self.crossing

    @property
    def right_tight(self) -> bool:
        """No path leads back."""
        return not self.arrows_back

    @property
    def verdict(self) -> RerunVerdict:
        """In one word."""
        if not self.inside and not self.crossing:
            return "silent"
        if self.self_contained and self.right_tight:
            return "self-contained"
        return "right-tight" if self.right_tight else "not right-tight"


class PartVerdicts:
    """The verdicts on all part instances of a trace."""

    def __init__(self, trace: PlacedTrace) -> None:
        self.trace = trace
        self.messages = by_message(trace)
        self.arrows = arrows(trace)

    def on(self, name: str) -> InstanceVerdict:
        """The verdict on one instance."""
        spans = self.trace.parts[name]
        touched = dict.fromkeys(one.event.message for one in self.inside(spans))
        inside = [m for m in touched if all(_is_in(spans, one) for one in self.messages[m])]
        crossing = tuple(m for m in touched if m not in inside)
        return InstanceVerdict(name, frozenset(inside), crossing, self.back(spans))

    def inside(self, spans: dict[int, tuple[int, int]]) -> Iterable[PlacedEvent]:
        """The events of an instance, rank by rank."""
        for rank, (first, behind) in sorted(spans.items()):
            yield from self.trace.events[rank][first:behind]

    def back(self, spans: dict[int, tuple[int, int]]) -> tuple[MessageArrow, ...]:
        """The arrows from D to where C is reached from."""
        reached = reaching(self.trace, self.arrows, self.inside(spans))
        return tuple(arrow for arrow in self.arrows
                     if _is_behind(spans, arrow.start) and not _is_behind(spans, arrow.end)
                     and arrow.end.at < reached[arrow.end.rank])

    def all(self) -> dict[str, InstanceVerdict]:
        """Every instance."""
        return {name: self.on(name) for name in self.trace.parts}


def _is_in(spans: dict[int, tuple[int, int]], one: PlacedEvent) -> bool:
    first, behind = spans.get(one.rank, (0, 0))
    return first <= one.at < behind


def _is_behind(spans: dict[int, tuple[int, int]], one: PlacedEvent) -> bool:
    return one.rank in spans and one.at >= spans[one.rank][1]


def resent_messages(verdicts: dict[str, InstanceVerdict],
                    wanted: Literal["log", "resend"]) -> dict[str, frozenset[str]]:
    """The messages sent again in each instance: under ``resend`` those wholly inside right-tight ones."""
    if wanted == "log":
        return dict.fromkeys(verdicts, frozenset())
    return {name: one.inside if one.right_tight else frozenset() for name, one in verdicts.items()}
