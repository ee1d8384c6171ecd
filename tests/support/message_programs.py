"""Fortran programs of the published patterns, and short ways to run programs on ranks."""

from __future__ import annotations

from typing import Any

from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankedRun, RankOptions, compare_ranks
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


def on_ranks(text: str, head: str, ranks: int, values: dict[str, Any] | None = None, **wanted: Any) -> RankedComparison:
    options = RankOptions(ranks, **wanted)
    return compare_ranks(load_text(text), parse_heads([head])[0], (), Inputs(values or {}), options)


def plan(found: RankedComparison, name: str) -> RankedRun:
    return next(one for one in found.runs if one.plan == name)
