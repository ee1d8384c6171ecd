"""SN5xx: time loops and their schedules."""

from __future__ import annotations

from snapset.frontend.rules.rule import Rule, source

_GROWING = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: k, m
  y = x
  do k = 1, 9
    do m = 1, {trips}
      y = y*y
    end do
  end do
end subroutine
"""

RULES = (
    Rule(
        "SN501", ("warning",),
        "the steps of a time loop do not leave the same number of bytes for their adjoints: trip counts or sizes "
        "depend on the step, or on what only the run tells",
        why="A schedule that counts checkpoints makes room for the largest step each time. Where a few steps are "
        "far longer than the others, splitting the run by steps cannot keep the memory small.",
        remedy="give sizes with `--assume`, so that each step counts with its own bytes; where one step is most of the "
        "run, split inside of it",
        example=source(_GROWING.format(trips="k"), "--loop", "example.f90:6", command="schedule"),
        cured=source(_GROWING.format(trips="5"), "--loop", "example.f90:6", command="schedule"),
    ),
)
