"""Sections in capsules: by hand which elements are held, and that a run resumed with these alone ends as the whole."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from snapset.analysis.divide.pick import pick
from snapset.analysis.replay.divide.capsule import control_of, live_bytes
from snapset.analysis.replay.divide.elements import held_memory, stack_elements
from snapset.analysis.replay.divide.walker import Walker

from tests.support.divided import PROGRAMS, Divisible, from_corpus, from_text, outside

MAPPED = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(n), b(n)
  a = x
  do i = 1, n
    b(i) = a(i)*2
  end do
  y = sum(b)
end subroutine
"""
SCANNED = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(n)
  a(1) = x(1)
  do i = 2, n
    a(i) = a(i - 1)*x(i)
  end do
  y = a(n)
end subroutine
"""
COLUMNS = """
subroutine p(n, x, y)
  integer :: n, i, k
  real(8) :: x(n), y, work(n, 4)
  y = 0
  do k = 1, 4
    do i = 1, n
      work(i, k) = x(i)*k
    end do
  end do
  do k = 1, 4
    y = y + sum(work(:, k)**2)
  end do
end subroutine
"""
DOWNWARD = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(2*n)
  a(1:2*n:2) = x
  a(2:2*n:2) = 2*x
  y = 0
  do i = 2*n, 2, -2
    y = y*a(i) + 1
  end do
end subroutine
"""
PARTLY_WANTED = """
subroutine p(n, x, y)
  integer :: n
  real(8) :: x(n), y, a(n)
  a = x
  call scaled(n, a)
  y = sum(a(1:5))
end subroutine
subroutine scaled(m, v)
  integer :: m, i
  real(8) :: v(m)
  do i = 1, m
    v(i) = v(i)*i
  end do
end subroutine
"""
TRIANGLE = """
subroutine p(n, x, y)
  integer :: n, i, j
  real(8) :: x(n), y, a(n, n)
  do j = 1, n
    do i = j, n
      a(i, j) = x(i)*j
    end do
  end do
  y = 0
  do j = 1, n
    do i = j, n
      y = y + a(i, j)**2
    end do
  end do
end subroutine
"""
COUNTED_ANEW = """
subroutine p(n, x, y)
  integer :: n, i, k
  real(8) :: x(n), y, a(n)
  a = x
  y = 0
  k = n
  do i = 1, 3
    y = y*0.5d0 + sum(a(k:n))
    k = k - 4
  end do
end subroutine
"""
SOMETIMES = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(n)
  a = x
  do i = 1, n
    if (mod(i, 3) == 0) a(i) = x(i)**2
  end do
  y = sum(a)
end subroutine
"""
LEFT_EARLY = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(n)
  a = x
  do i = 1, n
    if (i == 7) exit
    a(i) = x(i)**2
  end do
  y = sum(a)
end subroutine
"""
AGAIN = """
subroutine p(n, x, y)
  integer :: n, i, k
  real(8) :: x(n), y, a(n)
  a = x
  k = 0
  y = 0
10 continue
  do i = 1, n
    y = y*y*0.1d0 + a(i)**2
  end do
  k = k + 1
  if (k < 3) goto 10
end subroutine
"""
DIAGONAL = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(n, n)
  do i = 1, n
    a(:, i) = x*i
  end do
  do i = 1, n
    a(i, i) = x(i)
  end do
  y = sum(a*a)
