"""SN7xx: what the source declares to be saved."""

from __future__ import annotations

from snapset.frontend.rules.rule import Rule, source

_LIST = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  b = x*x
  {declared}
  !$AD CHECKPOINT-START
  a = a*a
  y = a*b
  !$AD CHECKPOINT-END
  y = y*y
end subroutine
"""

RULES = (
    Rule(
        "SN701", ("error",),
        "a declared list (`!$SNAPSET SAVES`, `CADJ STORE`) lacks what must be saved before its part, or has only some "
        "elements of it. `snapset report` and `snapset check` end with exit code 1",
        why="The part overwrites it, and its adjoint, or that of what stands before, reads the value it had: the "
            "gradient is wrong. The remark names both statements. TAF computes again what is not "
            "stored, if it can; what a STORE behind the statement that gives the value holds is not lacking.",
        remedy="add the variable to the list",
        example=source(_LIST.format(declared="!$SNAPSET SAVES(x)")),
        cured=source(_LIST.format(declared="!$SNAPSET SAVES(a)")),
    ),
    Rule(
        "SN702", ("warning",),
        "a declared list has a variable that need not be saved there",
        why="No adjoint reads the value that it has at this place, or nothing overwrites it before that: its bytes are "
            "saved for nothing.",
        remedy="take the variable off the list",
        example=source(_LIST.format(declared="!$SNAPSET SAVES(a, b)")),
        cured=source(_LIST.format(declared="!$SNAPSET SAVES(a)")),
    ),
    Rule(
        "SN703", ("warning",),
        "a declared list, or one name of it, is not judged: it stands before no checkpointed part, nothing is called "
        "so, whether a section is all that must be kept is not known, or what it lacks must be kept only because of "
        "code that is not known",
        why="What is not judged may be missing or superfluous.",
        remedy="put the list right before CHECKPOINT-START or a call; name the whole variable; give the source of what "
               "is called, or declare its effects",
        example=source(_LIST.format(declared="!$SNAPSET SAVES(a, c)")),
        cured=source(_LIST.format(declared="!$SNAPSET SAVES(a)")),
    ),
)  # fmt: skip
