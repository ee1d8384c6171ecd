"""Values and gradients of the replay machine against the original program compiled by gfortran."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.load import load_text

from tests.analysis.replay.machine.test_replay import PROGRAMS, SOURCES, inputs_for, loaded
from tests.generators.random_fortran import HEAD, numbers
from tests.generators.random_fortran import program as random_program
from tests.oracles.gfortran_driver import CannotDriveError, compile_driver, drive
from tests.oracles.gfortran_opinion import opinion
from tests.oracles.gfortran_programs import gfortran
from tests.support.execution import agrees_with_compiled

# Programs that the machine executes and a main program cannot call, with why.
NOT_DRIVEN: Mapping[str, str] = {
    "block_scope": "names hidden in a BLOCK", "random": "random_number", "timer": "cpu_time",
}  # fmt: skip
DRIVEN = sorted(set(PROGRAMS) - NOT_DRIVEN.keys()) if shutil.which("gfortran") else []


def test_gfortran_is_there() -> None:
    """Without it nothing below runs, which must not pass unnoticed."""
    gfortran()


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", DRIVEN)
def test_the_compiled_original_agrees(name: str, tmp_path: Path) -> None:
    head, machine, _ = loaded(name)
    inputs = inputs_for(name)
    driver = drive(head, machine, inputs)
    found = opinion(head, machine, inputs, driver, compile_driver(driver, (str(SOURCES[name]),), tmp_path))
    assert not found.differences
    assert found.agrees, found.slopes


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(16 if DRIVEN else 0))
def test_the_compiled_original_of_a_random_program_agrees(number: int, tmp_path: Path) -> None:
    """Sequence association, overlays, GOTO, modules, optional arguments: what no one thinks of together."""
    random = Random(number)
    file = tmp_path / "random.f90"
    file.write_text(random_program(random))
    inputs = Inputs(numbers(random))
    program = load_text(file.read_text())
    (head,) = parse_heads(HEAD)
    machine = Machine(program, find_procedure(program, head).key)
    driver = drive(head, machine, inputs)
    (tmp_path / "there").mkdir()
    found = opinion(head, machine, inputs, driver, compile_driver(driver, (str(file),), tmp_path / "there"), ways=1)
    assert not found.differences
    assert found.agrees, found.slopes


def test_what_cannot_be_driven_says_why() -> None:
    assert set(PROGRAMS) >= NOT_DRIVEN.keys()
    for name, why in NOT_DRIVEN.items():
        with pytest.raises(CannotDriveError, match=why):
            drive(*loaded(name)[:2], inputs_for(name))


PROGRAM = """module physics
  implicit none
  real(8), private :: c = 2.0d0
  type pair
    real(8) :: a, b(2)
  end type pair
contains
  subroutine p(v, k, y)
    type(pair), intent(inout) :: v(2)
    integer, intent(in) :: k
    real(8), intent(out) :: y
    real(4) :: w
    common /hid/ w
    y = c*v(1)%a**k + v(2)%b(1)*v(2)%b(2)*w
    c = y
  end subroutine p
end module physics
"""


@pytest.mark.parametrize(("old", "new", "wrong"), [
    ("", "", 0), ("**k", "**(k + 1)", 2), ("c = y", "c = y*(1 + 1d-11)", 1), ("*w", "*w*v(1)%a", 2),
])
def test_another_program_is_told_from_the_original(old: str, new: str, wrong: int, tmp_path: Path) -> None:
    """The machine runs PROGRAM, gfortran one that differs: in y and c, or in c alone."""
    program = load_text(PROGRAM)
    (head,) = parse_heads("p(v)>(y)")
    machine = Machine(program, "physics::p")
    file = tmp_path / "changed.f90"
    file.write_text(PROGRAM.replace(old, new) if old else PROGRAM)
    driver = drive(head, machine, Inputs({"k": 3}))
    (tmp_path / "there").mkdir()
    found = opinion(head, machine, Inputs({"k": 3}), driver, compile_driver(driver, (str(file),), tmp_path / "there"))
    assert len(found.differences) == wrong, found.differences
    assert found.agrees is (wrong == 0)


def test_elements_of_a_module_are_counted_from_its_lower_bounds(tmp_path: Path) -> None:
    agrees_with_compiled("""module levels
  type level
    real(8) :: f = 0.5d0
    integer :: tag = 7
  end type
  type(level) :: lev(0:1, -2:-1)
end module
subroutine s(x, y)
  use levels
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  lev(0, -2)%tag = 3
  lev(1, -1)%f = lev(0, -1)%f*x(1)
  y = lev(1, -1)%f*x(2)*lev(0, -2)%tag
end subroutine
""", "s(x)>(y)", tmp_path)
