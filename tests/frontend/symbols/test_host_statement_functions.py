"""A host's statement function, in its internal procedures: what it names is the host's, whatever is declared there;
against the compiled program."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.load import load_text

from tests.support.judged import judge

PROGRAM = """subroutine p(x, y)
  implicit none
  integer, parameter :: one = 1
  integer :: n, m
  real(8) :: x(3), y, f, g, s, t, k, w(2)
  g(t) = sin(t)*x(one) + w(2)
  f(s) = s*s*k + g(s)
  m(s) = s*3
  k = 2
  y = 0
  w = x(1:2)
  do n = 1, 2
  !$AD CHECKPOINT-START
  call inner(x(2))
  y = y + f(x(3))
  !$AD CHECKPOINT-END
  end do
contains
  subroutine inner(z)
    real(8) :: z
{}
    w(2) = w(2)*k
    k = k*z
    y = y + f(z)*g(y + z) + m(z)*z
  end subroutine
end subroutine
"""
CASES = {
    "nothing hidden": "",
    "a variable": "    real(8) :: s\n    s = z",
    "hidden variables": "    real(8) :: x, one\n    x = z\n    one = 2\n    y = y*x*one",
    "a hidden array": "    real(8) :: t\n    integer :: x(4)\n    x = 3\n    t = z*x(4)\n    z = z + 0.1d0*t",
}


@pytest.mark.parametrize("declared", CASES.values(), ids=CASES)
def test_the_function_means_what_the_host_says(declared: str, tmp_path: Path) -> None:
    judge(PROGRAM.format(declared), "p(x)>(y)", tmp_path)


def test_the_type_is_the_hosts(tmp_path: Path) -> None:
    """By its IMPLICIT rules, which are not those of the procedure inside."""
    text = PROGRAM.replace("  implicit none\n", "  implicit real(8) (i)\n").replace(
        "  m(s) = s*3\n", "  m(s) = s*3\n  itself(s) = s*1.5d0\n").replace("+ m(z)*z", "+ itself(z)*z")
    judge(text.format("    real(8) :: own\n    own = z\n    y = y + own"), "p(x)>(y)", tmp_path)


def test_an_own_one_hides_it(tmp_path: Path) -> None:
    judge(PROGRAM.format("    real(8) :: f, a\n    f(a) = a*a*a").replace("+ m(z)*z", ""), "p(x)>(y)", tmp_path)


def test_one_that_is_hidden_within_another_is_not_understood() -> None:
    """``g``, which the host's ``f`` runs, is a function of the inner procedure's own there; f is refused by name."""
    found = load_text(PROGRAM.format("    real(8) :: g, a\n    g(a) = a*a*a")).diagnostics
    assert [one.message for one in found if one.code == "SN202"] == [
        "not understood: statement function `f` of the host, with `g`, which is another name here; "
        "taken to read and write everything it can reach"]
