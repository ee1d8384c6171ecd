"""Random programs of WHERE: ``program(random)`` is the text, its head ``p(x)>(y)``.

Masks of arrays that the same WHERE overwrites, or what follows; nested, with ELSEWHERE, of logicals, by functions.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("v", "w", "u", "m", "t", "x", "y", "a")
STATEMENTS = (
    "where (v > 0.5d0) v = 0.5d0",
    "where (v > 0.4d0) v = v*w",
    "where (v > w)|  v = w|elsewhere|  w = v*w|end where",
    "where (v > 0.4d0)|  v = 0.4d0 + 0.1d0*w|elsewhere (v > 0.2d0)|  v = v*w|elsewhere|  w = w*v|end where",
    "where (v > 0.3d0)|  w = w*v|  v = 0.3d0*w|  w = w*w|end where",
    "where (v > 0.3d0)|  where (w > 0.4d0)|    v = w*0.5d0|    w = 0.4d0|  elsewhere|    w = w*v|  end where|end where",
    "where (abs(v - t) < 0.3d0) v = v*t",
    "where (bent(v, w) > 0.2d0) v = bent(v, w)",
    "where (m) v = v*w",
    "m = v > 0.4d0",
    "where (m .and. v > 0.3d0)|  v = v*v|  m = .false.|end where",
    "where (u > 0.2d0) v = v*t",
    "where (u > 0.2d0) u = 0.2d0*w",
    "u = v*w",
    "u = t*u + w",
    "where (v > maxval(w)*0.8d0) v = maxval(w)*t",
    "w = w*0.9d0 + 0.1d0*v",
    "t = t*sum(v)*0.3d0",
    "call bend(v, t)",
)


def numbers(random: Random) -> dict[str, int]:
    """Values of the arguments that are integers."""
    return {"n": 1 + random.randrange(3)}


def program(random: Random) -> str:
    """Some of these statements in a loop, perhaps a part of them marked."""
    chosen = [random.choice(STATEMENTS).split("|") for _ in range(3 + random.randrange(5))]
    if random.randrange(2):
        first = random.randrange(len(chosen))
        inside = [line for statement in chosen[first:first + 2] for line in statement]
        chosen[first:first + 2] = [["!$AD CHECKPOINT-START", *inside, "!$AD CHECKPOINT-END"]]
    lines = "\n".join(f"    {line}" for statement in chosen for line in statement)
    return f"""subroutine p(x, y, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8) :: y, t, v(n), w(n), u(n)
  logical :: m(n)
  integer :: i
  t = 0.7d0*x
  v = 0.3d0*x
  v(1) = 0.6d0*x
  w = 0.55d0*x
  u = 0.4d0*x
  m = .true.
  do i = 1, 2
{lines}
  end do
  y = t*t + sum(v*w) + sum(v) + sum(u)
contains
  elemental real(8) function bent(a, b)
    real(8), intent(in) :: a, b
    bent = 0.5d0*a
    bent = bent*b + 0.2d0*bent*bent
  end function bent
  subroutine bend(a, b)
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: b
    a = a*b
    where (a > 0.3d0) a = 0.3d0 + 0.1d0*b
  end subroutine bend
end subroutine p
"""
