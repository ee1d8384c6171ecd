"""Where a part writes several boxes of an array, these are saved: walls, ends, runs of a work array. By execution."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.sections.subscript_limits import COMPARED, Box, SubscriptLimits, apart, enclosing, worthwhile
from snapset.analysis.symbolic.polynomials import named, number
from snapset.frontend.load import load_text

TEXT = """module m
  integer :: at(6) = (/3, 1, 6, 2, 5, 4/), row(7) = (/1, 2, 2, 4, 5, 6, 7/)
contains
  subroutine walls(n, f)
    integer, intent(in) :: n
    real(8), intent(inout) :: f(0:n + 1, 0:n + 1)
    f(0, 1:n) = f(n, 1:n)**2
    f(n + 1, 1:n) = f(1, 1:n)
    f(:, 0) = f(:, n)
    f(:, n + 1) = f(:, 1)*f(:, 0)
  end subroutine walls
  subroutine ends(n, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(*)
    v(1) = v(1)*v(2)
    v(n) = sin(v(n))
  end subroutine ends
  subroutine maybe(n, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(n)
    v(1) = v(1)*v(2)
    if (v(1) > 0.4d0) v(n) = sin(v(n))
  end subroutine maybe
  subroutine first(n, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(*)
    integer :: i
    do i = 1, n
      v(i) = v(i)*v(n)
    end do
  end subroutine first
  subroutine pair(n, v, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(*), w(*)
    integer :: i
    do i = 1, n
      v(i) = v(i)*w(i)
      w(i) = cos(w(i))*v(i)
    end do
  end subroutine pair
  subroutine border(f)
    real(8), intent(inout) :: f(:, :)
    f(1, :) = f(2, :)**2
    f(:, 1) = f(:, 2)*f(1, 1)
  end subroutine border
  subroutine by_list(i, v)
    integer, intent(in) :: i
    real(8), intent(inout) :: v(6)
    v(i) = v(i)**2
    v(6) = v(i)*v(6)
  end subroutine by_list
end module m
subroutine p(x, n, y)
  use m
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: f(0:n + 1, 0:n + 1), a(n, 4), b(n), w(100)
  integer :: k, j
  f = x(1)
  f(1:n, 1) = x
  a = x(2)
  b = x
  w = x(3)
  do k = 2, 4
    j = 1 + mod(k, 4)
{part}
    y = y + sum(f*f)
  end do
  y = y + sum(a*a) + sum(b*b) + sum(w*w)
end subroutine p
"""
MARKED = "!$AD CHECKPOINT-START\n{}\n!$AD CHECKPOINT-END"
STRATEGIES = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt2+=*;Opt3+=*")


def saved(part: str) -> dict[str, str]:
    """By array what is saved of it under lazy, when all strategies have given the gradient, and the bytes foretold."""
    (head,) = parse_heads("p(x)>(y)")
    text = TEXT.format(part=part)
    for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": 6})).runs:
        assert run.equal, (run.differences, run.error)
        assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
    found = analyse(load_text(text), head).parts[0].solutions["lazy"]
    return {name: found.sections.get(name, name) for name in (*found.snp, *found.sbk) if name in "fabw"}


@pytest.mark.parametrize(("call", "sections"), [
    ("call walls(n, f)", {"f": "f(0, 1:n), f(n+1, 1:n), f(:, 0), f(:, n+1)"}),
    ("call ends(n, b)", {"b": "b(1), b(n)"}),
    ("call maybe(n, b)", {"b": "b"}),                          # perhaps there is no b(n)
    ("call ends(n, a(1, k))", {"a": "a(1, k), a(n, k)"}),
    ("call first(n, w(k))", {"w": "w(k:k+n-1)"}),
    ("call pair(n, w(10*k), w(50+10*k))", {"w": "w(10*k:10*k+n-1), w(10*k+50:10*k+n+49)"}),
    ("call border(a)", {"a": "a(1, :), a(:, 1)"}),
    ("call border(a(1:n:2, :))", {"a": "a(1:n:2, :)"}),        # strides are not followed
    ("call by_list(at(k), b)", {"b": "b(at(k)), b(6)"}),
])
def test_what_a_call_writes(call: str, sections: dict[str, str]) -> None:
    assert saved(call) == sections


@pytest.mark.parametrize(("statements", "sections"), [
    ("b(at(k)) = b(at(k))**2", {"b": "b(at(k))"}),
    ("b(at(k)) = b(at(k))**2; b(k) = b(k)*b(1)", {"b": "b(at(k)), b(k)"}),        # perhaps the same element
    ("if (x(1) > 0.5d0) then; b(at(k)) = b(1)*b(2); end if", {"b": "b"}),          # perhaps no element of b
    ("at(k) = at(j); b(at(k)) = b(at(k))**2", {"b": "b"}),                          # known only inside
    ("do i = 1, 2; b(at(i)) = b(at(i))*b(i); end do", {"b": "b"}),
    ("b(1) = b(1)**2; b(2) = b(2)*b(1)", {"b": "b(1:2)"}),
    ("w(1) = w(1)**2; w(2) = w(2)*w(1)", {"w": "w(1:2)"}),                          # it certainly has two
    ("b(1:k) = b(1:k)**2; b(j:n) = 2*b(j:n)*b(1)", {"b": "b"}),                     # perhaps more than all of b
    ("a(1, :) = a(1, :)**2; a(n, :) = a(n, :)*a(2, :)", {"a": "a(1, :), a(n, :)"}),
    ("a(k, j) = a(k, j)**2; a(j, k) = a(j, k)*a(k, j); a(at(k), k) = a(k, k)*a(k, j)",
     {"a": "a(k, j), a(j, k), a(at(k), k)"}),
])
def test_what_a_marked_part_writes(statements: str, sections: dict[str, str]) -> None:
    assert saved(MARKED.format(statements)) == sections


def test_a_run_of_unknown_length() -> None:
    """Foretold is all of b, which is more."""
    (head,) = parse_heads("p(x)>(y)")
    text = TEXT.format(part=MARKED.format("b(row(k):row(k+1)-1) = 2*b(row(k):row(k+1)-1)**2"))
    for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": 6})).runs:
        assert run.equal
        assert (run.predicted_traffic_bytes, run.traffic_bytes) == (3*6*8, (2 + 1 + 0)*8)
    assert analyse(load_text(text), head).parts[0].solutions["lazy"].sections == {"b": "b(row(k):row(k+1)-1)"}


# ------------------------------------------------------------ boxes

N = named("n")


def box(*limits: tuple[int | str, int | str] | None) -> Box:
    def end(one: int | str) -> SubscriptLimits:
        return number(one) if isinstance(one, int) else named(one)

    return tuple(None if one is None else SubscriptLimits(end(one[0]), end(one[1])) for one in limits)


@pytest.mark.parametrize(("boxes", "groups"), [
    ([box((1, 1)), box((1, 1))], [(0, 1)]),                                    # alike
    ([box((1, 1)), box((2, 5))], [(0, 1)]),                                    # they touch
    ([box((1, 1)), box((3, 5))], [(0,), (1,)]),
    ([box((1, 1)), box((3, 5)), box((2, 2))], [(0, 1, 2)]),                    # the last one joins them
    ([box((1, 1), (1, 5)), box((2, 2), (1, 4))], [(0,), (1,)]),                # no box
    ([box((1, 9), (1, 9)), box((2, 2), (3, 4))], [(0, 1)]),                    # one in the other
    ([box(None, (1, 9)), box((2, 2), (3, 4))], [(0, 1)]),
    ([box((1, 1)), box(("n", "n"))], [(0,), (1,)]),
    ([box((k*3, k*3)) for k in range(COMPARED + 1)], [tuple(range(COMPARED + 1))]),   # too many
])
def test_boxes_in_groups(boxes: list[Box], groups: list[tuple[int, ...]]) -> None:
    assert apart(boxes) == groups


def test_boxes_that_touch_may_stay_apart() -> None:
    assert apart([box((1, 1)), box((2, 5)), box((1, 1))], joining=False) == [(0, 2), (1,)]


@pytest.mark.parametrize(("boxes", "fits"), [
    ([box((1, 1)), box((5, 5))], True),
    ([box((1, 3)), box((2, 5))], False),                                       # six of five
    ([box((1, 1)), box(("n", "n"))], True),                                    # two of n
    ([box((1, "k")), box(("k", "n"))], False),                                 # n + 1 of n
    ([box((1, 1), None), box((3, 3), None)], True),
    ([box((1, 1), None), box(None, (3, 3))], True),
    ([box((1, 1)), box((2, "n"))], False),                                     # all of it, if n is no less than 1
])
def test_boxes_that_hold_no_more_than_their_hull(boxes: list[Box], fits: bool) -> None:
    assert worthwhile(boxes, (None,)*len(boxes[0])) is fits


def test_boxes_that_are_all_of_an_array_are_none() -> None:
    assert not worthwhile([box((1, 1)), box((2, "n"))], box((1, "n")))
    assert not worthwhile([box((1, 1)), box((2, "n"))], box((1, "n")), disjoint=True)
    assert worthwhile([box((1, 1)), box((3, "n"))], box((1, "n")))


def test_of_disjoint_boxes_no_size_need_be_known() -> None:
    boxes = [box((1, "k")), box(("l", "n"))]
    assert not worthwhile(boxes, (None,))
    assert worthwhile(boxes, (None,), disjoint=True)


def test_the_hull_of_boxes() -> None:
    assert enclosing([box((1, 2), (3, 3)), box((2, 4), None)]) == box((1, 4), None)
