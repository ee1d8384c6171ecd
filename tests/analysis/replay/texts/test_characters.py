"""CHARACTER data in the machine: values as gfortran's, and what they decide as differences have it."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.judged import judge, routine

DECLARED = """  character(8) :: c, d
  character(3) :: names(4)
  character(*), parameter :: kinds(2) = ['lin', 'sin']"""
START = """  c = 'abc'
  d = 'xyzw uv'
  names = ['one', 'two', 'sin', 'lin']"""
BODIES = {
    "comparison": "if (c == 'abc') t = t*a(1)\nif (c /= 'abc  ' .or. d < c) t = sin(t)\nc = 'abd'\n"
                  "if (c > 'abc') t = t*x(2)",
    "concatenation": "c = c(1:2)//d(k:k)//'z'\nif (c(3:3) == 'x') t = t*a(1)\nd = trim(c)//'-'//d\nt = t*len_trim(d)",
    "substrings": "c(2:3) = d\nd(:k) = 'Q'\nd(7:) = c(k:)\nif (c(2:2) == 'x') a = a*t\nif (d == 'QyzwcuQx') t = t*2",
    "select": "select case (names(k + 1))\ncase ('one')\nt = t*a(1)\ncase ('sin', 'two')\n"
              "t = sin(t)*x(1)\ncase default\nt = 2*t\n"
              "end select\nselect case (c)\ncase (:'abb')\nt = t*3\ncase ('abc':'abd')\nt = t*x(3)\n"
              "end select\nc = 'aba'",
    "functions": "i = index(d, 'w') + index(c, 'b', back=.true.) + scan(d, 'zw') + verify(c, 'ab')\nt = t*i\n"
                 "c = adjustl('  '//c)\nd = adjustr(c)\n"
                 "t = t*(iachar(c(1:1)) - 90)*0.1d0 + len(c)*0.01d0*len(trim(d))\n"
                 "c = repeat('ab', 3)//achar(67)\nif (llt(c, d) .or. lge(c, 'abababC')) t = t*a(2)",
    "arrays": "names(2:3) = names(3:4)\nwhere ([(names(i) == 'lin', i = 1, 4)]) a(1:4) = a(1:4)*t\nnames(k) = 'lin'\n"
              "t = t*count(names == kinds(1))\nif (any(names(:)(1:1) == 's')) t = t*x(1)",
    "carried": "if (mod(turn, 2) == 0) c = names(turn)\nif (c == 'two') then\nt = t*a(1)\n"
               "c = 'six'\nelse\nt = t + x(4)\nend if\n"
               "d = c(2:)//d",
}


def program(body: str, marked: bool = True) -> str:
    return routine(body, DECLARED, marked, turns=3).replace("  k = 1\n  do", f"{START}\n  k = 1\n  do", 1)


@pytest.mark.sample(2)
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("what", BODIES)
def test_characters_are_executed(what: str, marked: bool, tmp_path: Path) -> None:
    judge(program(BODIES[what], marked), "s(x)>(y)", tmp_path, Inputs({"n": 6}))


MODULE = """module names
  implicit none
  character(6) :: mode = 'cubic'
  type law
    character(5) :: kind
    real(8) :: factor
  end type law
contains
  subroutine run(x, tag, y)
    real(8), intent(inout) :: x
    character(4), intent(inout) :: tag
    real(8), intent(out) :: y
    type(law) :: laws(2)
    character(12) :: long
    integer :: i
    laws(1) = law('sin', 2.0d0)
    laws(2)%kind = 'power'
    laws(2)%factor = x
    long = 'sinpow'
    do i = 1, 3
      x = x*valued(laws(1 + mod(i, 2))%kind, x)*laws(1 + mod(i, 2))%factor
      call next(long(4:6), tag)
      if (tag == 'po') laws(2)%kind = 'sin'
      if (flag(tag//'!') == 'y') x = x*1.1d0
    end do
    y = x*x
  end subroutine run
  real(8) function valued(kind, x)
    character(*), intent(in) :: kind
    real(8), intent(in) :: x
    character(len(kind)) :: unused
    valued = merge(sin(x), x**2, trim(kind) == 'sin')*len(kind)*0.2d0
    if (mode == 'cubic') valued = valued*x
  end function valued
  subroutine next(from, tag)
    character(3), intent(inout) :: from
    character(*), intent(inout) :: tag
    tag = from(1:2)
    from = from(2:3)//from(1:1)
    if (tag == 'wp') mode = 'plain'
  end subroutine next
  character(1) function flag(text)
    character(*), intent(in) :: text
    flag = 'n'
    if (text(len(text):) == '!' .and. index(text, 'ow') == 1) flag = 'y'
  end function flag
end module names
"""


def test_characters_are_passed_kept_and_returned(tmp_path: Path) -> None:
    text = MODULE.replace("    laws(1) = law('sin', 2.0d0)\n", "    laws(1)%kind = 'sin'\n    laws(1)%factor = 2.0d0\n")
    judge(text.replace("    character(len(kind)) :: unused\n", ""), "run(x)>(y, x)", tmp_path, Inputs({"tag": "none"}))


def test_inputs_are_shown_as_text() -> None:
    """What a run began with, in reports and JSON: bytes have no place there."""
    text = ("subroutine s(x, tag, names, y)\n real(8), intent(inout) :: x\n character(4), intent(in) :: tag, names(2)\n"
            " real(8), intent(out) :: y\n y = x*x\n if (tag == names(1)) y = y*x\nend subroutine s\n")
    (head,) = parse_heads("s(x)>(y)")
    done = compare(load_text(text), head, inputs=Inputs({"tag": "no"}))
    assert [(one.value, one.elements) for one in done.inputs if one.name != "x"] == [
        ("no  ", ()), (None, ("    ", "    "))]
