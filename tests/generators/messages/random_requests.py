"""Random programs whose messages are prepared, started and awaited by whoever comes by: in the model or in procedures
it calls, one or two levels down, by their entries, by requests that are arguments, globals, components, elements of
arrays or SAVEd.

Each program has two texts: with procedures, and with their statements in their callers' place. They do the same in the
same order, so that whatever is computed is the same bit for bit.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from snapset.frontend.base.frozen_records import frozen

HEAD = "model(x)>(y)"
_REAL, _WORLD = "mpi_double_precision", "mpi_comm_world"
_MODULE = """module wires
use mpi
implicit none
type channel
  integer :: r(8)
end type
integer, save :: me, ranks, kept(8)
type(channel), save :: line
real(8), save :: g(4)
contains
subroutine wire(v, w, m, to, from, tag, r)
  integer, intent(in) :: m, to, from, tag
  real(8) :: v(m), w(m)
  integer :: r(2), ierr
  call mpi_recv_init(v, m, mpi_double_precision, from, tag, mpi_comm_world, r(1), ierr)
  call mpi_send_init(w, m, mpi_double_precision, to, tag, mpi_comm_world, r(2), ierr)
end subroutine
subroutine post(v, w, m, to, from, tag, r)
  integer, intent(in) :: m, to, from, tag
  real(8) :: v(m), w(m)
  integer :: r(2), ierr
  call mpi_irecv(v, m, mpi_double_precision, from, tag, mpi_comm_world, r(1), ierr)
  call mpi_isend(w, m, mpi_double_precision, to, tag, mpi_comm_world, r(2), ierr)
end subroutine
subroutine begin(r)
  integer :: r(2), ierr
  call mpi_startall(2, r, ierr)
end subroutine
subroutine begin_below(r)
  integer :: r(2)
  call begin(r)
end subroutine
subroutine begin_one(r)
  integer :: r, ierr
  call mpi_start(r, ierr)
end subroutine
subroutine begin_kept(k)
  integer, intent(in) :: k
  integer :: ierr
  call mpi_startall(2, kept(k:k + 1), ierr)
end subroutine
subroutine finish(r)
  integer :: r(2), ierr
  call mpi_waitall(2, r, mpi_statuses_ignore, ierr)
end subroutine
subroutine finish_below(r)
  integer :: r(2)
  call finish(r)
end subroutine
subroutine finish_one(r)
  integer :: r, ierr
  call mpi_wait(r, mpi_status_ignore, ierr)
end subroutine
subroutine finish_kept(k)
  integer, intent(in) :: k
  integer :: ierr
  call mpi_waitall(2, kept(k:k + 1), mpi_statuses_ignore, ierr)
end subroutine
subroutine launch(r)
  integer :: r(2), ierr
  call mpi_startall(2, r, ierr)
  return
entry land(r)
  call mpi_waitall(2, r, mpi_statuses_ignore, ierr)
end subroutine
subroutine emit(v, w, m, to, from, tag)
  integer, intent(in) :: m, to, from, tag
  real(8) :: v(m), w(m)
  integer, save :: own(2, 3)
  integer :: ierr
  call mpi_irecv(v, m, mpi_double_precision, from, tag, mpi_comm_world, own(1, tag), ierr)
  call mpi_isend(w, m, mpi_double_precision, to, tag, mpi_comm_world, own(2, tag), ierr)
  return
entry collect(tag)
  call mpi_waitall(2, own(:, tag), mpi_statuses_ignore, ierr)
end subroutine
subroutine times(v, w)
  real(8), intent(inout) :: v
  real(8), intent(in) :: w
  v = sin(v)*w + 0.5d0*v
end subroutine
"""
_DECLARED = """integer :: ierr, k, req(8), left, right
real(8) :: a(4), b(4)
"""
_BEGINNING = """call mpi_comm_rank(mpi_comm_world, me, ierr)
call mpi_comm_size(mpi_comm_world, ranks, ierr)
left = modulo(me - 1, ranks)
right = mod(me + 1, ranks)
x = x*[1d0, 0.7d0, 1.3d0, 0.9d0]*(1 + 0.1d0*me)
a = x
b = cos(x)
g = x*x
req = mpi_request_null
kept = mpi_request_null
line%r = mpi_request_null
"""
_PASSED = "x, a, b, req, left, right, k"


@frozen
class RandomRequests:
    """``called``: the program with procedures; ``inlined``: the same without. ``kinds``: what it is made of.
    ``seen``: the requests of persistent messages are the model's own, so that the inlined program shows the buffers."""

    called: str
    inlined: str
    kinds: frozenset[str]
    seen: bool


