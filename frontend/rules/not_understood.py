"""SN2xx, second half: what was read and not, or not wholly, understood."""

from __future__ import annotations

from snapset.frontend.rules.rule import Rule, marked, source

_INPUT = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: c
  {read} c
  y = c*x*x
end subroutine
"""
_DIRECTIVE = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
{directive}  y = x*x
end subroutine
"""
_COARRAY = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), save :: c{codimension}
  c = x
  y = c*x
end subroutine
"""
_FINAL = """
module workspaces
  type workspace
    real(8) :: v
{final}  end type
contains
  subroutine release(w)
    type(workspace), intent(inout) :: w
    w%v = 0
  end subroutine
end module
subroutine p(x, y)
  use workspaces
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(workspace) :: w
  w%v = x*x
  y = w%v
{call}end subroutine
"""
_COMMON = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  {declared}
  common /fields/ work, total
  total = x*x
  y = total
end subroutine
"""
_FIXED = """
      subroutine p(x, y)
      real*8 x, y, second
      second = 2
{statement}
      end
"""
_REAL_LOOP = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t
  integer :: k
  y = 0
  {do}
    y = y + sin(t*x)
  end do
end subroutine
"""

RULES = (
    Rule(
        "SN202", ("warning",),
        "a statement or expression is not understood: taken to read and write everything it can reach",
        why="What is not understood cannot be told to leave a location alone. The sets stay safe and grow.",
        remedy="rewrite it in standard Fortran",
        example=source(_INPUT.format(read="accept *,")),
        cured=source(_INPUT.format(read="read *,")),
    ),
    Rule(
        "SN203", ("note",),
        "a `$AD` directive that means nothing to snapset, or II-LOOP before what is no DO loop",
        why="Other tools have directives of their own, and a misspelt one looks just like them.",
        remedy="none needed",
        example=source(_DIRECTIVE.format(directive="  !$AD CHECKPOINT-BEGIN\n")),
        cured=source(_DIRECTIVE.format(directive="")),
    ),
    Rule(
        "SN205", ("note",), "a marked part without statements",
        why="There is nothing to run twice, and nothing to save.",
        remedy="remove the directives",
        example=marked("", behind="y = x*x"),
        cured=marked("y = x*x"),
    ),
    Rule(
        "SN207", ("warning",),
        "an extension that is not supported (coarrays, Cray pointers, STRUCTURE, MAP ...)",
        why="Another image, or a pointer without a type, may write what no statement here names.",
        remedy="use the standard's means",
        example=source(_COARRAY.format(codimension="[*]")),
        cured=source(_COARRAY.format(codimension="")),
    ),
    Rule(
        "SN208", ("warning",), "a FINAL procedure runs where the analysis does not see it",
        why="It runs where its object dies, without a statement there, and may write. `snapset replay` refuses such a "
            "place.",
        remedy="call it explicitly",
        example=source(_FINAL.format(final="  contains\n    final :: release\n", call="")),
        cured=source(_FINAL.format(final="", call="  call release(w)\n")),
    ),
    Rule(
        "SN209", ("warning",), "storage in COMMON or EQUIVALENCE whose size is not constant",
        why="What stands behind it in the block has no place that is known, so that it may overlap anything there.",
        remedy="make the bounds constants",
        example=source(_COMMON.format(declared="integer :: n\n  real(8) :: work(n), total")),
        cured=source(_COMMON.format(declared="real(8) :: work(100)\n  real(8) :: total")),
    ),
    Rule(
        "SN211", ("warning",),
        "fixed form: text beyond column 72 is ignored, as the standard says, and looks like neither a sequence number "
        "(8 characters at most) nor a comment; where cutting it leaves a parenthesis or a literal open it is read on "
        "instead",
        why="Compilers with wider lines, or told to read them, read on there: another program.",
        remedy="continue the statement on another line",
        example=source(_FIXED.format(statement=f"      {'y = x*x':66}+ second*x*x"), name="example.f"),
        cured=source(_FIXED.format(statement="      y = x*x\n     & + second*x*x"), name="example.f"),
    ),
    Rule(
        "SN214", ("note",), "DO over a real variable, which Fortran 95 deleted",
        why="How often it runs depends on how the step is rounded: 0.1 is no binary number. It is analysed and "
        "executed as what it means, an integer loop of INT((b - a + h)/h) iterations that adds h to the variable.",
        remedy="count with an integer, and compute the real variable from it",
        example=source(_REAL_LOOP.format(do="do t = 0.1d0, 1d0, 0.1d0")),
        cured=source(_REAL_LOOP.format(do="do k = 1, 10\n    t = k*0.1d0")),
    ),
)  # fmt: skip
