"""Random programs of one text for all ranks: shifts, rings, borders, even and odd, one to all, all to one, collectives,
some of them started and completed apart, with a part around a random stretch."""

from __future__ import annotations

import random

HEAD = "model(x)>(y)"
_START = """subroutine model(x, n, y)
use mpi
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x
real(8), intent(out) :: y
real(8) :: a, b, c
integer :: rank, size, ierr, k, req(20)
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
a = x
b = x
c = x
req = mpi_request_null
"""
_TYPE = "1, mpi_double_precision"
_WORLD = "mpi_comm_world"
PATTERNS = ("shift", "border", "ring", "even-odd", "to-root", "from-root", "collective", "apart", "sendrecv", "loop")


def _stretch(draw: random.Random, kind: str, tag: int) -> list[str]:
    """The statements of one pattern, each of which may be in the part or not."""
    by = draw.choice((1, 1, 2, -1))
    to, source = f"modulo(rank + {by}, size)", f"modulo(rank - ({by}), size)"
    match kind:
        case "shift":
            return [_all(_irecv("a", source, tag), _isend("x", to, tag), _wait(tag), _wait(tag + 1), "x = sin(x)*a")]
        case "apart":
            return [_irecv("b", source, tag), _isend("x", to, tag), "y = sin(x)", _wait(tag), _wait(tag + 1),
                    "x = x*b + y"]
        case "sendrecv":
            return [_all(f"call mpi_sendrecv(x, {_TYPE}, {to}, {tag}, c, {_TYPE}, {source}, {tag}, {_WORLD}, "
                         "mpi_status_ignore, ierr)", "x = x + c*c")]
        case "border":
            left, right = draw.choice(((1, 1), (1, 2)))
            guard = f"if (rank - {left} >= 0 .and. {left} == {right})"
            return [_all(f"if (rank + {right} < size) {_send('x', f'rank + {right}', tag)}" if left == right else "",
                         f"{guard} {_recv('a', f'rank - {left}', tag)}", "x = x*a")]
        case "ring":
            return [_all("if (rank == 0) then", _send("x", "mod(1, size)", tag), _recv("a", "size - 1", tag), "else",
                         _recv("a", "rank - 1", tag), _send("a", "mod(rank + 1, size)", tag), "end if", "x = x*cos(a)")]
        case "even-odd":
            return [_all("if (mod(rank, 2) == 0) then", "if (rank + 1 < size) then", _send("x", "rank + 1", tag),
                         _recv("a", "rank + 1", tag), "end if", "else", _recv("a", "rank - 1", tag),
                         _send("x", "rank - 1", tag), "end if", "x = x + sin(a)")]
        case "to-root":
            return [_all("if (rank == 0) then", "do k = 1, size - 1", _recv("a", "k", tag), "x = x + a*a", "end do",
                         "else", _send("x", "0", tag), "end if")]
        case "from-root":
            return [_all("if (rank == 0) then", "do k = 1, size - 1", _send("x", "k", tag), "end do", "else",
                         _recv("a", "0", tag), "x = x*a", "end if")]
        case "loop":
            return [_all("do k = 1, n", _irecv("a", source, tag), _isend("x", to, tag), _wait(tag), _wait(tag + 1),
                         "x = sin(x + a)", "end do")]
        case _:
            return [_all(f"call mpi_allreduce(x, a, {_TYPE}, mpi_sum, {_WORLD}, ierr)", "x = sin(a)*x")]


def _all(*lines: str) -> str:
    return "\n".join(line for line in lines if line)


def _irecv(name: str, source: str, tag: int) -> str:
    return f"call mpi_irecv({name}, {_TYPE}, {source}, {tag}, {_WORLD}, req({tag}), ierr)"


def _isend(name: str, to: str, tag: int) -> str:
    return f"call mpi_isend({name}, {_TYPE}, {to}, {tag}, {_WORLD}, req({tag + 1}), ierr)"


def _send(name: str, to: str, tag: int) -> str:
    return f"call mpi_send({name}, {_TYPE}, {to}, {tag}, {_WORLD}, ierr)"


def _recv(name: str, source: str, tag: int) -> str:
    return f"call mpi_recv({name}, {_TYPE}, {source}, {tag}, {_WORLD}, mpi_status_ignore, ierr)"


def _wait(tag: int) -> str:
    return f"call mpi_wait(req({tag}), mpi_status_ignore, ierr)"


def random_spmd(seed: int) -> tuple[str, tuple[str, ...]]:
    """A program, and which patterns it is made of."""
    draw = random.Random(seed)
    kinds = tuple(draw.choice(PATTERNS) for _ in range(draw.randint(1, 4)))
    stretches = [one for k, kind in enumerate(kinds) for one in _stretch(draw, kind, 2*k + 1)]
    first = draw.randint(0, len(stretches) - 1)
    behind = draw.randint(first + 1, len(stretches))
    stretches[first:behind] = ["!$AD CHECKPOINT-START", *stretches[first:behind], "!$AD CHECKPOINT-END"]
    return f"{_START}{_all(*stretches)}\ny = x*x\nend subroutine model\n", kinds
