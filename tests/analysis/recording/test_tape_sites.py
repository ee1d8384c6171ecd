"""What the tape holds of control: at which line, how many bytes, and where it is pushed. By hand, from the text."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import HeadAnalysis
from snapset.analysis.recording.tape_sites import Taping
from snapset.frontend.load import load_text

BEFORE = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(9), y
  integer :: i, k, m
  k = n
  m = 3
  y = x(1)
"""
BEHIND = """
  k = 0
  m = 0
  y = y*x(3)
end subroutine p
"""


def recorded(body: str) -> list[tuple[int, str, int, int]]:
    """Of each test whose outcome the reversal needs: its line, what is recorded and its bytes, and the line before
    which it is pushed; lines of ``body``."""
    (head,) = parse_heads("p(x)>(y)")
    analysis = HeadAnalysis(load_text(BEFORE + body + BEHIND, name="t.f90"), head)
    taping = Taping(analysis.adjoints.by_key["p"], analysis.records.record("lazy", "p"))
    nodes, first = analysis.models.by_key["p"].flow.nodes, BEFORE.count("\n")
    return [(nodes[n].span.line - first, found[0], found[1], nodes[taping.recorded_where(n)].span.line - first)
            for n in sorted(taping.recorded_tests[0]) if (found := taping.recorded_at(n)) is not None]


@pytest.mark.parametrize(("body", "expected"), [
    ("do i = 1, 3\ny = y*x(i)\nend do", []),
    ("do i = 1, n\ny = y*x(i)\nend do", []),  # n keeps its value
    ("do i = 1, k\ny = y*x(i)\nend do", [(1, "trip count", 4, 1)]),
    ("do i = m, k\ny = y*x(i)\nend do", [(1, "trip count", 8, 1)]),
    ("do i = m, k, k - m\ny = y*x(i)\nend do", [(1, "trip count", 12, 1)]),
    ("do i = 1, 3\ny = y*x(i)\nif (y > 9) exit\nend do", [(1, "trip count", 5, 1)]),  # by its end or by EXIT: a byte
    ("do while (y > 1)\ny = y*y\nend do", [(1, "trip count", 4, 1)]),
    ("do\nif (y > 9) exit\ny = y*y + 1\nend do", [(2, "trip count", 4, 1)]),
    ("do\nif (y > 9) exit\ny = y*y + 1\nif (y < 0) exit\ny = y*y\nend do", [(2, "trip count", 5, 1)]),
    ("do i = 1, k\ny = y*x(i)\nif (y > 9) goto 30\nend do\n30 y = y*x(2)",
     [(1, "trip count", 4, 1), (3, "branch", 1, 3)]),  # the label tells the reversal of no loop
    ("if (x(2) > 0) y = y*x(2)", []),  # x(2) is what it was
    ("if (y > 2) y = y*x(2)", [(1, "branch", 1, 1)]),
    ("select case (int(y))\ncase (1)\ny = y*x(1)\ncase default\ny = y*x(2)\nend select", [(1, "branch", 1, 1)]),
    ("goto (10, 20), k\ny = y*x(2)\n10 y = y*y\n20 y = y*x(3)", [(1, "block number", 4, 1)]),
    ("if (k - 2) 10, 20, 20\n10 y = y*y\n20 y = y*x(3)", [(1, "block number", 4, 1)]),
])
def test_what_is_recorded_of_control(body: str, expected: list[tuple[int, str, int, int]]) -> None:
    assert recorded(body) == expected


@pytest.mark.parametrize(("body", "once"), [
    ("do i = 1, k\ny = y*x(i)\nend do", False),  # where the loop is entered
    ("do while (y > 1)\ny = y*y\nend do", True),
    ("do\nif (y > 9) exit\ny = y*y + 1\nend do", True),
    ("if (y > 2) y = y*x(2)", False),
    ("goto (10, 20), k\ny = y*x(2)\n10 y = y*y\n20 y = y*x(3)", False),
])
def test_what_is_pushed_when_a_loop_has_ended(body: str, once: bool) -> None:
    """A DO loop's count is known before it begins; that of DO WHILE when its own loop has ended, once for each run."""
    (head,) = parse_heads("p(x)>(y)")
    analysis = HeadAnalysis(load_text(BEFORE + body + BEHIND, name="t.f90"), head)
    taping = Taping(analysis.adjoints.by_key["p"], analysis.records.record("lazy", "p"))
    assert [found[2] for n in taping.recorded_tests[0] if (found := taping.recorded_at(n)) is not None] == [once]
