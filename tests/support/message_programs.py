"""Fortran programs of the published patterns, and short ways to run programs on ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.messages.communicators import Communicators
from snapset.analysis.messages.exchange import Exchange
from snapset.analysis.messages.strands import run_strands
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.replay.experiment.gradient import primal, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankedRun, RankOptions, compare_ranks
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.ranks.mpi_machine import MpiMachine
from snapset.analysis.replay.ranks.rank_events import SecondRuns
from snapset.analysis.replay.ranks.rank_port import RankPort
from snapset.analysis.replay.ranks.rank_threads import RankThread
from snapset.frontend.ir import Program
from snapset.frontend.load import load_text
from snapset.library.analysis import parse_heads

_CALLS = {
    "send": "call mpi_send({buffer}, 1, mpi_double_precision, {peer}, {tag}, mpi_comm_world, ierr)",
    "recv": "call mpi_recv({buffer}, 1, mpi_double_precision, {peer}, {tag}, mpi_comm_world, mpi_status_ignore, ierr)",
    "isend": "call mpi_isend({buffer}, 1, mpi_double_precision, {peer}, {tag}, mpi_comm_world, req({tag}), ierr)",
    "irecv": "call mpi_irecv({buffer}, 1, mpi_double_precision, {peer}, {tag}, mpi_comm_world, req({tag}), ierr)",
    "wait-send": "call mpi_wait(req({tag}), mpi_status_ignore, ierr)",
    "wait-recv": "call mpi_wait(req({tag}), mpi_status_ignore, ierr)",
}


def fortran_of(pattern: dict[str, Any]) -> str:
    """One program for all ranks: each message has a tag and buffers of its own."""
    names = list(dict.fromkeys(one[2] for rank in pattern["ranks"] for stretch in rank.values() for one in stretch))
    lines = ["subroutine model(x, y)", "use mpi", "implicit none", "real(8), intent(inout) :: x",
             "real(8), intent(out) :: y", f"real(8) :: out({max(1, len(names))}), in({max(1, len(names))})",
             f"integer :: rank, ierr, req({max(1, len(names))})", "out = 0", "in = 0",
             "call mpi_comm_rank(mpi_comm_world, rank, ierr)"]
    for stretch in ("U", "C", "D"):
        lines += ["!$AD CHECKPOINT-START"] * (stretch == "C")
        for number, rank in enumerate(pattern["ranks"]):
            lines += [f"if (rank == {number}) then", *(line for one in rank[stretch] for line in _lines(one, names)),
                      "x = sin(x)*x", "end if"]
        lines += ["!$AD CHECKPOINT-END"] * (stretch == "C")
    return "\n".join([*lines, "y = x*x", "end subroutine model", ""])


def _lines(operation: list[Any], names: list[str]) -> list[str]:
    kind, peer, message = operation
    tag = names.index(message) + 1
    side = "in" if kind in ("recv", "irecv") else "out"
    call = _CALLS[kind].format(buffer=f"{side}({tag})", peer=peer, tag=tag)
    if kind in ("send", "isend"):
        return [f"out({tag}) = x*x", call, "x = cos(x)"]
    return [call, f"x = x + x*in({tag})"] if kind in ("recv", "wait-recv") else [call]


def on_ranks(text: str | Program, head: str, ranks: int, values: dict[str, Any] | None = None,
             **wanted: Any) -> RankedComparison:
    program = load_text(text) if isinstance(text, str) else text
    return compare_ranks(program, parse_heads([head])[0], (), Inputs(values or {}), RankOptions(ranks, **wanted))


def plan(found: RankedComparison, name: str) -> RankedRun:
    return next(one for one in found.runs if one.plan == name)


def on_all(text: str, head: str, size: int, work: Any, sends: Any = "synchronous") -> list[Any]:
    """Run ``work(rank, head, machine, ranked)`` on simulated ranks."""
    return on_machine(*ranked_machine(load_text(text), head), size, work, sends)


def ranked_machine(program: Program, head: str) -> tuple[Head, Machine]:
    """What all ranks run, again and again."""
    analysis = prepare(program, parse_heads([head])[0], AnalysisOptions())
    root = next(key for key in analysis.models.program.procedures if key == head.partition("(")[0])
    return analysis.head, Machine(analysis.models.program, root, ranked=True)


def on_machine(head: Head, machine: Machine, size: int, work: Any, sends: Any = "synchronous") -> list[Any]:
    """As :func:`on_all`, of a machine that is there."""
    exchange, communicators, found = Exchange(sends), Communicators(size), [None] * size
    threads: list[RankThread] = []

    def body(rank: int) -> Any:
        def run() -> None:
            port = RankPort(rank, size, exchange, communicators, SecondRuns(), threads[rank].wait)
            found[rank] = work(rank, head, machine, MpiMachine(port))
        return run

    threads += [RankThread(body(rank)) for rank in range(size)]
    end = run_strands(threads, exchange, ())
    assert end.ends, end
    return found


def check_derivative(text: str | Program, head: str, size: int, values: dict[str, Any] | None = None) -> None:
    """The store-all gradient of one rank's inputs is the difference quotient of the sum of all ranks' results."""
    step = 1e-6
    inputs = [Inputs(values or {}, 1 + rank) for rank in range(size)]
    program = load_text(text) if isinstance(text, str) else text
    run = ranked_machine(program, head)

    def gradients(rank: int, head: Any, machine: Machine, ranked: MpiMachine) -> Any:
        return store_all(head, machine, inputs[rank], ranked=ranked)[0].values

    whole = on_machine(*run, size, gradients)
    mover = size - 1
    for variable, slopes in whole[mover].items():
        direction = np.cos(np.arange(slopes.size)).reshape(slopes.shape, order="F")
        totals = []
        for sign in (1, -1):
            def objective(rank: int, head: Any, machine: Machine, ranked: MpiMachine, sign: int = sign,
                          variable: str = variable, direction: Any = direction) -> float:
                moved = {variable: sign * step * direction} if rank == mover else None
                return primal(head, machine, inputs[rank], moved, ranked)
            totals.append(sum(on_machine(*run, size, objective)))
        expected = float(np.sum(slopes * direction))
        assert (totals[0] - totals[1]) / (2 * step) == pytest.approx(expected, rel=1e-6, abs=1e-8)
