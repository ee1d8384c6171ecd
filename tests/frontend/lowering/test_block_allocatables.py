"""An allocatable of a BLOCK is not allocated when the block is entered, whatever it was when it was left."""

from __future__ import annotations

from pathlib import Path

from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge

PROGRAM = """\
subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  integer :: i
  y = 1
  do i = 1, 3
    block
      real(8), allocatable :: w(:), v(:)
      if (allocated(w)) y = 0
      allocate (w(i), source=x(1:i))
      if (i > 1) allocate (v, source=w*w)
      if (allocated(v)) y = y*sum(v)
      y = y*sum(sin(w))
    end block
  end do
end subroutine
"""


def test_a_block_in_a_loop_allocates_each_time(tmp_path: Path) -> None:
    judge(PROGRAM, "p(x)>(y)", tmp_path, Inputs({"x": [0.6, 0.7, 0.8]}))
