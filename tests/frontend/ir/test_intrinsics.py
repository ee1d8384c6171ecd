"""Types and ranks of intrinsic functions' results."""

from __future__ import annotations

import pytest
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, type_of

from tests.support.frontend.lowered import program

CASES = [
    ("sqrt(d)", "real", 8, 0),
    ("sqrt(m)", "real", 4, 2),
    ("abs(z)", "real", 8, 0),
    ("real(z)", "real", 8, 0),
    ("real(i)", "real", 4, 0),
    ("real(i, 8)", "real", 8, 0),
    ("real(x, kind(d))", "real", 8, 0),
    ("dble(x)", "real", 8, 0),
    ("cmplx(x, x, 8)", "complex", 16, 0),
    ("int(d)", "integer", 4, 0),
    ("max(x, d)", "real", 8, 0),
    ("sum(m)", "real", 4, 0),
    ("sum(m, 1)", "real", 4, 1),
    ("sum(m, m > 0)", "real", 4, 0),
    ("maxval(m, dim=1)", "real", 4, 1),
    ("maxloc(m)", "integer", 4, 1),
    ("maxloc(a, 1)", "integer", 4, 0),
    ("matmul(m, a)", "real", 4, 1),
    ("matmul(m, m)", "real", 4, 2),
    ("dot_product(a, a)", "real", 4, 0),
    ("reshape(m, [2, 2, 25])", "real", 4, 3),
    ("spread(a, 1, 3)", "real", 4, 2),
    ("transpose(m)", "real", 4, 2),
    ("pack(m, m > 0)", "real", 4, 1),
    ("merge(m, 0., m > 0)", "real", 4, 2),
    ("shape(m)", "integer", 4, 1),
    ("lbound(m, 1)", "integer", 4, 0),
    ("any(m > 0)", "logical", 4, 0),
    ("trim(c)", "character", None, 0),
    ("[d, d] + a(1:2)", "real", 8, 1),
    ("z * x", "complex", 16, 0),
    ("a(:) > 0", "logical", 4, 1),
]


@pytest.mark.parametrize(("text", "kind", "size", "rank"), CASES, ids=[case[0] for case in CASES])
def test_result(text: str, kind: str, size: int, rank: int) -> None:
    head = "subroutine s; integer :: i; real :: x, a(10), m(10, 10); real(8) :: d; complex(8) :: z; character :: c"
    stmt = program(f"{head}\nx = {text}\nend").procedures["s"].body[0]
    assert isinstance(stmt, ir.Assign)
    assert (type_of(stmt.value), rank_of(stmt.value)) == (ir.Type(kind, size), rank)  # type: ignore[arg-type]