@dataclass(slots=True)
class _Channel:
    """One message to the right and one from the left, or the other way round: its buffers, and its two requests."""

    into: tuple[str, int]
    of: tuple[str, int]
    count: int
    right: bool
    tag: int
    holder: str
    at: int
    persistent: bool
    own: bool = False  # its requests are SAVEd behind entries, if it is started there

    @property
    def requests(self) -> str:
        return f"{self.holder}({self.at}:{self.at + 1})"

    def one(self, k: int) -> str:
        """One of the two requests."""
        return f"{self.holder}({self.at + k})"

    def elements(self, piece: tuple[str, int]) -> set[tuple[str, int]]:
        return {(piece[0], piece[1] + k) for k in range(self.count)}

    def touched(self) -> set[tuple[str, int]]:
        """What nobody may touch while the message is under way."""
        return self.elements(self.into) | self.elements(self.of)


@dataclass(slots=True)
class _Writer:
    """Writes both texts at once."""

    draw: random.Random
    called: list[str] = field(default_factory=list)
    inlined: list[str] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)

    def both(self, *lines: str) -> None:
        self.called += lines
        self.inlined += lines

    def either(self, kind: str, called: Iterable[str], inlined: Iterable[str], chance: float = 0.7) -> None:
        """By a procedure, or here."""
        inlined = tuple(inlined)
        if self.draw.random() < chance:
            self.kinds.add(kind)
            self.called += called
        else:
            self.called += inlined
        self.inlined += inlined


def random_requests(seed: int) -> RandomRequests:
    """A program of one to three channels around a loop."""
    draw = random.Random(seed)
    writer = _Writer(draw)
    channels = _channels(draw)
    for one in channels:
        if one.persistent:
            _prepared(writer, one)
    before = len(writer.called), len(writer.inlined)
    _turn(writer, channels)
    own = writer.called[before[0]:]
    loop = ["do k = 1, 2", *own, "end do"]
    procedure: list[str] = []
    if draw.random() < 0.4:  # the whole step is a procedure, which is passed the requests
        writer.kinds.add("the step")
        loop = ["do k = 1, 2", f"call turn({_PASSED})", "end do"]
        procedure = [f"subroutine turn({_PASSED})", "real(8), intent(inout) :: x(4), a(4), b(4)",
                     "integer, intent(inout) :: req(8)", "integer, intent(in) :: left, right, k", "integer :: ierr",
                     *own, "end subroutine"]
    inlined = [*writer.inlined[:before[1]], "do k = 1, 2", *writer.inlined[before[1]:], "end do"]
    return RandomRequests(_program([*writer.called[:before[0]], *loop], procedure), _program(inlined, []),
                          frozenset(writer.kinds), all(one.holder == "req" for one in channels if one.persistent))


def _program(lines: list[str], procedure: list[str]) -> str:
    text = "\n".join((*procedure, "end module", "subroutine model(x, y)", "use wires", "implicit none",
                      "real(8), intent(inout) :: x(4)", "real(8), intent(out) :: y"))
    return f"{_MODULE}{text}\n{_DECLARED}{_BEGINNING}" + "\n".join(
        (*lines, "y = sum(x*x) + sum(a*a) + sum(b*b) + sum(g*g)", "end subroutine", ""))


def _channels(draw: random.Random) -> list[_Channel]:
    found: list[_Channel] = []
    places = {"req": 1, "kept": 1, "line%r": 1}
    for tag in range(1, draw.randint(1, 3) + 1):
        count = draw.randint(1, 2)
        holder = draw.choice(tuple(places))
        names = draw.sample(("x", "a", "b", "g"), 2) if draw.random() < 0.5 else [draw.choice(("x", "a", "b", "g"))] * 2
        into, of = draw.sample((1, 3), 2)
        right, persistent = draw.random() < 0.5, draw.random() < 0.7
        found.append(_Channel((names[0], into), (names[1], of), count, right, tag, holder, places[holder], persistent,
                              not persistent and draw.random() < 0.4))
        places[holder] += 2
    return found


