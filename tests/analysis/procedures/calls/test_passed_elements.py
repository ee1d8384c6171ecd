"""Calls in loops are accesses of what they are passed: what iterations own, by bytes derived by hand and by execution.

In every program the loop calls ``square(q, c)``, which overwrites its column q and needs it for its adjoint. Where
iterations own their columns and the code behind only adds them up, no column has to be saved: the sweep that would
overwrite them does not run at all. Where a later iteration reads another's column, each saves its own 48 bytes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

TEXT = """module kit
  implicit none
  type sheet
    real(8) :: c(6, 4)
  end type sheet
  type cell
    real(8) :: c(6), r
  end type cell
  real(8) :: g(6, 4)
contains
  subroutine square(q, c)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: c
    q = q*q*c
  end subroutine square
  subroutine below(q, c)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: c
    call square(q, c*c)
  end subroutine below
  subroutine part_of(n, q, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: c
    q = q*q*c
  end subroutine part_of
  subroutine plane(q, c)
    real(8), intent(inout) :: q(3, 2)
    real(8), intent(in) :: c
    q = q*q*c
  end subroutine plane
  subroutine open_end(q, c)
    real(8), intent(inout) :: q(6, *)
    real(8), intent(in) :: c
    q(:, 2) = q(:, 1)*q(:, 1)*c
  end subroutine open_end
  subroutine counted(q, c, k)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: c
    integer, intent(inout) :: k
    q = q*q*c
    k = k + 0
  end subroutine counted
  subroutine valued(q, c)
    real(8), intent(inout) :: q(6)
    real(8), value :: c
    q = q*q*c
  end subroutine valued
  subroutine fresh(q, p)
    real(8), intent(out) :: q(6)
    real(8), intent(in) :: p(6)
    q = p*p
  end subroutine fresh
  pure function squared(q, c) result(r)
    real(8), intent(in) :: q(6), c
    real(8) :: r(6)
    r = q*q*c
  end function squared
  subroutine of_module(q, c, k)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: c
    integer, intent(in) :: k
    q = q*q*c
    g(1, k) = g(1, k)*c
  end subroutine of_module
end module kit
subroutine p(x, y, z)
  use kit
  implicit none
  real(8) :: x, y, z(6, 4), a(6, 4), h(6, 4), s(4), b(3, 2, 4), w(6, 4)
  common /st/ h
  real(8), target :: tg(6, 4)
  real(8), pointer :: ptr(:, :)
  type(sheet) :: d
  type(cell) :: e(4)
  real(8), allocatable :: al(:, :)
  integer :: i, k, m
  allocate(al(6, 4))
  ptr => tg
  m = 2
  do k = 1, 4
    do i = 1, 6
      a(i, k) = x*i + 0.1d0*k; z(i, k) = a(i, k); g(i, k) = a(i, k); h(i, k) = a(i, k); d%c(i, k) = a(i, k)
      al(i, k) = a(i, k); tg(i, k) = a(i, k); w(i, k) = a(i, k); e(k)%c(i) = a(i, k)
    end do
    e(k)%r = 0.5d0; s(k) = 0.3d0*k; b(:, :, k) = x*k
  end do
{loop}
  y = sum(a) + sum(z) + sum(g) + sum(h) + sum(d%c) + sum(al) + sum(tg) + sum(b) + sum(w) + sum(s)
  do k = 1, 4
    y = y + sum(e(k)%c) + e(k)%r
  end do
end subroutine p
"""
HEAD = "p(x)>(y)"
OWN = ["square(a(:, k), s(k))", "square(a(1, k), s(k))", "square(z(:, k), 0.4d0)", "square(g(:, k), s(k))",
       "square(g(1, k), 0.4d0)", "square(h(:, k), s(k))", "square(d%c(:, k), s(k))", "square(d%c(1, k), s(k))",
       "square(al(:, k), s(k))", "square(e(k)%c, e(k)%r)", "square(e(k)%c(1:6), 0.4d0)", "below(a(:, k), s(k))",
       "part_of(6, a(1, k), s(k))", "part_of(4, g(1, k), s(k))", "part_of(3, a(2:4, k), s(k))",
       "plane(b(:, :, k), s(k))", "plane(b(1, 1, k), s(k))", "valued(a(:, k), s(k))", "valued(a(:, k), w(2, k))",
       "square(e(5 - k)%c, 0.4d0)", "counted(a(:, k), s(k), m)", "of_module(a(:, k), s(k), k)"]
SHARED = ["square(a(:, k), a(1, 5 - k))", "square(a(1:6, k), a(1, m))", "valued(a(:, k), a(2, mod(k, 4) + 1))",
          "square(ptr(:, k), s(k))", "open_end(a(1, min(k, 3)), s(k))",
          "part_of(12, a(1, min(k, 3)), s(k))", "part_of(6, a(2, min(k, 3)), s(k))", "square(a(:, min(k, 3)), s(k))"]


def loop(call: str, behind: str = "", span: str = "1, 4") -> str:
    return TEXT.format(loop=f"  do k = {span}\n    call {call}\n{behind}  end do")


def saved(text: str) -> list[tuple[int, int]]:
    """Bytes that lazy pushes first, values and control apart; every plan being right, the model's figures the same."""
    (head,) = parse_heads(HEAD)
    found = []
    for run in compare(load_text(text), head, parse_strategies("lazy,eager,Opt3+=*"), Inputs({})).runs:
        assert run.equal, (run.name, run.differences, run.error)
        assert run.traffic_bytes is not None
        assert run.predicted_traffic_bytes in (run.traffic_bytes, None)
        found.append((run.traffic_bytes - (run.control_bytes or 0), run.control_bytes or 0))
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("call", OWN)
def test_what_an_iteration_is_passed_it_owns(call: str) -> None:
    """Nothing reads a column but the call that has it."""
    assert saved(loop(call))[0] == (0, 0)


@pytest.mark.parametrize("call", ["square(a(:, k), s(k))", "square(g(1, k), s(k))", "square(e(k)%c, 0.4d0)",
                                  "square(d%c(:, k), 0.4d0)", "square(h(1, k), s(k))", "plane(b(1, 1, k), s(k))"])
def test_what_is_read_behind_the_loop_each_iteration_saves(call: str) -> None:
    """Six elements in each of four iterations."""
    text = loop(call).replace("y = sum(a)", "y = sum(a*a) + sum(g*g) + sum(h*h) + sum(d%c**2) + sum(b*b)"
                                            " + sum(e(1)%c**2) + sum(a)")
    assert saved(text)[0] == (4*48, 0)


@pytest.mark.parametrize("call", ["square(a(:, k), s(k))", "square(g(1, k), s(k))", "square(e(k)%c, 0.4d0)"])
@pytest.mark.parametrize("concurrent", [False, True])
def test_what_the_call_writes_whole_is_not_needed_before(call: str, concurrent: bool) -> None:
    """The column of w is made anew, squared, and made anew: of w nothing is ever saved, of the other once."""
    column = call[call.index("(") + 1:].rsplit(",", 1)[0]
    body = f"    call fresh(w(1, k), {column})\n    call square({column}, w(2, k))\n"
    text = TEXT.format(loop=(f"  do concurrent (k = 1:4)\n{body}  end do" if concurrent else
                             f"  do k = 1, 4\n{body}  end do"))
    if concurrent:
        text = text.replace("  subroutine ", "  pure subroutine ").replace("pure subroutine of_module",
                                                                         "subroutine of_module")
    assert saved(text)[0] == (0, 0)


@pytest.mark.parametrize("call", SHARED)
def test_what_others_touch_too_is_saved(call: str) -> None:
    """Another iteration's element, a pointer's target, all that follows an element: all plans are right."""
    assert saved(loop(call))[0][0] > 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("place", ["a(:, k)", "g(1, k)", "e(k)%c", "d%c(:, k)"])
@pytest.mark.parametrize("behind", ["    s(k) = s(k)*a(2, 1)*e(2)%c(3)*g(1, 3)*d%c(3, 2)\n",
                                    "    call square(w(:, k), e(1)%c(2)*g(2, 1)*a(2, 4)*d%c(1, 4))\n"])
def test_proved_where_a_later_iteration_reads(place: str, behind: str, tmp_path: Path) -> None:
    proved_by_execution(loop(f"square({place}, s(k))", behind), HEAD, tmp_path, ways=1)


@pytest.mark.parametrize("call", ["part_of(12, a(1, k), s(k))", "open_end(a(1, k), s(k))", "part_of(6, a(2, k), s(k))",
                                  "part_of(12, g(1, k), s(k))"])
def test_what_reaches_into_the_next_column_is_saved(call: str) -> None:
    """More elements follow than the column has."""
    assert saved(loop(call, span="1, 3"))[0][0] > 0


def test_what_was_required_before_stays_so_beside_the_saved_column(tmp_path: Path) -> None:
    """The first call's column is saved; the second call of an iteration does not touch the array, later ones do."""
    text = TEXT.format(loop="  do k = 1, 4\n    call square(w(:, k), g(2, k))\n    call square(e(k)%c, d%c(1, k))\n"
                            "    s(k) = s(k)*sum(d%c(:, k)**2)\n  end do\n  do k = 2, 4\n"
                            "    call fresh(d%c(:, k), al(:, k))\n    call square(tg(:, k), al(1, k))\n  end do")
    saved(text)
    proved_by_execution(text, HEAD, tmp_path, ways=1)


def test_a_function_of_the_own_column(tmp_path: Path) -> None:
    """What is called as a function reads the column, what receives the value writes it."""
    text = TEXT.format(loop="  do k = 1, 4\n    a(:, k) = squared(a(:, k), s(k))\n  end do")
    assert saved(text)[0] == (0, 0)
    proved_by_execution(text, HEAD, tmp_path, ways=1)


def test_the_sets_tell_the_iterations_own_elements() -> None:
    """Req holds a, for the sum of squares before the loop; no later iteration overwrites this one's column."""
    text = loop("square(a(:, k), s(k))").replace("y = sum(a)", "y = sum(a*a)")
    text = text.replace("  do k = 1, 4\n    call", "  s(1) = sum(a*a)\n  do k = 1, 4\n    call")
    (part,) = analyse(load_text(text), parse_heads(HEAD)[0]).parts
    lazy = part.solutions["lazy"]
    assert lazy.sections == {"a": "a(:, k)"}
    assert "a" in lazy.req
    assert "a" not in lazy.req_d
