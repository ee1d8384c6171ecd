"""Names that stand for a reference, in places that write and read it: ASSOCIATE, BLOCK, statement functions and more.

The lowering may put one object into all places of such a name. Every gradient is store-all's under all strategies, and
store-all's is that of the program compiled by gfortran, by central differences. The snapshots are derived by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.load import load_text

from tests.oracles.gfortran_driver import compile_driver, drive
from tests.oracles.gfortran_opinion import opinion

TEXT = """module shapes
  implicit none
  type box
    real(8) :: u(3)
    real(8) :: s
  end type box
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a(3), b(3), s, sq, u, e(2), f
    type(box) :: c, d(2)
    integer :: i, m
    namelist /group/ a, s
    equivalence (e(1), f)
    sq(u) = u*u
    a = x
    b = x(3)
    s = x(1)
    e = x(2)
    c%u = x
    c%s = x(2)
    d(1) = c
    d(2) = c
    m = 2
    !$AD CHECKPOINT-START
{body}
    !$AD CHECKPOINT-END
    y = sum(a*a) + a(2)*a(1) + s*s + sum(c%u*c%u) + c%s + sum(d(2)%u*d(2)%u)*d(1)%u(2) + e(1)*e(2) + sum(b*b)
  end subroutine p
  subroutine squared(v)
    type(box), intent(inout) :: v
    associate (u => v%u)
      u = u*u
    end associate
  end subroutine squared
  subroutine turned(v)
    real(8), intent(inout) :: v(3)
    associate (z => v(2), w => v(3))
      z = z*w
      w = z*w
    end associate
  end subroutine turned
