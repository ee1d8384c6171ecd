"""SN2xx, first half: what the given files do not hold, and what in them is no Fortran unit that can be read."""

from __future__ import annotations

from snapset.frontend.rules.rule import Example, Rule, source

_USES = """
subroutine p(x, y)
  use physics
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = gravity*x*x
end subroutine
"""
_PHYSICS = """
module physics
  real(8) :: gravity = 9.81d0
end module
"""
_SQUARE = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x*x
end subroutine
"""
_GRID = """
subroutine p(x, y)
  {use}
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(grid) :: g
  g%h = x
  y = g%h**2
end subroutine
"""
_GRIDS = """
module grids
  type grid
    real(8) :: h
  end type
end module
"""
_BROKEN = """
subroutine q(x)
  include 'sizes.inc'
  real(8) :: x(n)
  x = 0
end subroutine
"""


def _with(example: Example, name: str, text: str) -> Example:
    """The same with a file that the command does not name."""
    return Example({**example.files, name: text}, example.command)


RULES = (
    Rule(
        "SN201", ("warning", "note"),
        "no given file holds a module that is used: its names may stand for anything, and where only a called "
        "procedure names them they are `missing_module::NAME`. A note for libraries whose names all begin alike (MPI, "
        "netCDF, OpenMP ...): also where `mpif.h` or `netcdf.inc` is not found",
        why="A name that is declared nowhere in view may be a variable of the module, or a function.",
        remedy="add the file with that MODULE to the command line, or to `sources` ([project file](project.md))",
        example=source(_USES),
        cured=source(_USES, physics=_PHYSICS),
    ),
    Rule(
        "SN204", ("warning",),
        "a name is not declared under IMPLICIT NONE: taken to be a local variable of unknown type",
        why="A compiler would refuse it, so a declaration that should be in view is not.",
        remedy="declare it; perhaps an include directory (`-I`) or a module's file is missing",
        example=source("""
            subroutine p(x, y)
              implicit none
              real(8), intent(in) :: x
              real(8), intent(out) :: y
              scale = 2*x
              y = scale*x
            end subroutine
            """),
        cured=source("""
            subroutine p(x, y)
              implicit none
              real(8), intent(in) :: x
              real(8), intent(out) :: y
              real(8) :: scale
              scale = 2*x
              y = scale*x
            end subroutine
            """),
    ),
    Rule(
        "SN210", ("warning",), "a derived type that is not defined here: its components are not known",
        why="Without the components an assignment to one of them counts as one to a part of everything the object "
        "holds.",
        remedy="give the file of the module that defines it",
        example=source(_GRID.format(use="")),
        cured=source(_GRID.format(use="use grids"), grids=_GRIDS),
    ),
    Rule(
        "SN212", ("warning",),
        "a file or unit that cannot be read (an INCLUDE or #include file that is not here, a wrong END, CUDA Fortran "
        "...) and that no head needs; where a head needs it, it is an error",
        why="Nothing is lost for these heads; another head may need it.",
        remedy="nothing, or as the message says",
        example=source(_SQUARE, broken=_BROKEN),
        cured=_with(source(_SQUARE, broken=_BROKEN), "sizes.inc", "integer, parameter :: n = 5\n"),
    ),
    Rule(
        "SN213", ("note",),
        "a file without a program unit: only comments, or switched off by the preprocessor",
        why="It adds nothing. That may be meant, or a macro is missing.",
        remedy="leave the file out, or give the macro (`-D`) that switches it on",
        example=source(_SQUARE, empty="! nothing here yet"),
        cured=source(_SQUARE),
    ),
)  # fmt: skip
