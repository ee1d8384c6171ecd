"""An impure elemental procedure that reads what it left behind at another element: its elements have an order, and each
of them is a call of its own, in a loop."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import replay, report
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge

PROGRAM = """\
module state
  real(8) :: acc
contains
  impure elemental subroutine im(a)
    real(8), intent(inout) :: a
    {own}
    {body}
  end subroutine
end module
subroutine p(x, n, y)
  use state
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  acc = 0.5d0
  call im({passed})
  y = sum(x)*acc
end subroutine
"""
SUM = "acc = acc + a; a = a*acc"


def written(tmp_path: Path, own: str, body: str, passed: str) -> str:
    file = tmp_path / "p.f90"
    file.write_text(PROGRAM.format(own=own, body=body, passed=passed))
    return str(file)


@pytest.mark.parametrize(("own", "body"), [
    ("", SUM),
    ("real(8), save :: left = 1", "a = a*left; left = left + a"),
    ("integer, save :: count = 0", "count = count + 1; a = a*count")])
@pytest.mark.parametrize("passed", ["x", "x(n:2:-1)"])
def test_each_element_is_a_call(own: str, body: str, passed: str, tmp_path: Path) -> None:
    """In array element order, which gfortran's values tell; each saves its own element."""
    file = written(tmp_path, own, body, passed)
    found = report([file], "p(x)>(y)")
    assert not {"SN107", "SN301"} & {one.code for one in found.diagnostics}
    (part,) = found.parts
    assert "8*" not in str(part.solutions["lazy"].snapshot_bytes)  # of one element, and of the state
    assert replay([file], "p(x)>(y)", values={"n": 4}).equal
    judge(Path(file).read_text(), "p(x)>(y)", tmp_path, Inputs({"n": 4}))


@pytest.mark.parametrize(("body", "passed"), [
    (SUM, "x(2)"),                              # one element
    ("acc = 0.5d0*a; a = a*acc", "x"),          # written before it is read
    ("a = a*acc", "x")])                        # read alone
def test_what_has_no_order_is_executed(body: str, passed: str, tmp_path: Path) -> None:
    file = written(tmp_path, "", body, passed)
    assert "SN301" not in {one.code for one in report([file], "p(x)>(y)").diagnostics}
    assert replay([file], "p(x)>(y)", values={"n": 4}).equal