end subroutine
"""
OVERLAID = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(40), b(40)
  equivalence (a, b)
  do i = 1, n
    a(i) = x(i)
  end do
  y = 0
  do i = 1, n
    y = y + b(i)**2
  end do
end subroutine
"""
WAVES = """
subroutine p(n, x, y)
  integer :: n, i, k
  real(8) :: x(n), y, u(n), new(n)
  u = x
  do k = 1, 3
    do i = 2, n - 1
      new(i) = u(i - 1) + u(i + 1)*0.3d0
    end do
    new(1) = u(1)
    new(n) = u(n)
    do i = n, 1, -1
      u(i) = new(i)*0.5d0
    end do
  end do
  y = sum(u*u)
end subroutine
"""
WHILE = """
subroutine p(n, x, y)
  integer :: n, i, k
  real(8) :: x(n), y, a(n), b(n)
  a = x
  k = 0
  do while (k < 3)
    k = k + 1
    do i = 1, n
      b(i) = a(i)*k
    end do
    do i = 1, n
      a(i) = b(i) + 1
    end do
  end do
  y = sum(a)
end subroutine
"""
SHIFTED = """
subroutine p(n, x, y)
  integer :: n, i
  real(8) :: x(n), y, a(n)
  a = x
  do i = 1, n - 1
    a(i) = a(i + 1)*x(i)
  end do
  y = sum(a(1:n - 1))
end subroutine
"""
IN_A_CALL = """
subroutine p(n, x, y)
  integer :: n, k
  real(8) :: x(n), y, a(n)
  a = x
  k = 2
  call moved(k)
  y = sum(a(k:k + 3))
contains
  subroutine moved(j)
    integer :: j, i
    do i = 1, 3
      y = i
    end do
    j = j + n/2
  end subroutine
end subroutine
"""
EVERY = {name.lower(): text for name, text in globals().items() if name.isupper() and isinstance(text, str)}
N = 20


def stopped(one: Divisible, at: int) -> Walker:
    walker = one.divided().begun()
    one.divided().go(walker, at)
    return walker


def when(name: str, one: Divisible, statement: str, times: int = 1) -> int:
    """The step at which a statement is about to run for the so-manieth time."""
    machine, left = one.divided(), times
    walker, lines = machine.begun(), EVERY[name].splitlines()
    for at in range(one.steps):
        machine.go(walker, at)
        top = walker.stack[-1]
        node = top.frame.code.flow.nodes[top.node]
        left -= node.kind in ("simple", "call") and statement in lines[node.span.line - 1]
        if not left:
            return at
    raise AssertionError(statement)


def held(one: Divisible, at: int, end: int | None = None) -> dict[str, list[int]]:
    """By name, the elements that a capsule holds of arrays of the innermost procedure, counted from 1 as they lie."""
    walker, machine = stopped(one, at), one.divided()
    until = None if end is None else control_of(stopped(one, end).stack)
    live, elements = machine.alive(walker, control_of(walker.stack), until)
    depth, found = len(live) - 1, {}
    for location in live[depth]:
        (slot,) = walker.stack[depth].frame.pieces(location)
        assert slot.a is not None
        mask = elements.get((depth, location), np.ones(slot.a.shape, bool))
        if slot.a.ndim:
            found[location.area.name] = [int(k) + 1 for k in np.flatnonzero(mask.reshape(-1, order="F"))]
    return found


def held_before(name: str, statement: str, times: int = 1) -> dict[str, list[int]]:
    one = from_text(EVERY[name], "p(x)>(y)", n=N)
    return held(one, when(name, one, statement, times))


def upto(first: int, last: int) -> list[int]:
    return list(range(first, last + 1))


def test_what_a_loop_is_still_to_read_and_has_written() -> None:
    """Before b(8) = a(8)*2: of a what is still read, of b what has been written; to iteration 12 no b at all."""
    one = from_text(MAPPED, "p(x)>(y)", n=N)
    at = when("mapped", one, "b(i) = ", 8)
    assert held(one, at) == {"a": upto(8, 20), "b": upto(1, 7)}
    assert held(one, at, at + 4*3) == {"a": upto(8, 12)}
    assert held(one, at - 1) == {"a": upto(8, 20), "b": upto(1, 7)}  # the loop's test is next
    assert held(one, at + 1) == {"a": upto(9, 20), "b": upto(1, 8)}  # its step
    assert held(one, 1) == {"a": upto(1, 20)}  # the loop is next
    assert one.divided().take(stopped(one, at), None).data_bytes == 20*8 + 2*16 + 4, "and i"


def test_an_element_that_the_iteration_before_has_written_is_not_held_for_all_iterations() -> None:
    assert held_before("scanned", "a(i) = ", 8) == {"x": upto(9, 20), "a": [8]}


