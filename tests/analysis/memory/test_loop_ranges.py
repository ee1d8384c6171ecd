"""Between which numbers DO variables run: hand-derived, and not where something else may give them a value."""

from __future__ import annotations

import pytest
from snapset.analysis.memory.locations import HIGHEST, LOWEST
from snapset.analysis.memory.loop_ranges import loop_ranges, reached
from snapset.analysis.memory.subscript_intervals import constants
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text

TEXT = """subroutine p(m, x)
  integer, intent(in) :: m
  integer, parameter :: n = 4
  real(8), intent(inout) :: x(40)
  integer :: i, k
  {body}
end subroutine p
"""


def procedure(body: str) -> ir.Procedure:
    return load_text(TEXT.format(body="\n".join(body.split("; ")))).procedures["p"]


@pytest.mark.parametrize(("body", "ranges"), [
    ("do i = 1, n; x(i) = 0; end do", {"i": (1, 4)}),
    ("do i = n, 2, -1; x(i) = 0; end do", {"i": (2, 4)}),
    ("do i = 1, m; x(i) = 0; end do", {"i": (1, HIGHEST)}),
    ("do i = m, 1, -1; x(i) = 0; end do", {"i": (1, HIGHEST)}),
    ("do i = 2, 8, m; x(i) = 0; end do", {}),                                   # perhaps backwards
    ("do k = 1, 3; do i = k, k + n; x(i) = 0; end do; end do", {"k": (1, 3), "i": (1, 7)}),
    ("do i = 1, 3; x(i) = 0; end do; do i = 7, 9; x(i) = 1; end do", {"i": (1, 9)}),
    ("do i = 1, n; x(i) = 0; end do; x(i) = 1", {}),                            # 5, or what Fortran leaves open
    ("do i = 1, n; call q(i); end do; call q(i)", {}),
    ("i = 9; do i = 1, n; x(i) = 0; end do", {}),                               # named outside of any loop
    ("do i = 1, n; x(1:9) = [(1.0d0*i, i = 1, 9)]; end do", {"i": (1, 4)}),     # that is another i
    ("do i = 1, n; x(i) = 0; end do; read (*, *) x(1)", {}),                    # what may read into anything
])
def test_between_which_numbers(body: str, ranges: object) -> None:
    assert loop_ranges(procedure(body)) == ranges


def test_a_dummy_argument_is_told_nothing_of() -> None:
    text = TEXT.format(body="do m = 1, n\nx(m) = 0\nend do").replace("intent(in) :: m", ":: m")
    assert loop_ranges(load_text(text).procedures["p"]) == {}


@pytest.mark.parametrize(("subscript", "expected"), [
    ("20 + i", (21, 24)), ("n*k + 1:n*(k + 1)", (5, 16)), ("40 - 2*i", (32, 38)), ("-i + 9", (5, 8)), ("k*i", (1, 12)),
    ("k:", (1, HIGHEST)), (":k*n", (LOWEST, 12)), ("k*n:1:-1", (1, 12)), ("m", None), ("m + i", None),
    ("i:m", (1, HIGHEST)), ("i/2", None),
])
def test_what_a_subscript_selects_at_most(subscript: str, expected: object) -> None:
    found = procedure(f"do k = 1, 3; do i = 1, n; x({subscript}) = 0; end do; end do")
    (target,) = (stmt.target for stmt in statements(found.body) if isinstance(stmt, ir.Assign))
    (given,) = target.parts[0].subscripts or ()
    assert reached(given, constants(found.variables), loop_ranges(found)) == expected
