"""What the machine does not execute stands in branches that no run takes: the program runs, its adjoint too, and the
sets around it are proved. A run that comes to it is told, with the line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from snapset import Choices, InputError, replay

from tests.oracles.gfortran_programs import gfortran

PROGRAM = """module solver
  implicit none
  abstract interface
    subroutine told(s)
      real(8), intent(inout) :: s
    end subroutine told
  end interface
  type :: watching
    real(8) :: level = 0.5d0
    procedure(told), pointer, nopass :: report => null()
  contains
    procedure :: watch
  end type watching
  type :: pair
    real(8) :: a, b
  end type pair
  type(watching) :: kept
  procedure(told), pointer :: hook => null()
contains
subroutine p(x, y)
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  integer :: i, lun
  logical :: open_
  type(pair) :: two
  call kept%watch(x(1))
  if (associated(hook)) call hook(x(2))
  lun = 5
  two = pair(x(1), x(2))
  do i = 1, 3
    !$AD CHECKPOINT-START
    x(i) = x(i)*sin(x(i + 1))*kept%level
    if (x(i) > 7) then
      {refused}
    end if
    call kept%watch(x(i))
    x(i) = x(i)*x(2)
    !$AD CHECKPOINT-END
  end do
  y = sum(x)*two%a
end subroutine p
subroutine watch(me, s)
  class(watching), intent(inout) :: me
  real(8), intent(inout) :: s
  me%level = me%level*s
  if (associated(me%report)) call me%report(s)
end subroutine watch
end module solver
"""
MAIN = """program main
  use solver
  real(8) :: x(4), y, f(-2:2), h = 1d-3
  integer :: i, k
  do i = 0, 4
    do k = -2, 2
      x = [0.5d0, 0.6d0, 0.7d0, 0.8d0]
      if (i > 0) x(i) = x(i) + k*h
      kept%level = 0.5d0
      call p(x, f(k))
    end do
    if (i == 0) print '(es25.17)', f(0)
    if (i > 0) print '(es25.17)', (8*(f(1) - f(-1)) - (f(2) - f(-2)))/(12*h)
  end do
end program main
"""
REFUSED = {
    "no source": "call give_up('text', x(i))",
    "function without source": "x(i) = judged(x(i))*x(2)",
    "read": "read (lun, *) x(2)",
    "inquire": "inquire (lun, opened=open_)",
    "fraction": "x(2) = fraction(x(1))*x(1)",
    "test": "if (fraction(x(1)) > 1) x(2) = 1",
    "derived value": "two = transfer(x(1:2), two)",
    "masked": "where (fraction(x) > x) x = 2*x",
    "loop": "do i = int(fraction(x(1))), 3\n x(i) = 2*x(i)\n end do",
    "command": "call execute_command_line('x', exitstat=lun)",
}
DECLARED = {"function without source": "  real(8), external :: judged\n"}


def text(name: str) -> str:
    found = PROGRAM.replace("{refused}", REFUSED[name].replace("int(", "int(0*x(3)) + int(", 1))
    return found.replace("  logical :: open_\n", "  logical :: open_\n" + DECLARED.get(name, ""))


@pytest.mark.parametrize("name", REFUSED)
def test_a_run_that_does_not_come_to_it_is_proved(name: str, tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(text(name))
    for choices in (Choices(("lazy", "eager", "optimal")), Choices(("lazy",), recompute=True),
                    Choices(("lazy",), call_checkpoints=False)):
        found = replay([str(tmp_path / "p.f90")], "p(x)>(y)", choices, values={"x": [0.5, 0.6, 0.7, 0.8]})
        assert all(run.equal for run in found.runs), found


@pytest.mark.parametrize("name", REFUSED)
def test_a_run_that_comes_to_it_ends_there(name: str, tmp_path: Path) -> None:
    source = text(name)
    (tmp_path / "p.f90").write_text(source)
    line = next(at for at, one in enumerate(source.splitlines(), 1) if "> 7" in one) + 1
    with pytest.raises(InputError, match=f"p.f90:{line}:.*replay does not execute"):
        replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [50, 1.5, 1.6, 0.8]})


def test_the_compiled_program_agrees(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(text("read"))
    found = replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [0.5, 0.6, 0.7, 0.8]})
    (tmp_path / "main.f90").write_text(text("read") + MAIN)
    subprocess.run([gfortran(), "-w", "main.f90", "-o", "main"], cwd=tmp_path, check=True, timeout=60)
    done = subprocess.run([str(tmp_path / "main")], cwd=tmp_path, check=True, timeout=60, capture_output=True,
                          text=True)
    value, *slopes = map(float, done.stdout.split())
    assert found.reference.values["y"].elements == pytest.approx([value], rel=1e-13)
    assert list(found.reference.gradient["x"].elements) == pytest.approx(slopes, rel=1e-8)