end module shapes
"""
# By name: the part's body, and what lazy's snapshot must hold of a, c%u and d%u: what the part overwrites after it was
# read, as its adjoint reads it again.
BODIES: dict[str, tuple[str, set[str]]] = {
    "an element": ("associate (z => a(2))\n z = z*z\n end associate", {"a"}),
    "a whole array": ("associate (z => a)\n z = z*z\n end associate", {"a"}),
    "a section": ("associate (z => a(1:2))\n z = z*z\n end associate", {"a"}),
    "an element of a section": ("associate (z => a(2:3))\n z(1) = z(1)*z(2)\n z(2) = z(2)*z(2)\n end associate", {"a"}),
    "a component": ("associate (u => c%u)\n u = u*u\n end associate", {"c%u"}),
    "a component's element": ("associate (u => c%u(3))\n u = u*u\n end associate", {"c%u"}),
    "an object's component": ("associate (o => c)\n o%u(2) = o%u(2)*o%u(2)\n end associate", {"c%u"}),
    "an element of an array of objects": ("associate (o => d(2))\n o%u = o%u*o%u\n end associate", {"d%u"}),
    "an element of a loop": ("do i = 1, 3\n associate (z => a(i))\n z = z*z\n end associate\n end do", {"a"}),
    "neighbours of a loop": ("do i = 2, 3\n associate (z => a(i), w => a(i-1))\n z = z*w\n w = w*z\n end associate\n "
                             "end do", {"a"}),
    "a recurrence": ("do i = 2, 3\n associate (z => a(i), w => a(i-1))\n z = sin(w)*x(2)\n end associate\n end do",
                     set()),
    "written before it is read": ("associate (z => a)\n z(1) = x(1)\n z(2) = z(1)*z(1)\n z(3) = z(2)*z(1)\n "
                                  "end associate", set()),
    "names of names": ("associate (v => a)\n associate (z => v(2))\n z = z*z\n end associate\n end associate", {"a"}),
    "a subscript that changes": ("associate (z => a(m))\n m = 1\n z = z*z\n end associate", {"a"}),
    "one line": ("associate (z => a(2)); z = z*z; z = z*z; end associate", {"a"}),
    "under IF": ("associate (z => a(2))\n if (z > 0) z = z*z\n end associate", {"a"}),
    "under WHERE": ("associate (z => a)\n where (z > 0.1d0) z = z*z\n end associate", {"a"}),
    "WHERE and ELSEWHERE": ("associate (z => a)\n where (z > 0.5d0)\n z = z*z\n elsewhere\n z = sin(z)*z\n end where\n "
                            "end associate", {"a"}),
    "in a callee": ("call squared(c)", {"c%u"}),
    "elements in a callee": ("call turned(a)", {"a"}),
    "a statement function": ("a(2) = sq(a(2))", {"a"}),
    "a statement function of a name": ("associate (z => a(2))\n z = sq(z)\n end associate", {"a"}),
    "statement functions in one another": ("associate (z => a(2))\n z = sq(sq(z))*z\n end associate", {"a"}),
    "the block's own array": ("block\n real(8) :: w(3)\n w = a\n w = w*w\n a = a*w\n end block", {"a"}),
    "a name for the block's array": ("block\n real(8) :: w(3)\n w = a\n associate (z => w(2))\n z = z*z\n "
                                     "end associate\n a = w*a\n end block", {"a"}),
    "DO CONCURRENT": ("do concurrent (i = 1:3)\n a(i) = a(i)*a(i)\n end do", {"a"}),
    "FORALL": ("forall (i = 1:3) a(i) = a(i)*a(i)", {"a"}),
    "an array constructor": ("associate (z => a(2))\n a = (/ z*a(3), z*z, z*a(1) /)\n end associate", {"a"}),
    "overlaid": ("associate (z => e(1))\n z = z*f\n end associate", set()),
    "a function's argument": ("associate (z => a(2))\n z = sign(z*z, z)\n end associate", {"a"}),
}  # fmt: skip
WATCHED = {"a", "c%u", "d%u"}


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", BODIES)
def test_what_a_name_writes_and_reads(name: str, tmp_path: Path) -> None:
    body, wanted = BODIES[name]
    text = TEXT.replace("{body}", body)
    program, (head,) = load_text(text), parse_heads("p(x)>(y)")
    for options in (AnalysisOptions(), AnalysisOptions(first_run="whole"), AnalysisOptions(recompute=True)):
        for run in compare(program, head, parse_strategies("all"), options=options).runs:
            assert run.equal, (run.name, run.differences, run.error)
    (part,) = (one for one in analyse(program, head, parse_strategies("lazy")).parts if one.kind == "region")
    assert {one.partition("(")[0] for one in part.solutions["lazy"].snp} & WATCHED == wanted
    file = tmp_path / "p.f90"
    file.write_text(text)
    machine = Machine(program, find_procedure(program, head).key)
    driver = drive(head, machine, Inputs())
    third = opinion(head, machine, Inputs(), driver, compile_driver(driver, (str(file),), tmp_path), ways=1)
    assert third.agrees, (third.differences, third.slopes)


SELECTED = """module shapes
  implicit none
  type box
    real(8) :: u(3)
  end type box
  type, extends(box) :: crate
    real(8) :: w(3)
  end type crate
contains
  subroutine p(c, x, y)
    class(box), intent(inout) :: c
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    c%u = x
    !$AD CHECKPOINT-START
    select type ({selector})
    type is (crate)
      {name}%u = {name}%u*{name}%u
    class default
      {name}%u(2) = {name}%u(2)*{name}%u(2)
    end select
    !$AD CHECKPOINT-END
    y = sum(c%u*c%u)
  end subroutine p
end module shapes
"""


@pytest.mark.parametrize(("selector", "name"), [("c", "c"), ("z => c", "z")])
def test_what_a_selector_names_is_saved(selector: str, name: str) -> None:
    """By hand: c%u is read by the product's derivative and overwritten by the product, in either case."""
    text = SELECTED.replace("{selector}", selector).replace("{name}", name)
    (part,) = analyse(load_text(text), parse_heads("p(x)>(y)")[0], parse_strategies("lazy")).parts
    assert part.solutions["lazy"].snp == ("c%u",)
