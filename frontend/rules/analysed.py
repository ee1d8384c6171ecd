"""SN3xx: what was analysed; SN4xx: what was executed."""

from __future__ import annotations

from snapset.frontend.rules.rule import Rule, source

_CALL = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  call solve(x, y)
  y = y*y
end subroutine
"""
_SOLVE = """
subroutine solve(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = sqrt(x)
end subroutine
"""
_TRUNCATED = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  {declared} :: k
  k = {value}
  y = k*k
end subroutine
"""
_SCALE = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x
  call scale({first}, y)
end subroutine

subroutine scale(a, b)
  real(8), intent(in) :: a
  real(8), intent(out) :: b
  b = a*a
end subroutine
"""
_SQUARE = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x*x
end subroutine
"""
_READS = """
subroutine p(x, y{more})
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: c
  {read}y = c*x*x
end subroutine
"""

RULES = (
    Rule(
        "SN301", ("warning",),
        "a call of a procedure without source of which nothing is declared: taken to read and write its arguments and "
        "everything global",
        why="Nothing tells what it leaves alone. Every location it may write is saved where its value is needed.",
        remedy="give its source, or declare its effects ([project file](project.md))",
        example=source(_CALL),
        cured=source(_CALL, solve=_SOLVE),
    ),
    Rule(
        "SN302", ("warning",),
        "a name or place to be [split](split.md) that is no procedure, or no call, the heads reach",
        why="Nothing is split for it, so that the report is that of joint mode.",
        remedy="correct it; names are as in `module%name`, places are FILE:LINE of a call",
        example=source(_CALL, "--split", "slove", solve=_SOLVE),
        cured=source(_CALL, "--split", "solve", solve=_SOLVE),
    ),
    Rule(
        "SN303", ("warning",),
        "no derivative leads from the independents to the dependents: the gradient is zero. The remark stands at the "
        "statement that cuts the dependence (`k = int(x)`), or, where none does, at the one that overwrites what "
        "depended on them, or that gives the dependents their value last",
        why="A gradient of zero everywhere is seldom what was asked for.",
        remedy="correct the head, or the statement; nothing is saved for a gradient of zero",
        example=source(_TRUNCATED.format(declared="integer", value="int(x)")),
        cured=source(_TRUNCATED.format(declared="real(8)", value="x")),
    ),
    Rule(
        "SN304", ("warning",),
        "a call passes the same memory under two names (two arguments, or an argument and a variable of a module or "
        "COMMON block that the procedure uses by its own name), and the procedure writes one of them",
        why="Fortran forbids it, and compilers rely on that. The sets of the procedure's parts take the two for "
        "different memory, so that a snapshot of one may lack the other; and an adjoint of the procedure, which clears "
        "the derivative of what is written, clears that of what is read with it.",
        remedy="pass the value of the one that is only read: `call scale((y), y)`",
        example=source(_SCALE.format(first="y")),
        cured=source(_SCALE.format(first="(y)")),
    ),
    Rule(
        "SN401", ("warning",),
        "the store-all gradient is zero everywhere, or holds NaN or infinite values: that another one equals it proves "
        "little",
        why="A wrong adjoint gives zero, or NaN, more easily than any other number.",
        remedy="choose other inputs with `--set`",
        example=source(_SQUARE, "--set", "x=0", command="replay"),
        cured=source(_SQUARE, "--set", "x=2", command="replay"),
    ),
    Rule(
        "SN402", ("note",),
        "`snapset replay` refuses this construct: the sets of the parts that run it are analysed, but no execution has "
        "proved them; each kind of construct is named once, at its first place",
        why="Every other construct's sets have been proved by running the adjoint with them, on random programs too.",
        remedy="none needed; to prove the rest, replay the program without it",
        example=source(_READS.format(more="", read="read (7, *) c\n  ")),
        cured=source(_READS.format(more=", c", read="")),
    ),
)  # fmt: skip
