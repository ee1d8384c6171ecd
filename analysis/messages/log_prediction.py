"""The log's height over time, from the plan alone: nothing is executed, no value exists.

The second run of a part frees what it reads and logs what parts in it will read, so that the height changes at each
receive by what is pushed less what is freed; over an adjoint there are as many such walks as second runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from snapset.analysis.messages.checkpointed_ranks import RerunPlan
from snapset.analysis.messages.communication_trace import TAKES, Event, Trace, TracePart, events_of


def predicted_log(trace: Trace, plan: RerunPlan) -> tuple[int, int]:
    """The peak, and all that is written, in bytes, of one rank."""
    if plan.popular or not plan.checkpoints:
        return 0, 0
    changes = [*_pushes(trace, plan), *_second_runs(trace, plan, frozenset())]
    return max(accumulate(changes), default=0), sum(one for one in changes if one > 0)


def _received(trace: Trace) -> Iterator[Event]:
    return (one for one in events_of(trace) if one.kind in TAKES)


def _logged(part: TracePart, plan: RerunPlan) -> list[Event]:
    again = plan.resent.get(part.name, frozenset())
    return [one for one in _received(part.body) if one.message not in again]


def _pushes(body: Trace, plan: RerunPlan) -> Iterator[int]:
    """The first run of a body, none of which was logged."""
    for one in body:
        if isinstance(one, TracePart):
            yield from (event.bytes for event in _logged(one, plan))


def _second_runs(body: Trace, plan: RerunPlan, held: frozenset[str]) -> Iterator[int]:
    """The second runs of the parts of a body, last first, each with those in it. ``held``: messages whose entries an
    outer part keeps to its end."""
    for one in reversed(body):
        if isinstance(one, TracePart):
            yield from _again(one, plan, held)


def _again(part: TracePart, plan: RerunPlan, held: frozenset[str]) -> Iterator[int]:
    """The second run of one part: what each receive frees and logs, then those of the parts in it."""
    sent_again, keep = plan.resent.get(part.name, frozenset()), plan.nested == "keep"
    at_end = 0
    for one in part.body:
        inner = {event.message for event in _logged(one, plan)} if isinstance(one, TracePart) else set()
        for event in _received((one,)):
            logged, wanted = event.message not in sent_again, event.message in inner
            if logged and event.message not in held:
                if keep and wanted:
                    at_end += event.bytes
                else:
                    yield -event.bytes
            if wanted and not (keep and logged):
                yield event.bytes
    of_outer = {event.message for event in _logged(part, plan)} if keep else ()
    yield from _second_runs(part.body, plan, frozenset(of_outer))
    yield -at_end
