"""Arrays of which a part loses nothing that it reads, though it overwrites them: recurrences; by execution."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

TEXT = """subroutine head(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: g(0:8), h(0:8, 0:8), s
  integer :: i, j, k, m, p(0:8), q(0:8)
  p = [3, 1, 4, 0, 5, 8, 2, 6, 7]
  q = p
  g = x(1)
  h = x(2)
  s = x(2)
  m = 3
  !$AD CHECKPOINT-START
{body}
  !$AD CHECKPOINT-END
  y = s*s + sum(g*g) + sum(h*h)
contains
  subroutine doubled(v)
    real(8), intent(inout) :: v(0:8)
    v = 2*v
  end subroutine doubled
  subroutine summed(v, t)
    real(8), intent(in) :: v(0:8)
    real(8), intent(inout) :: t
    t = t*sum(v*v)
  end subroutine summed
end subroutine head
"""


def lost(body: str) -> set[str]:
    """The arrays that the part's snapshot holds; the gradient is right under all strategies."""
    program, (head,) = load_text(TEXT.replace("{body}", body)), parse_heads("head(x)>(y)")
    for run in compare(program, head, parse_strategies("all"), Inputs({"n": 4})).runs:
        assert run.equal, (run.strategy, run.differences, run.error)
    part = analyse(program, head, parse_strategies("lazy")).parts[0]
    return {name for name in part.solutions["lazy"].snp if name in "gh"}


@pytest.mark.parametrize("body", [
    "do i = 1, 8\n g(i) = sin(g(i-1))*x(2)\n end do",
    "do i = 7, 0, -1\n g(i) = sin(g(i+1))*x(2)\n end do",
    "do i = 2, 8\n g(i) = g(i-1)*g(i-2)\n s = s*g(i)\n end do",              # read once more, after it is written
    "do i = 1, 8\n if (x(2) > 0.1d0) g(i) = sin(g(i-1))*x(2)\n end do",      # written sometimes
    "do i = 1, 7, 2\n g(i) = g(i+1)*g(i-1)\n end do",                        # they never meet
    "do i = 1, 8\n do j = 1, 8\n h(j, i) = h(j, i-1)*h(9-j, i-1)\n end do\n end do",
    "do j = 0, 8\n do i = 1, 8\n h(i, j) = sin(h(i-1, j))\n end do\n end do",
    "do i = 1, 8\n h(i, m) = sin(h(i-1, m))\n end do",
    "do i = 1, 8\n do j = 1, 8\n h(j, i) = sin(h(j-1, i)*h(j, i-1))\n end do\n end do",
    "do i = 1, 8\n g(i) = 0.5d0*x(1)*i\n end do\n s = s*g(3)*g(0)",           # all writes before all reads
    "do i = 1, 4\n g(2*i) = sin(g(2*i-2))\n end do",
    "do i = 0, 8\n h(2, i) = sin(h(1, i)*h(3, 8-i))\n end do",
    "!$ad ii-loop\n do i = 0, 8\n g(p(i)) = x(2)*i\n s = s*g(q(i))\n end do",
    "do concurrent (i = 0:8)\n g(p(i)) = x(2)*i\n h(1, i) = g(q(i))**2\n end do",
    "!$ad ii-loop\n do i = 0, 8\n do j = 1, 3\n g(j) = x(2)*i\n end do\n s = s*g(2)\n end do",  # private to each
    "do k = 1, 3\n !$ad ii-loop\n do i = 0, 8\n h(k, p(i)) = x(2)*i\n s = s*h(k, q(i))\n end do\n end do",
])
def test_nothing_of_it_is_lost(body: str) -> None:
    assert lost(body) == set()


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "do i = 0, 7\n g(i) = sin(g(i+1))*x(2)\n end do",                        # the old value, then overwritten
    "do i = 8, 1, -1\n g(i) = sin(g(i-1))*x(2)\n end do",
    "do i = 0, 8\n g(i) = g(i)*g(i)\n end do",
    "do i = 0, 8\n s = s*g(i)\n g(i) = s\n end do",
    "do k = 1, 2\n do i = 1, 8\n g(i) = sin(g(i-1))*x(2)\n end do\n g(0) = g(8)\n end do",
    "do k = 1, 3\n do i = 4 - k, 8\n g(i) = sin(g(i-1))*x(2)\n end do\n end do",   # what k reads, k + 1 overwrites
    "do i = 1, 8\n g(i) = sin(g(i-1))*x(2)\n end do\n g(0) = x(1)",
    "do i = 1, m\n g(i) = sin(g(m))\n end do",
    "k = 0\n10 continue\n do i = 3 - k, 8\n g(i) = sin(g(i-1))*x(2)\n end do\n k = k + 1\n if (k < 3) goto 10",
    "k = 0\n10 continue\n do i = 1, 8\n g(i-k) = sin(g(i-k-1+k))*x(2)\n end do\n k = k + 1\n if (k < 2) goto 10",
    "k = 0\n do while (k < 3)\n do i = 3 - k, 8\n g(i) = sin(g(i-1))*x(2)\n end do\n k = k + 1\n end do",
    "do i = 1, 8\n do j = 1, 3\n s = s*g(i)\n end do\n g(i) = s\n end do",   # from an inner loop on to the write
    "do i = 1, 8\n do j = 1, n\n s = s*g(i)\n end do\n g(i) = s\n end do",
    "do i = 1, 4\n j = 9 - 2*i\n g(j) = sin(g(j-1))\n end do",               # j is no loop variable
    "forall (i = 1:8) g(i) = sin(g(i-1))*x(2)",
    "do i = 0, 7\n g(i) = x(2)*i\n s = s*g(i+1)\n end do",                  # read first, in another statement
    "do i = 1, 4\n do j = 1, 3\n g(i+j) = sin(g(i+j-1))\n end do\n end do",      # i + 1 comes back to it
    "do i = 1, 8\n g(i) = sin(g(i-1))*x(2)\n end do\n call doubled(g)",
    "call summed(g, s)\n do i = 0, 8\n g(i) = x(2)*i\n end do",
    "do i = 0, 8\n h(2, i) = sin(h(m, 8-i))\n end do",                       # m may be 2
    "do i = 0, 7\n h(i, m) = sin(h(m, i))\n end do",
    "do i = 0, 8\n g(p(i)) = x(2)*i\n s = s*g(q(i))\n end do",             # nobody vouches for it
    "!$ad ii-loop\n do i = 0, 8\n s = s*g(q(i))\n g(p(i)) = x(2)*i\n end do",     # lost within its iteration
    "!$ad ii-loop\n do i = 0, 8\n g(p(i)) = sin(g(p(i)))\n end do",
    "!$ad ii-loop\n do i = 0, 8\n g(p(i)) = x(2)*i\n s = s*g(q(i))\n end do\n g(3) = x(1)",
    "do k = 1, 3\n !$ad ii-loop\n do i = 0, 8\n g(p(i)) = x(2)*k\n s = s*g(q(i))\n end do\n end do",  # k + 1 may
    "!$ad ii-loop\n do i = 0, 8\n do j = 1, 3\n g(p(j)) = x(2)*i\n s = s*g(q(j))\n end do\n end do",  # j is none
])
def test_some_of_it_is(body: str) -> None:
    assert lost(body)
