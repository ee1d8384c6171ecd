"""What replay refused once and executes now, or executed and had a wrong gradient or value: each program under all
options, and compiled (see test_constructs)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from snapset import replay

from tests.generators.constructs.native import judge
from tests.generators.constructs.trial import judge as judge_all
from tests.generators.test_constructs import small
from tests.oracles.gfortran_programs import gfortran

FOLDERS = Path(__file__).parent.glob("once_*/")
POINTED = """module work
  type :: state
    real(8) :: u, w(3)
  end type state
contains
subroutine p(x, o, y)
  real(8), pointer, intent(in) :: x(:)
  type(state), pointer :: o(:)
  real(8), pointer, intent(inout) :: y
  real(8), pointer :: q(:)
  real(8) :: s
  q => x(2:3)
  s = q(1)*x(1)*o(2)%w(3)
  call change(q, s)
  o(1)%u = s*sin(o(1)%u)
  y = s*sin(x(3))*o(1)%u + sum(o%w(2))
  s = y*s
  y = y*s
end subroutine p
subroutine change(q, s)
  real(8), pointer, intent(in) :: q(:)
  real(8), intent(inout) :: s
  q = q*s
  s = s*q(2)
end subroutine change
end module work
"""
POINTED_MAIN = """program main
  use work
  real(8), pointer :: x(:), y
  type(state), pointer :: o(:)
  real(8) :: start(10), moved(10), v(-2:2), h = 1d-3
  integer :: i, k
  allocate (x(3), y, o(2))
  start = [0.6d0, 0.7d0, 0.8d0, 0.9d0, 0.3d0, 0.4d0, 0.5d0, 1.1d0, 1.2d0, 1.3d0]
  do i = 0, 10
    do k = -2, 2
      moved = start
      if (i > 0) moved(i) = moved(i) + k*h
      x = moved(1:3)
      o%u = moved(4:5)
      o(1)%w = [0.15d0, 0.25d0, 0.35d0]
      o(2)%w = moved(8:10)
      call p(x, o, y)
      v(k) = y
    end do
    if (i == 0) print '(es25.17)', v(0)
    if (i > 0) print '(es25.17)', (8*(v(1) - v(-1)) - (v(2) - v(-2)))/(12*h)
  end do
end program main
"""
BLOCK_DATA = """subroutine p(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  real(8) :: c(3), e, w(2), unseen
  common /blk/ c, e
  common /lone/ w
  e = x(2)*e
  y = c(1)*sin(x(1))*c(3) + e*c(2) + sum(w)*x(1)
  c(2) = y*c(2)
  y = y*c(2)*c(3)
end subroutine p
block data
  real(8) :: c, d(2), e, w(2)
  common /blk/ c, d, e
  common /lone/ w
  data c /0.5d0/, d(2) /0.2d0/, d(1) /0.1d0/, e /0.7d0/, w /2*0.25d0/
end block data
"""
BLOCK_DATA_MAIN = """program main
  real(8) :: x(2) = [0.6d0, 0.7d0], y
  call p(x, y)
  print '(es25.17)', y
end program main
"""


@pytest.mark.parametrize("file", sorted(file for one in FOLDERS for file in one.glob("*.f90")),
                         ids=lambda file: file.stem)
def test_every_plan_and_the_compiled_program_agree(file: Path, tmp_path: Path) -> None:
    text = file.read_text()
    verdict = judge_all(small(text), judge([small(text)], tmp_path)[7])
    assert not verdict.refused
    assert not verdict.bad
    assert verdict.native == "right"


def printed(source: str, folder: Path) -> list[float]:
    (folder / "main.f90").write_text(source)
    subprocess.run([gfortran(), "-w", "main.f90", "-o", "main"], cwd=folder, check=True, timeout=60)
    done = subprocess.run([str(folder / "main")], cwd=folder, check=True, timeout=60, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()]


def test_pointers_of_the_head_lead_to_memory_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(POINTED)
    found = replay([str(tmp_path / "p.f90")], "p(x,o)>(y)", values={
        "x": [0.6, 0.7, 0.8], "o%u": [0.9, 0.3], "o%w": [0.15, 1.1, 0.25, 1.2, 0.35, 1.3]}, sizes={"o%u": (2,)})
    assert all(run.equal for run in found.runs)
    value, *slopes = printed(POINTED + POINTED_MAIN, tmp_path)
    assert found.reference.values["y"].elements == pytest.approx([value], rel=1e-13)
    ours = found.reference.gradient
    assert list(ours["x"].elements) == pytest.approx(slopes[:3], rel=1e-8)
    assert ours["o%u"].elements[0] == pytest.approx(slopes[3], rel=1e-8)
    assert ours["o%w"].elements[1::2] == pytest.approx(slopes[7:10], rel=1e-8)
    assert {one.name for one in found.inputs} >= {"x", "o%u", "o%w"}


def test_block_data_gives_start_values(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(BLOCK_DATA)
    found = replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [0.6, 0.7]})
    assert all(run.equal for run in found.runs)
    assert found.reference.values["y"].elements == pytest.approx(printed(BLOCK_DATA + BLOCK_DATA_MAIN, tmp_path),
                                                                 rel=1e-14)
    given = replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [0.6, 0.7], "e": 0.7, "w": [0.25, 0.25]})
    assert given.reference.values == found.reference.values
    other = replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [0.6, 0.7], "e": 0.8})
    assert other.reference.values != found.reference.values
