"""Sizes of modules' arrays that the head does not allocate, against ``size(h)`` of the compiled program."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import snapset
from snapset.analysis.symbolic.rendering import text

from tests.oracles.gfortran_programs import gfortran

GRID = """module grid
  implicit none
  integer, parameter :: nk = 4
  integer :: n = 2
  integer, target :: aimed = 2
  real(8), allocatable :: h(:)
  type state
    integer :: length = 3
    real(8), allocatable :: u(:, :)
  end type
  type(state) :: st
contains
  subroutine init(n0)
    integer, intent(in) :: n0
    integer :: ierr
{init}
  end subroutine
  subroutine setn(k)
    integer, intent(in) :: k
    n = k
  end subroutine
  subroutine more()
{more}
  end subroutine
  subroutine changes(k)
    integer :: k
    k = k + 1
  end subroutine
  subroutine remakes(a)
    real(8), allocatable, intent(inout) :: a(:)
    deallocate (a)
    allocate (a(9))
  end subroutine
  subroutine fills(s)
    type(state), intent(inout) :: s
{fills}
  end subroutine
end module
"""
WORK = """module work
contains
  subroutine run(x, y)
    use grid
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    {made} = x
    {made} = {made}*{made}
{run}
    y = sum({made}*{made})
    print *, n, size({made}), st%length
  end subroutine
end module
{aside}
program main
  use grid
  use work
  use aside
  real(8) :: x, y
{main}
  call run(x, y)
end program
"""
NOTHING = "module aside\nend module"


@dataclass(frozen=True)
class Case:
    """``size``: the formula, None where it is not known. ``wrong``: what n would say is not what ``h`` has."""

    size: str | None
    init: str = "    n = n0\n    allocate (h(n))"
    more: str = ""
    fills: str = ""
    run: str = ""
    main: str = "  x = 1\n  call init(3)"
    aside: str = NOTHING
    made: str = "h"
    wrong: bool = False

    def program(self, driver: bool = True) -> str:
        work = WORK.format(made=self.made, run=self.run, aside=self.aside, main=self.main)
        return GRID.format(init=self.init, more=self.more, fills=self.fills) + (
            work if driver else work.partition("program main")[0])


AFTER = "  x = 1\n  call init(3)\n  call more()"
TWICE = "  x = 1\n  call init(3)\n  call init(4)"
OTHER = """module aside
  use grid, only: hh => h, nn => n
contains
  subroutine again
    if (allocated(hh)) deallocate (hh)
    allocate (hh({}))
  end subroutine
end module"""
EARLY = """module aside
contains
  subroutine again
    use work
    real(8) :: x, y
    x = 1
    call run(x, y)
  end subroutine