def test_a_stencil_needs_what_is_written_later() -> None:
    """a(i + 1) is read before the next iteration writes it; a(n) is left alone."""
    assert held_before("shifted", "a(i) = ", 8) == {"x": upto(8, 19), "a": [*upto(1, 7), *upto(9, 20)]}


def test_columns_that_have_been_written() -> None:
    """In column 3: the columns before it, and its first elements. Behind the loop: the columns that are still read."""
    assert held_before("columns", "work(i, k) = ", 2*N + 8) == {"x": upto(1, 20), "work": upto(1, 2*N + 7)}
    assert held_before("columns", "y = y + ", 2) == {"work": upto(N + 1, 4*N)}


def test_a_downward_loop_of_every_other_element() -> None:
    """The gaps of one element are held with them, since two runs would take more."""
    one = from_text(DOWNWARD, "p(x)>(y)", n=N)
    at = when("downward", one, "y = y*a(i)", 5)
    assert held(one, at) == {"a": [*range(2, 34, 2)]}
    assert one.divided().take(stopped(one, at), None).data_bytes == 31*8 + 16 + 8 + 4


def test_what_callers_want_of_an_array_that_is_passed() -> None:
    """What is still read, and of what has been written that which the caller reads."""
    assert held_before("partly_wanted", "v(i) = ", 8) == {"v": [*upto(1, 5), *upto(8, 20)]}


def test_a_number_that_changes_on_the_way_is_not_known() -> None:
    assert held_before("counted_anew", "k = k - 4") == {"a": upto(1, 20)}
    one = from_text(IN_A_CALL, "p(x)>(y)", n=N)
    machine, at = one.divided(), when("in_a_call", one, "y = i", 2)
    walker = stopped(one, at)
    live, elements = machine.alive(walker, control_of(walker.stack), None)
    assert len(live) == 2, "inside the call"
    assert all(mask.all() for mask in elements.values()), "the rest of it writes k"
    behind = when("in_a_call", one, "y = sum(a(k:k + 3))")
    assert held(one, behind) == {"a": upto(12, 15)}


def test_what_is_written_only_sometimes_is_held() -> None:
    for name in ("sometimes", "left_early", "overlaid"):
        one = from_text(EVERY[name], "p(x)>(y)", n=N)
        for at in (4, 7, 10, 13):
            sure = set(range(1, 21)) - set(held(one, at).get("a", upto(1, 20)))
            assert len(sure) <= 1, "no more than the element that is about to be written"


@pytest.mark.parametrize("name", EVERY)
def test_runs_resumed_at_each_step_end_as_the_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the gradient of leaves of a step each is store-all's, by intervals of all lengths. No element is held for its
    neighbours' sake, and none of a small array."""
    monkeypatch.setattr(held_memory, "RUN", 0)
    monkeypatch.setattr(stack_elements, "SMALL", 0)
    one = from_text(EVERY[name], "p(x)>(y)", n=9)
    machine = one.divided(whole=True)
    walker = machine.begun()
    machine.go(walker, None)
    n, expected = walker.at, outside(one, walker.stack[0].frame)
    for at in range(n):
        walker = machine.begun()
        machine.go(walker, at)
        assert outside(one, machine.resume(machine.take(walker, None))) == expected, at
    for mid in ("bisection", "optimal"):
        found, _, _ = one.gradient(pick(n, 1, log=True), mid, "binary")
        assert found is not None
        assert found.same(one.expected)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_sections_never_take_more_than_whole_arrays(name: str) -> None:
    one, random = from_corpus(name), Random(name)
    machine, n = one.divided(), one.steps
    points = sorted(random.sample(range(n), min(n, 12)))
    controls, walker = [], machine.begun()
    for at in points:
        machine.go(walker, at)
        controls.append(control_of(walker.stack))
    walker = machine.begun()
    for place, at in enumerate(points):
        machine.go(walker, at)
        if walker.finished:
            break
        for end in (None, *controls[place + 1:]):
            live, elements = machine.alive(walker, controls[place], end)
            capsule = live_bytes(walker, live, elements)
            assert capsule <= live_bytes(walker, live)
        assert machine.take(walker, None).data_bytes == live_bytes(
            walker, *machine.alive(walker, controls[place], None))
