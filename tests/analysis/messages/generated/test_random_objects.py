"""Neighbours and requests in objects: who follows a program without running it sees the messages that are sent.

The judge is the run of the same program: call by call the same messages to the same ranks, completed in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from snapset.analysis.messages.communication_trace import Event, TracePart
from snapset.analysis.messages.skeleton.followed_program import FollowedProgram
from snapset.analysis.messages.skeleton.rank_skeleton import RankSkeleton
from snapset.analysis.messages.skeleton.skeleton_program import Decisions, UnprovableError
from snapset.analysis.messages.static_verdicts import static_messages
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.generators.messages.random_objects import HEAD, program, random_objects
from tests.support.message_programs import on_all, on_ranks

BETTER = {"silent": 0, "self-contained": 1, "right-tight": 2, "not right-tight": 3}
_Seen = list[tuple[str, int, str]]


def flat(body: Iterable[Event | TracePart]) -> Iterable[Event]:
    for one in body:
        if isinstance(one, TracePart):
            yield from flat(one.body)
        else:
            yield one


def followed(text: str, size: int) -> list[_Seen] | None:
    """The messages of every rank, as they are followed; None where they cannot be."""
    facts = FollowedProgram.of(load_text(text), "model")
    try:
        ranks = [RankSkeleton(facts, "model", rank, size, Decisions()) for rank in range(size)]
    except UnprovableError:
        return None
    return [[(one.kind, one.peer, one.where.rpartition(":")[2]) for one in flat(rank.body)] for rank in ranks]


def run(text: str, size: int) -> list[_Seen]:
    def events(rank: int, head: Any, machine: Any, ranked: Any) -> _Seen:
        primal(head, machine, Inputs({"x": 0.5}), None, ranked)
        return [(one.kind, one.peer, one.where.rpartition(":")[2]) for one in ranked.port.first]

    found: list[_Seen] = on_all(text, HEAD, size, events)
    return found


def check(seed: int) -> bool:
    """Is the program followed? Then as it runs, and what is proved holds."""
    return agrees(random_objects(seed), 2 + seed % 3)


def agrees(text: str, size: int) -> bool:
    expected, found = run(text, size), followed(text, size)
    if found is None:
        return False
    for rank in range(size):  # the order of events of one call is nobody's
        assert sorted(found[rank]) == sorted(expected[rank]), (text, rank)
        assert [one[2] for one in found[rank]] == [one[2] for one in expected[rank]], (text, rank)
    proved = static_messages(load_text(text), "model")
    assert not proved.said, text
    comparison = on_ranks(text, HEAD, size, {"x": 0.5}, plans=("log", "resend"))
    assert all(one.right for one in comparison.runs), text
    worst = max((BETTER[one.verdict] for one in proved.parts.values() if size in one.sizes), default=3)
    assert max((BETTER[one.verdict] for one in comparison.parts), default=0) <= worst, text
    return True


HERE = "{0}%to = right\n{0}%from = left"
SENT = "call begin({0}, x, 1)\ncall finish({0})"
DIRECT = ("call mpi_sendrecv({0}%b(1), 1, mpi_double_precision, {0}%to, 1, {0}%b(2), 1, mpi_double_precision, "
          "{0}%from, 1, mpi_comm_world, mpi_status_ignore, ierr)")


@pytest.mark.parametrize("lines", [
    f"{HERE}\ncall set({{0}}, -1)\n{SENT}", f"{HERE}\ncall set({{0}}, -1)\n{DIRECT}", f"{HERE}\n{SENT}",
    f"{HERE}\ncall set_one(l, 2, -1)\n{DIRECT}", f"{HERE}\ncall set_every(l(2:2), 1, -1)\n{DIRECT}",
    f"{HERE}\nif (me == 0) call set({{0}}, 1)\n{DIRECT}", f"{HERE}\ncall begin_below(l, 1, x, 1)\ncall finish({{0}})",
    "{0}%near = [right, left]\ncall same({0}%near, left)\n{0}%to = {0}%near(1)\n{0}%from = right\n" + DIRECT,
    "{0}%near(1) = right\n{0}%near = left\n{0}%to = {0}%near(1)\n{0}%from = right\n" + DIRECT,
    "table = right\ntable(2) = 0\ncall same(table(2:), right)\n{0}%to = table(2)\n{0}%from = left\n" + DIRECT,
    "table(2) = right\ntable(3) = left\ncall pair(table(2), -1)\n{0}%to = table(2)\n{0}%from = table(3)\n" + DIRECT,
    f"{HERE}\nl(1) = l(2)\ncall begin({{0}}, x, 1)\ncall begin(l(1), x, 2)\ncall finish({{0}})\ncall finish(l(1))",
    f"{HERE}\n{HERE.replace('{0}', 'l(3)')}\ncall begin({{0}}, x, 1)\ncall begin(l(3), x, 2)\n"
    "call finish_these({0}%r, 4)\ncall mpi_barrier(mpi_comm_world, ierr)\n"
    "call mpi_waitall(4, l(3)%r, mpi_statuses_ignore, ierr)",
])
def test_what_a_call_changes_in_an_object(lines: str) -> None:
    """Neighbours were those of before the call, requests those of all objects of the array."""
    agrees(program(lines.format("l(2)")), 3)


def test_what_is_followed_is_what_runs() -> None:
    assert sum(check(seed) for seed in range(4)) >= 3


@pytest.mark.slow
def test_what_is_followed_is_what_runs_in_500_programs() -> None:
    count = sum(check(seed) for seed in range(100, 600))
    print(f"{count} of 500 followed")
    assert count >= 400
