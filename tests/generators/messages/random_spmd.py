"""Random programs of one text for all ranks: shifts, rings, borders, even and odd, one to all, all to one, collectives
(with blocks of several sizes, without blocking), persistent requests, probes, tests, types of data, Cartesian places,
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
real(8) :: s, v(16), w(16)
integer :: rank, size, ierr, k, req(20), many(5), places(5), kind, cart, left, right, done, list(2)
logical :: flag
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
a = x
b = x
c = x
v = [(x + k, k = 1, 16)]
w = x
req = mpi_request_null
"""
_TYPE = "1, mpi_double_precision"
_WORLD = "mpi_comm_world"
PATTERNS = ("shift", "border", "ring", "even-odd", "to-root", "from-root", "collective", "apart", "sendrecv", "loop",
            "persistent", "persistent apart", "started collective", "started from root", "varying", "probe", "type",
            "cartesian", "test", "some", "anyone")
UNPROVABLE = frozenset(("some", "anyone"))
"""What hangs on who is faster."""


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
        case "persistent" | "persistent apart":
            init = _all(f"call mpi_recv_init(a, {_TYPE}, {source}, {tag}, {_WORLD}, req({tag}), ierr)",
                        f"call mpi_send_init(s, {_TYPE}, {to}, {tag}, {_WORLD}, req({tag + 1}), ierr)")
            start, wait = f"call mpi_startall(2, req({tag}), ierr)", _waitall(tag)
            if kind == "persistent":
                return [init, _all("do k = 1, n", "s = x*x", start, wait, "x = sin(x + a)", "end do")]
            return [_all(init, "s = sin(x)"), start, "y = cos(x)", wait, "x = x*a + y"]
        case "started collective":
            return [f"call mpi_iallreduce(x, a, {_TYPE}, mpi_sum, {_WORLD}, req({tag}), ierr)", "y = cos(x)",
                    _all(_wait(tag), "x = sin(a)*y")]
        case "started from root":
            return [_all("c = sin(x)", f"call mpi_ibcast(c, {_TYPE}, 0, {_WORLD}, req({tag}), ierr)"), "y = sin(x)",
                    _all(_wait(tag), "x = x*c + y")]
        case "varying":
            return [_varying(draw)]
        case "probe":
            return [_all("s = x", _isend("s", to, tag)),
                    _all(f"call mpi_probe({source}, {tag}, {_WORLD}, mpi_status_ignore, ierr)",
                         _recv("a", source, tag)), _all(_wait(tag + 1), "x = sin(x)*a")]
        case "type":
            return [_all(f"call mpi_type_vector(3, 2, {draw.choice((3, 5))}, mpi_double_precision, kind, ierr)",
                         "call mpi_type_commit(kind, ierr)", "v(1:3) = x*v(1:3)"),
                    _all(f"call mpi_sendrecv(v, 1, kind, {to}, {tag}, w, 1, kind, {source}, {tag}, {_WORLD}, "
                         "mpi_status_ignore, ierr)", "x = sin(x + sum(w))")]
        case "cartesian":
            periodic = draw.choice((".true.", ".false."))
            return [_all(f"call mpi_cart_create({_WORLD}, 1, [size], [{periodic}], .false., cart, ierr)",
                         "call mpi_cart_shift(cart, 0, 1, left, right, ierr)"),
                    _all(f"call mpi_sendrecv(x, {_TYPE}, right, {tag}, c, {_TYPE}, left, {tag}, cart, "
                         "mpi_status_ignore, ierr)", "x = x + c*c")]
        case "test":
            return [_all(_irecv("a", source, tag), "s = x", _isend("s", to, tag)),
                    _all("flag = .false.", "do while (.not. flag)",
                         f"call mpi_testall(2, req({tag}), flag, mpi_statuses_ignore, ierr)", "x = x + 0.01d0*x*x",
                         "end do", "x = sin(x)*a")]
        case "some":
            return [_all(_irecv("a", source, tag), "s = x", _isend("s", to, tag)),
                    _all("done = 0", "do while (done < 2)", f"call mpi_waitsome(2, req({tag}), k, list, "
                         "mpi_statuses_ignore, ierr)", "done = done + k", "x = x*(0.5d0 + 0.1d0*list(1))", "end do",
                         "x = sin(x)*a")]
        case "anyone":
            return [_all("if (rank == 0) then", "do k = 1, size - 1", _recv("a", "mpi_any_source", tag),
                         "x = sin(x + a*a)", "end do", "else", _send("x", "0", tag), "end if")]
        case _:
            return [_all(f"call mpi_allreduce(x, a, {_TYPE}, mpi_sum, {_WORLD}, ierr)", "x = sin(a)*x")]


def _varying(draw: random.Random) -> str:
    """A collective with blocks of several sizes."""
    sizes = _all("many(:size) = [(k, k = 1, size)]", "places(:size) = [(k*(k - 1)/2, k = 1, size)]")
    real = "mpi_double_precision"
    call = draw.choice((
        f"call mpi_allgatherv(v, rank + 1, {real}, w, many, places, {real}, {_WORLD}, ierr)",
        f"call mpi_gatherv(v, rank + 1, {real}, w, many, places, {real}, 0, {_WORLD}, ierr)",
        f"call mpi_scatterv(v, many, places, {real}, w, rank + 1, {real}, size - 1, {_WORLD}, ierr)",
        f"call mpi_reduce_scatter(v, w, many, {real}, mpi_sum, {_WORLD}, ierr)",
    ))
    return _all(sizes, "v(2) = v(2)*x", call, "x = x + sin(sum(w))")


def _waitall(tag: int) -> str:
    return f"call mpi_waitall(2, req({tag}), mpi_statuses_ignore, ierr)"


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
