"""Send again, or log? For each part the cheaper, in bytes: what the log holds at most and what is sent again, on the
rank with most of both together.

    cost(plan) = max over ranks of (peak of the log + bytes sent again)

All ways for up to six parts that may choose; of more, one part after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from snapset.analysis.messages.checkpointed_ranks import RerunPlan
from snapset.analysis.messages.communication_trace import OFFERS, Trace, TracePart, events_of
from snapset.analysis.messages.log_prediction import predicted_log
from snapset.analysis.messages.message_log import NestedLog
from snapset.analysis.messages.part_verdicts import InstanceVerdict, resent_messages

MOST_TOGETHER: Final = 6


def least_messages(verdicts: Mapping[str, InstanceVerdict], ranks: Sequence[Trace],
                   nested: NestedLog = "again") -> dict[str, frozenset[str]]:
    """The messages sent again in each instance under the cheapest plan; all runs of a part do alike. Of two that cost
    the same, that which sends less."""
    may = resent_messages(dict(verdicts), "resend")
    parts = sorted({part_of(name) for name, again in may.items() if again})

    def plan(sending: frozenset[str]) -> dict[str, frozenset[str]]:
        return {name: again if part_of(name) in sending else frozenset() for name, again in may.items()}

    def cost(sending: frozenset[str]) -> tuple[int, int]:
        return plan_bytes(ranks, plan(sending), nested), len(sending)

    if len(parts) <= MOST_TOGETHER:
        ways = (frozenset(one for one, chosen in zip(parts, way, strict=True) if chosen)
                for way in product((False, True), repeat=len(parts)))
        return plan(min(ways, key=cost))
    sending: frozenset[str] = frozenset()
    for part in parts:
        sending = min((sending, sending | {part}), key=cost)
    return plan(sending)


def part_of(instance: str) -> str:
    """A part, of one of its runs: ``model 3 run 2`` is one of ``model 3``."""
    return instance.rpartition(" run ")[0] or instance


def plan_bytes(ranks: Sequence[Trace], resent: Mapping[str, frozenset[str]], nested: NestedLog) -> int:
    """What a plan costs."""
    rerun = RerunPlan(resent=dict(resent), nested=nested)
    return max((predicted_log(one, rerun)[0] + sum(_sent_again(one, resent)) for one in ranks), default=0)


def _sent_again(trace: Trace, resent: Mapping[str, frozenset[str]]) -> Iterator[int]:
    """The bytes of each send in each second run."""
    for one in trace:
        if isinstance(one, TracePart):
            again = resent.get(one.name, frozenset())
            yield from (event.bytes for event in events_of(one.body)
                        if event.kind in (*OFFERS, "collective", "icollective") and event.message in again)
            yield from _sent_again(one.body, resent)
