"""``z(1)%w(:)``, where each element of z has its own w: a piece of the location z%w in one memory of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.frontend.load import load_text

from tests.support.judged import judge

RAGGED = """subroutine p(x, y)
  implicit none
  type :: row
    real(8), {kind} :: w(:)
  end type row
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  type(row) :: z(3)
  real(8) :: s, u
  allocate (z(1)%w(2), z(2)%w(3), z(3)%w(4))
  z(2)%w(:) = x(2:4)
  z(3)%w(:) = x(2:5)
  z(1)%w(:) = x(1:2)
  u = 0.5d0
  s = sqrt(1 + x(5)**2)/(1 + z(3)%w(2))
  !$AD CHECKPOINT-START
  !$AD CHECKPOINT-START
  z(1)%w(:) = x(2:3)
  !$AD CHECKPOINT-END
  call scaled(u, z(2)%w(1))
  !$AD CHECKPOINT-END
  y = 0.3d0*u + z(2)%w(1) + z(1)%w(2) + s
end subroutine p
subroutine scaled(u, s)
  real(8), intent(inout) :: u
  real(8), intent(in) :: s
  u = sin(u*s)
end subroutine scaled
"""


@pytest.mark.parametrize("kind", ["allocatable", "pointer"])
def test_what_has_no_piece_is_not_destroyed(kind: str, tmp_path: Path) -> None:
    """The inner part, which saves nothing, runs within the outer one, which saves z(1)%w alone."""
    judge(RAGGED.format(kind=kind), "p(x)>(y)", tmp_path)


def test_a_piece_is_saved_once() -> None:
    (head,) = parse_heads("p(x)>(y)")
    done = compare(load_text(RAGGED.format(kind="allocatable")), head, parse_strategies("eager"))
    assert [run.traffic_bytes for run in done.runs] == [16]
