"""A call that alternate returns leave is a branch: whoever needs to know what runs next runs it, also where nothing of
what it changes is wanted. Its own second run begins with what it found, so that must be saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import Choices, replay
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge

PROGRAM = """\
subroutine p(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  real(8) :: s, c(2)
  s = 0.5d0
  c = x
  call around(c, s)
  y = s*x(2)
end subroutine
subroutine around(v, s)
  real(8), intent(inout) :: v(2), s
  call step(v, s, *10, *20)
{between}10 s = v(1)
20 v(2) = 0.5d0
end subroutine
subroutine step(v, s, *, *)
  real(8), intent(inout) :: v(2), s
  s = 0.5d0*s + 0.1d0
  v(1) = v(1)*s
{way}end subroutine
"""


@pytest.mark.parametrize("way", ["", "  if (s > 0.2d0) return 1\n", "  if (s > 0.2d0) return 2\n", "  return 1\n"])
@pytest.mark.parametrize("between", ["", "  s = 2*s\n"])
def test_what_decides_is_run_and_saved(way: str, between: str, tmp_path: Path) -> None:
    text = PROGRAM.format(between=between, way=way)
    (tmp_path / "p.f90").write_text(text)
    for choices in (Choices(), Choices(recompute=True), Choices(first_run="whole"), Choices(context=True)):
        assert replay([str(tmp_path / "p.f90")], "p(x)>(y)", choices).equal
    judge(text, "p(x)>(y)", tmp_path, Inputs({}))
