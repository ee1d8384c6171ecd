"""WHERE whose masks read what it assigns: masked ELSEWHERE, nested WHERE, masks that nobody needs any more."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge

HEAD = "s(x)>(y)"
BODIES = {
    "masked ELSEWHERE": """
  where (a > 1.2d0)
    a = a*a - 0.9d0
  elsewhere (a > 0.8d0)
    a = sin(a)*a
  elsewhere
    a = a*x
  end where""",
    "nested": """
  where (a > 0.7d0)
    a = a*0.9d0
    where (a < 0.95d0)
      a = a*a
    elsewhere
      a = 1.0d0/a
    end where
    x = x*a
  end where""",
    "nested in ELSEWHERE": """
  where (a > 1.0d0)
    a = a*x
  elsewhere (x < 0.8d0)
    where (a*x > 0.6d0)
      x = a*x
      a = x*x
    elsewhere (x > 0.6d0)
      x = sin(x)
    end where
    a = a*x
  end where""",
    "a mask that is an array": """
  m = a > 1.0d0
  where (m)
    a = a*x
    where (.not. m)
      a = 0
    elsewhere (a > 1.3d0)
      a = a*a
    end where
    m = a > 1.1d0
  elsewhere (a > 0.8d0)
    m = .true.
    a = cos(a)*a
  end where
  where (m) x = a*x""",
    "a mask of a section that nobody needs": """
  k = 2
  where (a(k:k+2) > 1.0d0)
    b(k:k+2) = a(k:k+2)*x(k:k+2)
    b(k:k+2) = sin(b(k:k+2))
  end where
  k = 1
  a = a*x*k""",
}


def program(body: str, marked: bool, turns: int = 1) -> str:
    """The body in a checkpointed part or not, perhaps in a loop."""
    start, end = ("  !$AD CHECKPOINT-START\n", "  !$AD CHECKPOINT-END\n") if marked else ("", "")
    return f"""subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n)
  logical :: m(n)
  integer :: i, k
  a = x
  b = x
  m = .false.
  k = 0
  do i = 1, {turns}
{start}{body}
{end}  a = a*1.1d0
  end do
  y = sum(a*x*x) + sum(a*a)
end subroutine s
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("what", BODIES)
def test_where_is_executed(what: str, marked: bool, tmp_path: Path) -> None:
    judge(program(BODIES[what], marked, turns=3), HEAD, tmp_path, Inputs({"n": 6}))


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(12))
def test_random_where(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    body = "\n".join(where(random, 0) for _ in range(2))
    judge(program(body, seed % 2 == 1, turns=2), HEAD, tmp_path, Inputs({"n": 6}))


MASKS = ("a > 1.0d0", "x > 0.9d0", "a < x", "m", ".not. m", "a*x > 0.8d0 .and. m", "abs(a - x) < 0.3d0")
STATEMENTS = ("a = a*x", "x = sin(a)", "a = 0.9d0*a + 0.1d0*x", "m = a > 1.05d0", "m = .not. m", "a = 0.7d0*x",
              "b = a*a", "x = x*b")  # fmt: skip


def where(random: Random, depth: int) -> str:
    lines = [f"where ({random.choice(MASKS)})", *block(random, depth)]
    for _ in range(random.randrange(3)):
        lines += [f"elsewhere ({random.choice(MASKS)})", *block(random, depth)]
    if random.randrange(2):
        lines += ["elsewhere", *block(random, depth)]
    return "\n".join((*lines, "end where"))


def block(random: Random, depth: int) -> list[str]:
    return [where(random, depth + 1) if depth < 2 and random.random() < 0.25 else random.choice(STATEMENTS)
            for _ in range(random.randrange(1, 4))]
