"""SN6xx: ranks that send each other messages, and what happens to these where a part runs twice."""

from __future__ import annotations

from snapset.frontend.rules.rule import Rule, source

_SHIFT = """
subroutine p(x, y)
  use mpi
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: got
  integer :: rank, size, req(3), ierr
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  got = x
  {before}
  !$AD CHECKPOINT-START
  y = x*x
  {inside}
  y = y*got
  !$AD CHECKPOINT-END
  {behind}
  y = y*y
end subroutine
"""
_RECEIVE = "call mpi_irecv(got, 1, mpi_double_precision, mod(rank+size-1, size), 1, mpi_comm_world, req(1), ierr)"
_SEND = """call mpi_isend(x, 1, mpi_double_precision, mod(rank + 1, size), 1, mpi_comm_world, req(2), ierr)"""
_WAIT = "call mpi_waitall(2, req, mpi_statuses_ignore, ierr)"
_ALL = f"{_RECEIVE}\n  {_SEND}\n  {_WAIT}"


def _shift(before: str = "", inside: str = "", behind: str = "") -> str:
    return _SHIFT.format(before=before, inside=inside, behind=behind)


RULES = (
    Rule(
        "SN601", ("error",),
        "run twice, the part communicates wrongly: a message crosses its border, or one from behind it is waited for; "
        "proved by following every rank",
        why="The second run's send meets no receive, its receive waits for ever, its wait has no request; where sends "
        "are buffered the wrong program may even end, with messages left over.",
        remedy="log what the part receives and communicate nothing the second time, or move the border so that every "
        "message, with its waits, is wholly inside; `snapset messages --ranks N` runs each way",
        example=source(_shift(f"{_RECEIVE}\n  {_SEND}", _WAIT)),
        cured=source(_shift("", _ALL)),
    ),
    Rule(
        "SN602", ("warning",),
        "a call of MPI that is not understood: one-sided, files, intercommunicators, neighbours, "
        "a message started where its buffer is not seen",
        why="What it does cannot be seen from one call; whether the part may run twice is unknown. Calls that lead to "
        "the start of a message prepared elsewhere are taken to read and write all there is.",
        remedy="move it out of the part, or send and receive; start a message in the procedure that prepares it, or "
        "keep its buffer in a module",
        example=source(_shift(inside="call mpi_win_fence(0, rank, ierr)")),
        cured=source(_shift("call mpi_win_fence(0, rank, ierr)")),
    ),
    Rule(
        "SN603", ("warning",), "a wait for a request that nothing has started on the way to it",
        why="The program itself is wrong: MPI reports an error, or waits for something else.",
        remedy="start it, or set the request to MPI_REQUEST_NULL",
        example=source(_shift("", f"{_ALL}\n  call mpi_wait(req(3), mpi_status_ignore, ierr)")),
        cured=source(_shift("", _ALL)),
    ),
    Rule(
        "SN604", ("warning",), "a request that is started and never completed",
        why="What it receives may arrive at any time, or never; what it sends may not be overwritten. The adjoint has "
        "no event to begin with.",
        remedy="complete it with MPI_WAIT",
        example=source(_shift("", f"{_RECEIVE}\n  {_SEND}\n  call mpi_wait(req(1), mpi_status_ignore, ierr)")),
        cured=source(_shift("", _ALL)),
    ),
    Rule(
        "SN605", ("warning",), "a buffer that is written, or received into and read, while its message is under way",
        why="Which value is sent, or seen, is chance: the program itself is wrong, and so is any adjoint of it.",
        remedy="touch it behind the wait, or communicate a copy",
        example=source(_shift("", f"{_RECEIVE}\n  {_SEND}\n  got = y\n  {_WAIT}")),
        cured=source(_shift("", f"{_ALL}\n  got = got*y")),
    ),
)  # fmt: skip