end module"""
CASES = {
    "written, then allocated": Case("n"),
    "from another bound": Case("n + 2", init="    n = n0\n    allocate (h(-1:n))"),
    "of constants": Case("8", init="    n = n0\n    allocate (h(2*nk))", more="    n = 7", main=AFTER),
    "a largest one": Case("max(nk, 2*n)", init="    n = n0\n    allocate (h(max(nk, n*2)))"),
    "allocated anew": Case(
        "n", init="    if (allocated(h)) deallocate (h)\n    n = n0\n    allocate (h(n))", main=TWICE),
    "allocated once, if at all": Case("n", init="    n = n0\n    if (.not. allocated(h)) allocate (h(n))"),
    "not allocated the second time": Case(
        None, init="    n = n0\n    if (.not. allocated(h)) allocate (h(n))", main=TWICE, wrong=True),
    "allocated twice alike": Case("n", more="    if (allocated(h)) deallocate (h)\n    allocate (h(1:n))", main=AFTER),
    "allocated otherwise": Case(None, more="    deallocate (h)\n    allocate (h(2*n))", main=AFTER, wrong=True),
    "n is set before": Case("n", init="    allocate (h(n))", main="  x = 1\n  call setn(5)\n  call init(3)"),
    "n is set behind": Case(None, main="  x = 1\n  call init(3)\n  call setn(5)", wrong=True),
    "n is set in the next turn": Case(
        None, init="    if (.not. allocated(h)) allocate (h(n))", wrong=True,
        main="  x = 1\n  do i = 1, 2\n    call setn(4*i)\n    call init(3)\n  end do"),
    "n is changed in the end": Case(None, init="    n = n0\n    allocate (h(n))\n    n = n + 1", wrong=True),
    "n is changed as an argument": Case(None, more="    call changes(n)", main=AFTER, wrong=True),
    "n is a DO variable": Case(None, more="    do n = 1, 9\n    end do", main=AFTER, wrong=True),
    "n is read": Case(
        None, more="    character(9) :: c = '&nml n=8/'\n    namelist /nml/ n\n    read (c, nml)",
        main=AFTER, wrong=True),
    "n is read from a text": Case(None, more="    character(9) :: c = '8'\n    read (c, *) n", main=AFTER, wrong=True),
    "n is STAT": Case(None, more="    deallocate (h, stat=n)\n    allocate (h(4))", main=AFTER, wrong=True),
    "n may be pointed at": Case(None, init="    aimed = n0\n    allocate (h(aimed))"),
    "only a dummy argument": Case(None, init="    n = n0\n    allocate (h(n0))"),
    "with STAT, twice": Case(None, init="    n = n0\n    allocate (h(n), stat=ierr)", main=TWICE, wrong=True),
    "the head changes n": Case(None, run="    n = n + 1", wrong=True),
    "MOVE_ALLOC": Case(None, more="    real(8), allocatable :: g(:)\n    allocate (g(7))\n    call move_alloc(g, h)",
                       main=AFTER, wrong=True),
    "an array is assigned": Case(None, more="    h = [1d0, 2d0]", main=AFTER, wrong=True),
    "what has its shape is assigned": Case("n", more="    h = 1\n    h = 2*h + 1", main=AFTER),
    "an allocatable dummy argument": Case(None, more="    call remakes(h)", main=AFTER, wrong=True),
    "renamed": Case("n", init="    n = n0", aside=OTHER.format("nn"), main="  x = 1\n  call init(3)\n  call again"),
    "renamed, otherwise": Case(None, aside=OTHER.format("nn + 1"), main="  x = 1\n  call init(3)\n  call again",
                               wrong=True),
    "what runs the head is called in between": Case(
        None, init="    n = n0\n    if (allocated(h)) call again\n    if (allocated(h)) deallocate (h)\n"
        "    allocate (h(n))\n  contains\n    subroutine again\n      external twice\n      call twice\n"
        "    end subroutine",
        aside=EARLY + "\nsubroutine twice\n  use aside\n  call again\nend subroutine", main=TWICE, wrong=True),
    "a component": Case("nk*n", init="    n = n0\n    allocate (st%u(n, nk))", made="st%u"),
    "a component by its object's integer": Case(
        "st%length**2", init="    allocate (st%u(st%length, st%length))", made="st%u"),
    "a component, by another name too": Case(
        None, init="    n = n0\n    allocate (st%u(n, nk))", fills="    deallocate (s%u)\n    allocate (s%u(2, 2))",
        more="    call fills(st)", main=AFTER, made="st%u", wrong=True),
    "an object is assigned": Case(
        None, init="    n = n0\n    allocate (st%u(n, nk))",
        more="    type(state) :: s\n    allocate (s%u(1, 1))\n    st = s", main=AFTER, made="st%u", wrong=True),
    "an object is assigned by another name": Case(
        None, init="    n = n0\n    allocate (st%u(n, nk))",
        fills="    type(state) :: t\n    allocate (t%u(1, 1))\n    s = t", more="    call fills(st)", main=AFTER,
        made="st%u", wrong=True),
}


def formula(program: str, directory: Path, made: str) -> str | None:
    """The elements of the array as the report has them, of the only value that is saved; None where it is size()."""
    file = directory / "p.f90"
    file.write_text(program)
    at = next(at for at, one in enumerate(program.splitlines(), 1) if one.strip() == f"{made} = {made}*{made}")
    result = snapset.report([str(file)], "run(x)>(y)", regions=[(str(file), at, at)])
    (part,) = result.parts
    found = part.solutions["lazy"].sizes[made]
    assert found is not None
    shown = text(found)
    return None if "size(" in shown else shown


def seen(program: str, directory: Path) -> list[tuple[int, int, int]]:
    """What the compiled program prints in each run of the head: n, the size, the object's integer."""
    (directory / "p.f90").write_text(program)
    subprocess.run([gfortran(), "-w", "-fcheck=all", "-o", "p", "p.f90"], cwd=directory, check=True)
    done = subprocess.run([directory / "p"], cwd=directory, check=True, capture_output=True, text=True)
    return [(int(n), int(size), int(length)) for n, size, length in map(str.split, done.stdout.splitlines())]


def value(formula: str, n: int, length: int) -> object:
    """A formula's value."""
    return eval(formula.replace("st%length", str(length)).replace("nk", "4").replace("n", str(n)), {"max": max})


@pytest.mark.parametrize("name", CASES)
def test_sizes_are_those_of_the_compiled_program(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    found = formula(case.program(), tmp_path, case.made)
    runs = seen(case.program(), tmp_path)
    assert runs
    if case.size is not None and found is not None:
        assert all(value(case.size, n, length) == size for n, size, length in runs)  # the formula by hand is right
        assert all(value(found, n, length) == 8*size for n, size, length in runs)
    elif case.wrong:
        assert any(size != n*(4 if case.made == "st%u" else 1) for n, size, _ in runs)


@pytest.mark.parametrize(("apart", "known"), [(False, True), (True, False)])
def test_a_program_that_is_not_given_may_call_anything(apart: bool, known: bool, tmp_path: Path) -> None:
    text = Case("n").program(driver=False)
    found = formula(text if apart else text.replace("    n = k\n", ""), tmp_path, "h")
    assert (found is not None) is known


def test_a_procedure_without_source_may_allocate(tmp_path: Path) -> None:
    case = Case("n", main="  x = 1\n  call init(3)\n  call nobody()")
    assert formula(case.program(), tmp_path, "h") is None
