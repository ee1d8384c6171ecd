"""Arrays that are cut, into bands or into a part's piece and the rest, never cost more than the same arrays whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import Head, parse_heads
from snapset.analysis.dataflow.bitsets import EMPTY
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.procedures import model_builder
from snapset.analysis.recording import pieces_behind
from snapset.analysis.recording.strategies import EAGER, LAZY, OPTIMAL
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend import ir
from snapset.frontend.load import load_program, load_text

from tests.analysis.replay.machine.test_replay import ANEW, SOURCES, inputs_for
from tests.analysis.replay.machine.test_replay import PROGRAMS as EXECUTED
from tests.support.corpus import CORPUS, parse_expected
from tests.support.execution import proved_by_execution

HEAD = "p(x)>(y)"
SOLVE = """subroutine solve(n, r, u)
  integer, intent(in) :: n
  real(8), intent(in) :: r(n)
  real(8), intent(inout) :: u(n)
  integer :: j
  do j = 2, n
    u(j) = u(j)*r(j) + 0.1d0*u(j - 1)*u(j)
  end do
end subroutine solve
subroutine wave(n, u)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  integer :: j
  do j = 1, n - 1
    u(j) = u(j) + 0.1d0*u(j)*u(j + 1)
  end do
end subroutine wave
subroutine add(n, e, u)
  integer, intent(in) :: n
  real(8), intent(in) :: e(n)
  real(8), intent(inout) :: u(n)
  integer :: j
  do j = 1, n
    u(j) = u(j) + e(j)
  end do
end subroutine add
"""
# which column a call writes is not known, others are named by constants
COLUMNS = SOLVE + """subroutine p(x, y)
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: w(6, 3), r(6)
  integer :: t, q
  w(:, 1) = x
  w(:, 2) = 0.5d0*x
  w(:, 3) = 0.2d0
  do t = 1, 3
    do q = 1, 3
      r = w(:, 1)*w(:, 2) + 0.1d0
      call solve(6, r, w(1, q))
    end do
  end do
  y = sum(w(:, 1)*w(:, 3))
end subroutine p
"""
# a buffer that statements fill, of which a call writes all but the last
BUFFER = SOLVE + """subroutine p(x, y)
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: q(6, 4), line(8)
  integer :: j
  line = 0.0d0
  do j = 1, 4
    q(:, j) = x*j
  end do
  do j = 1, 4
    line(1:6) = q(:, j)
    call wave(6, line)
    q(:, j) = line(1:6)
  end do
  y = sum(q*q) + line(7)
end subroutine p
"""
# levels in one array, corrected by a call whose adjoint needs nothing of it
LEVELS = SOLVE + """subroutine p(x, y)
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: u(12)
  integer :: start(3), l
  start = (/ 1, 5, 9 /)
  u(1:6) = x
  u(7:12) = x*0.5d0
  do l = 2, 1, -1
    call add(4, u(start(l + 1)), u(start(l)))
    call wave(4, u(start(l)))
  end do
  y = sum(u*u)
end subroutine p
"""
# a matrix that is named by its elements, and eliminated by a callee that knows it whole
ELEMENTS = SOLVE + """subroutine eliminate(a)
  real(8), intent(inout) :: a(3, 3)
  integer :: i, j, k
  do k = 1, 2
    do i = k + 1, 3
      a(i, k) = a(i, k)/a(k, k)
      do j = k + 1, 3
        a(i, j) = a(i, j) - a(i, k)*a(k, j)
      end do
    end do
  end do
end subroutine eliminate
subroutine p(x, y)
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: a(3, 3)
  integer :: t
  y = 0.0d0
  do t = 1, 3
    a = 0.1d0
    a(1, 1) = 2.0d0 + x(1)*t
    a(2, 2) = 3.0d0 + x(2)
    a(3, 3) = 4.0d0 + x(3)
    a(2, 1) = x(4)
    a(3, 2) = x(5)
    call eliminate(a)
    y = y + a(1, 1)*a(2, 2)*a(3, 3)*a(3, 1)
  end do
end subroutine p
"""
TEXTS = {"columns": COLUMNS, "buffer": BUFFER, "levels": LEVELS, "elements": ELEMENTS}


def pushed(program: ir.Program, head: Head, inputs: Inputs, again: bool) -> dict[str, int]:
    """Bytes, under each strategy; every run gives the store-all gradient."""
    runs = compare(program, head, (EAGER, LAZY, OPTIMAL), inputs, AnalysisOptions(recompute=again)).runs
    assert all(run.equal for run in runs), [(run.name, run.error) for run in runs]
    return {run.name: run.traffic_bytes or 0 for run in runs}


def both(program: ir.Program, head: Head, inputs: Inputs, again: bool,
         monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, int], dict[str, int]]:
    """Bytes with arrays cut, and with none cut."""
    cut = pushed(program, head, inputs, again)
    monkeypatch.setattr(model_builder, "find_bands", lambda *_: {})
    monkeypatch.setattr(pieces_behind, "others_of", lambda *_, **__: EMPTY)
    return cut, pushed(program, head, inputs, again)


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("name", TEXTS)
def test_a_cut_costs_nothing(name: str, again: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    (head,) = parse_heads(HEAD)
    cut, whole = both(load_text(TEXTS[name]), head, Inputs(), again, monkeypatch)
    assert all(cut[one] <= whole[one] for one in cut), (cut, whole)


@pytest.mark.parametrize("name", TEXTS)
def test_and_is_right(name: str, tmp_path: Path) -> None:
    proved_by_execution(TEXTS[name], HEAD, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(EXECUTED) - ANEW))
def test_a_cut_costs_nothing_in_the_corpus(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (head,) = parse_heads(parse_expected((CORPUS / f"{name}.expected").read_text()).head)
    cut, whole = both(load_program([str(SOURCES[name])]), head, inputs_for(name), True, monkeypatch)
    assert all(cut[one] <= whole[one] for one in cut), (cut, whole)
