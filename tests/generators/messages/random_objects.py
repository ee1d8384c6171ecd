"""Random programs whose neighbours and requests are components of objects: in arrays, in other objects, of modules,
passed on as elements, with other bounds, two levels down.

Each rank's neighbours are one shift at a time, so that every program ends; who follows the program without running it
must come to the same messages, with the same ranks, or say that it cannot.
"""

from __future__ import annotations

import random

HEAD = "model(x)>(y)"
_MODULE = """module objects
use mpi
implicit none
type link_t
  integer :: to = 0, from = 0
  integer :: r(0:3) = mpi_request_null
  integer :: near(2) = 0
  real(8) :: b(2) = 0
end type
type node_t
  integer :: home = 0
  type(link_t) :: link(2)
end type
integer, save :: me, ranks
type(link_t), save :: g(0:2)
contains
subroutine place(to, from, by)
  integer, intent(inout) :: to, from
  integer, intent(in) :: by
  to = modulo(me + by, ranks)
  from = modulo(me - by, ranks)
end subroutine
subroutine set(l, by)
  type(link_t), intent(inout) :: l
  integer, intent(in) :: by
  l%to = modulo(me + by, ranks)
  l%from = modulo(me - by, ranks)
end subroutine
subroutine set_below(l, by)
  type(link_t), intent(inout) :: l
  integer, intent(in) :: by
  call place(l%to, l%from, by)
end subroutine
subroutine pair(p, by)
  integer, intent(inout) :: p(0:1)
  integer, intent(in) :: by
  p(0) = modulo(me + by, ranks)
  p(1) = modulo(me - by, ranks)
end subroutine
subroutine same(p, what)
  integer, intent(inout) :: p(2)
  integer, intent(in) :: what
  p = what
end subroutine
subroutine set_one(ls, k, by)
  type(link_t), intent(inout) :: ls(:)
  integer, intent(in) :: k, by
  call set(ls(k), by)
end subroutine
subroutine set_every(ls, many, by)
  integer, intent(in) :: many, by
  type(link_t), intent(inout) :: ls(2:many + 1)
  integer :: k
  do k = 2, many + 1
    ls(k)%to = modulo(me + by, ranks)
    ls(k)%from = modulo(me - by, ranks)
  end do
end subroutine
subroutine set_node(n, k, by)
  type(node_t), intent(inout) :: n
  integer, intent(in) :: k, by
  call set_below(n%link(k), by)
  n%home = by
end subroutine
subroutine begin(l, v, tag)
  type(link_t), intent(inout) :: l
  real(8), intent(in) :: v
  integer, intent(in) :: tag
  integer :: ierr
  l%b(2) = v
  call mpi_irecv(l%b(1), 1, mpi_double_precision, l%from, tag, mpi_comm_world, l%r(1), ierr)
  call mpi_isend(l%b(2), 1, mpi_double_precision, l%to, tag, mpi_comm_world, l%r(2), ierr)
end subroutine
subroutine begin_below(ls, k, v, tag)
  type(link_t), intent(inout) :: ls(0:2)
  real(8), intent(in) :: v
  integer, intent(in) :: k, tag
  call begin(ls(k), v, tag)
end subroutine
subroutine finish(l)
  type(link_t), intent(inout) :: l
  integer :: ierr
  call mpi_waitall(4, l%r, mpi_statuses_ignore, ierr)
end subroutine
subroutine finish_these(r, many)
  integer, intent(in) :: many
  integer, intent(inout) :: r(many)
  integer :: ierr
  call mpi_waitall(many, r, mpi_statuses_ignore, ierr)
end subroutine
subroutine finish_one(r)
  integer, intent(inout) :: r
  integer :: ierr
  call mpi_wait(r, mpi_status_ignore, ierr)
end subroutine
end module
subroutine model(x, y)
use objects
implicit none
real(8), intent(inout) :: x
real(8), intent(out) :: y
type(link_t) :: l(3), one
type(node_t) :: n(2)
integer :: ierr, k, table(3), right, left
call mpi_comm_rank(mpi_comm_world, me, ierr)
call mpi_comm_size(mpi_comm_world, ranks, ierr)
right = mod(me + 1, ranks)
left = modulo(me - 1, ranks)
"""
_START = """call set_every(l, 3, 1)
call set_every(g, 3, -1)
do k = 1, 2
  call set_every(n(k)%link, 2, 1)
end do
call set(one, 1)
"""
LINKS = ("l(1)", "l(3)", "g(0)", "g(1)", "g(2)", "n(1)%link(2)", "n(2)%link(1)", "n(2)%link(2)", "one")


