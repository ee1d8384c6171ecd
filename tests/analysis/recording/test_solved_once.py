"""What a report solves, counted: no level twice, and Req at least only where something may run again."""

from __future__ import annotations

from collections import Counter

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.adjoint import interprocedural
from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoint.repeatable_groups import Computable
from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.dataflow.framework import FixedPoint
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording import private_scalars
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("top(x)>(y)")
CHAIN = """subroutine top(x, y)
  real(8) :: x(10), y
  call middle(x)
  call middle(x)
  y = sum(x)
end subroutine top
subroutine middle(x)
  real(8) :: x(10), w(10), q
  integer :: i
{loop}
end subroutine middle
subroutine last(z, q)
  real(8) :: z, q
  z = z*z*q
end subroutine last
"""
CALLS = """  q = 2.0d0
  do i = 1, 10
    call last(x(i), q)
  end do"""
MARKED = """  q = 2.0d0
  !$AD CHECKPOINT-START
  do i = 1, 10
    call last(x(i), q)
  end do
  !$AD CHECKPOINT-END"""
AGAIN = """  w = 1.5d0
  do i = 1, 9
    q = w(i + 1) - w(i)
    x(i) = x(i)*q*q
    call last(x(i), w(i))
  end do"""


@pytest.mark.parametrize("loop", [CALLS, MARKED])
def test_what_is_relied_upon_is_solved_once(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the parts in a level and for the codes that it runs: one solution."""
    solved: Counter[tuple[str, int]] = Counter()
    real = interprocedural.relied_upon

    def counted(adjoint: ProcedureAdjoint, level: LevelAdjoint, computable: Computable | None,
                outside: May) -> dict[int, May]:
        solved[adjoint.key, level.graph.index] += 1
        return real(adjoint, level, computable, outside)

    monkeypatch.setattr(interprocedural, "relied_upon", counted)
    analyse(load_text(CHAIN.format(loop=loop)), HEAD)
    assert solved
    assert set(solved.values()) == {1}
    assert not any(key == "last" for key, _ in solved), "it has no part, and runs nothing"


@pytest.mark.parametrize(("loop", "asked"), [(CALLS, False), (AGAIN, True)])
def test_req_at_least_is_solved_where_something_may_run_again(loop: str, asked: bool,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[str] = []
    real = private_scalars._Selection.solve_least

    def counted(self: private_scalars._Selection, again: private_scalars.Reruns) -> FixedPoint[May]:
        solved.append(self.adjoint.key)
        return real(self, again)

    monkeypatch.setattr(private_scalars._Selection, "solve_least", counted)
    analyse(load_text(CHAIN.format(loop=loop)), HEAD)
    assert bool(solved) == asked