def _arguments(one: _Channel) -> str:
    to, source = ("right", "left") if one.right else ("left", "right")
    (into, i), (of, j), n = one.into, one.of, one.count
    return f"{into}({i}:{i + n - 1}), {of}({j}:{j + n - 1}), {n}, {to}, {source}, {one.tag}, {one.requests}"


def _here(one: _Channel, receive: str, send: str) -> list[str]:
    """Both ends of a channel, by calls of MPI."""
    to, source = ("right", "left") if one.right else ("left", "right")
    return [f"call mpi_{name}({piece[0]}({piece[1]}), {one.count}, {_REAL}, {peer}, {one.tag}, {_WORLD}, "
            f"{one.one(k)}, ierr)"
            for k, (name, piece, peer) in enumerate(((receive, one.into, source), (send, one.of, to)))]


def _prepared(writer: _Writer, one: _Channel) -> None:
    writer.either("prepare", [f"call wire({_arguments(one)})"], _here(one, "recv_init", "send_init"), 0.5)


def _turn(writer: _Writer, channels: list[_Channel]) -> None:
    """One step: channels start and end, between statements that leave alone what is under way; one part, or two."""
    draw = writer.draw
    open_: list[_Channel] = []
    waiting = list(channels)
    draw.shuffle(waiting)
    inside, parts = False, draw.randint(1, 2)
    for _ in range(draw.randint(1, 2)):
        _compute(writer, open_)
    while waiting or open_:
        if not inside and parts and draw.random() < 0.6:
            writer.both("!$AD CHECKPOINT-START")
            inside, parts = True, parts - 1
        kind = draw.random()
        if kind < 0.4 and waiting and not any(waiting[-1].touched() & one.touched() for one in open_):
            open_.append(waiting.pop())
            _started(writer, open_[-1])
        elif kind < 0.7 and open_:
            _awaited(writer, open_.pop(draw.randrange(len(open_))))
        else:
            _compute(writer, open_)
        if inside and draw.random() < 0.25:
            writer.both("!$AD CHECKPOINT-END")
            inside = False
    _compute(writer, open_)
    if inside:
        writer.both("!$AD CHECKPOINT-END")


def _started(writer: _Writer, one: _Channel) -> None:
    if one.own:
        writer.kinds.add("emit")
        writer.called.append(f"call emit({_arguments(one).rpartition(', ')[0]})")
        writer.inlined += _here(one, "irecv", "isend")
        return
    if not one.persistent:
        writer.either("post", [f"call post({_arguments(one)})"], _here(one, "irecv", "isend"))
        return
    ways = [("begin", [f"call begin({one.requests})"]), ("begin below", [f"call begin_below({one.requests})"]),
            ("begin one", [f"call begin_one({one.one(k)})" for k in (0, 1)]),
            ("launch", [f"call launch({one.requests})"])]
    if one.holder == "kept":
        ways.append(("begin kept", [f"call begin_kept({one.at})"]))
    kind, called = writer.draw.choice(ways)
    writer.either(kind, called, [f"call mpi_startall(2, {one.requests}, ierr)"], 0.8)


def _awaited(writer: _Writer, one: _Channel) -> None:
    wait = f"call mpi_waitall(2, {one.requests}, mpi_statuses_ignore, ierr)"
    if one.own:
        writer.called.append(f"call collect({one.tag})")
        writer.inlined.append(wait)
        return
    ways = [("finish", [f"call finish({one.requests})"]), ("finish below", [f"call finish_below({one.requests})"]),
            ("finish one", [f"call finish_one({one.one(k)})" for k in (1, 0)]),
            ("land", [f"call land({one.requests})"])]
    if one.holder == "kept":
        ways.append(("finish kept", [f"call finish_kept({one.at})"]))
    kind, called = writer.draw.choice(ways)
    writer.either(kind, called, [wait], 0.7)


def _compute(writer: _Writer, under_way: list[_Channel]) -> None:
    """A statement, or a call of one, on elements that no message has."""
    taken = {element for one in under_way for element in one.touched()}
    free = [(name, k) for name in ("x", "a", "b", "g") for k in range(1, 5) if (name, k) not in taken]
    (to, i), (of, j) = writer.draw.sample(free, 2)
    target, value = f"{to}({i})", f"{of}({j})"
    writer.either("times", [f"call times({target}, {value})"], [f"{target} = sin({target})*{value} + 0.5d0*{target}"],
                  0.3)