def random_objects(seed: int) -> str:
    """A program: neighbours change and messages go, one part around a random stretch."""
    draw = random.Random(seed)
    lines: list[str] = []
    open_: list[str] = []
    tag = 0
    for _ in range(draw.randint(6, 14)):
        link = draw.choice(LINKS)
        if draw.random() < 0.5:
            lines.append(_placed(draw, link, draw.choice((1, -1, 2))))
        elif link in open_:
            open_.remove(link)
            lines.append(_finished(draw, link))
        else:
            tag += 1
            open_.append(link)
            lines.append(_begun(draw, link, tag))
    lines += [_finished(draw, link) for link in open_]
    first = draw.randrange(len(lines))
    behind = draw.randint(first + 1, len(lines))
    lines[first:behind] = ["!$AD CHECKPOINT-START", *lines[first:behind], "!$AD CHECKPOINT-END"]
    return program(f"{_START}{chr(10).join(lines)}")


def program(lines: str) -> str:
    """The program of these statements."""
    return f"{_MODULE}{lines}\ny = x*x\nend subroutine\n"


def _array(link: str) -> tuple[str, int]:
    """The array in which an element lies, and which it is, counted from 1."""
    name, _, number = link.rpartition("(")
    return name, int(number[:-1]) + (name == "g")


def _placed(draw: random.Random, link: str, by: int) -> str:
    """Statements that give a link its neighbours."""
    to, source = f"modulo(me + ({by}), ranks)", f"modulo(me - ({by}), ranks)"
    k = draw.choice((1, 2))
    ways = [f"{link}%to = {to}\n{link}%from = {source}", f"call set({link}, {by})", f"call set_below({link}, {by})",
            f"call place({link}%to, {link}%from, {by})",
            f"call pair({link}%near, {by})\n{link}%to = {link}%near(1)\n{link}%from = {link}%near(2)",
            f"call pair(table({k}:), {by})\n{link}%to = table({k})\n{link}%from = table({k + 1})",
            f"call pair(table(2), {by})\n{link}%to = table(2)\n{link}%from = table(3)",
            f"call same({link}%near, {to})\n{link}%to = {link}%near(2)\n{link}%near = {source}\n"
            f"{link}%from = {link}%near(1)",
            f"{link}%near = [{to}, {source}]\n{link}%to = {link}%near(1)\n{link}%from = {link}%near(2)",
            f"if (me == 0) then\ncall set({link}, {by})\nelse\n{link}%to = {to}\n{link}%from = {source}\nend if",
            f"do k = 1, 2\ncall set({link}, {by}*(2 - k) + {by}*(k - 1))\nend do"]
    if link != "one":
        array, number = _array(link)
        ways += [f"call set_one({array}, {number}, {by})"] * 2
        ways += [f"call set_every({array}({link[-2]}:{link[-2]}), 1, {by})"]
    if link.startswith("n"):
        ways += [f"call set_node({link[:4]}, {link[-2]}, {by})"] * 2
    return draw.choice(ways)


def _begun(draw: random.Random, link: str, tag: int) -> str:
    """A message to one neighbour, and one from the other."""
    ways = [f"call begin({link}, x, {tag})",
            f"{link}%b(2) = x\ncall mpi_irecv({link}%b(1), 1, mpi_double_precision, {link}%from, {tag}, "
            f"mpi_comm_world, {link}%r(1), ierr)\ncall mpi_isend({link}%b(2), 1, mpi_double_precision, {link}%to, "
            f"{tag}, mpi_comm_world, {link}%r(2), ierr)"]
    if link[0] in "lg":
        array, number = _array(link)
        ways.append(f"call begin_below({array}, {number - 1}, x, {tag})")
    return draw.choice(ways)


def _finished(draw: random.Random, link: str) -> str:
    """The completion of both."""
    wait = "call mpi_waitall({0}, {1}, mpi_statuses_ignore, ierr)"
    ways = [f"call finish({link})", wait.format(4, f"{link}%r"), wait.format(3, f"{link}%r"),
            wait.format(2, f"{link}%r(1)"),
            wait.format(2, f"{link}%r(1:2)"), f"call finish_these({link}%r, 4)", f"call finish_these({link}%r(1:), 2)",
            f"call finish_these({link}%r(1), 2)", f"call finish_one({link}%r(2))\ncall finish_one({link}%r(1))"]
    return f"{draw.choice(ways)}\nx = sin(x + {link}%b(1))"
