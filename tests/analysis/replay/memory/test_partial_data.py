"""DATA that sets some elements of an array: they have these values, the others are as if it set none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.replay.experiment.inputs import Inputs, start
from snapset.analysis.replay.experiment.used_inputs import check_inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.ir.expressions import ArrayConstructor, Literal_
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

HEAD = """module m
contains
subroutine head(x, y)
  integer, parameter :: n = 3
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  real(8) :: a(6), b(0:3), c(2, 0:2), d(3), e(2), s, u(4)
  integer :: i, j, k(5)
  logical :: l(3)
  character(3) :: w(3)
  complex(8) :: z(2)
  data (a(i), i = 1, 4) /1d0, 2*3, 2d0/, b(2) /1.5d0/, b(n) /-2.5/
  data ((c(i, j), i = 2, 1, -1), j = 0, 1) /n*0.3d0, 0.6d0/, u /n*0.5d0, 1d0/
  data d, e, s /3*0.25d0, 1d0, 2d0, 3d0/
  data k(2*n - 1), (k(i), k(i + 1), i = 1, 3, 2) /7, 1, 2, 3, 4/
  data l(2) /.true./, w(n) /'ab'/, z(2) /(1d0, 2d0)/
  do i = 1, 6
    x = x*a(i)*0.3d0 + 0.2d0*sin(x)
  end do
  x = x*b(2) + c(2, 1)*x*x - b(3)*x + b(0) + sum(c)*x + sum(d)*x + e(2)*x*x + s*x + sum(u)*x
  do i = 1, 5
    x = x + 0.01d0*k(i)*sin(x)
  end do
  if (l(2) .and. .not. l(1)) x = x*x
  if (w(3) == 'ab ') x = x*1.5d0
  x = x + aimag(z(2))*sin(x) + real(z(1), 8)
  y = x*0.01d0
end subroutine
end module
"""


def test_elements_have_what_data_says_and_the_others_zero(tmp_path: Path) -> None:
    """Local variables are SAVEd by DATA, and gfortran's begin with zero where it says nothing."""
    proved_by_execution(HEAD, "head(x)>(y)", tmp_path)


MODULE = """module c
  real(8) a(4), b(3), q(2, 2)
  integer i
  data a(2), a(3) /7d0, 8d0/, (b(i), i = 1, 3) /1d0, 2d0, 3d0/, q(2, 1) /-1d0/
end module c
subroutine head(x, y)
  use c
  real(8) x, y
  y = x*sum(a)*sum(b)*sum(q)
end subroutine head
"""


def test_what_data_leaves_out_of_a_module_is_random_and_told() -> None:
    program = load_text(MODULE)
    machine = Machine(program, "head")
    frame = start(machine, Inputs())
    values = {name: frame.s[machine.codes["head"].layout.places(name, program.procedures["head"].span)[0].number].values
              for name in "abq"}
    assert values["a"][1:3].tolist() == [7, 8]
    assert values["b"].tolist() == [1, 2, 3]
    assert values["q"][1, 0] == -1
    others = np.array([values["a"][0], values["a"][3], *values["q"][:, 1], values["q"][0, 0]])
    assert ((0.5 < others) & (others < 1.5)).all()
    unknown = {one.name for one in check_inputs(machine, Inputs()) if one.unknown}
    assert unknown == {"a", "q"}


@pytest.mark.parametrize(("data", "items"), [
    ("(a(i), i = 1, 2), a(4) /1., 2., 3./", [1, 2, None, 3]),
    ("(a(i), i = 4, 1, -2) /2*0.5/", [None, 0.5, None, 0.5]),
    ("a(2) /0*1., 3./", [None, 3, None, None]),
    ("a(k) /1./", None),
    ("a(5), a(1) /1., 2./", None),
    ("a(1), a(k), a(2) /1., 2., 3./", None),
    ("a(1) /1./, a(k) /2./", None),
    ("a(1:2) /1., 2./", None),
    ("a(2) /z'3f800000'/, a(3) /4./", None),
    ("a(1) /1./, a(2) /2./, (a(i), i = 3, 4) /2*9./", [1, 2, 9, 9]),
])
def test_what_is_understood(data: str, items: list[float | None] | None) -> None:
    """Where a subscript or value is no known constant, or out of bounds, nothing is: no element may count as zero."""
    program = load_text(f"subroutine s(k)\n real :: a(4)\n integer :: i, k\n data {data}\n end subroutine s\n")
    found = program.procedures["s"].variables["a"].start
    if items is None:
        assert found is None
        return
    assert isinstance(found, ArrayConstructor)
    assert [one.value if isinstance(one, Literal_) else "?" for one in found.items] == items
