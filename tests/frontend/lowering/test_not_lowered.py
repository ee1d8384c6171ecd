"""What is not understood is opaque and said; what is no Fortran is an error at its line."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError

from tests.support.frontend.lowered import program, said, shown
from tests.support.growth import ends

OPAQUE = ["sync all", "y = x .op. y", "x = y[2]", "call p%q(x)"]

@pytest.mark.parametrize("source", OPAQUE)
def test_what_is_not_understood_is_opaque_and_said(source: str) -> None:
    text = f"subroutine s(x, y, p)\n{source}\nend"
    assert shown(text) == f"opaque `{source}`"
    assert "SN202@2" in said(text)


WRONG = [
    ("x = (1 + ", "s.f90:2"),
    ("x = 1 +", "2"),
    ("wibble wobble", "2"),
    ("if (x > 0) then\nx = 1", "2"),
    ("do i = 1, 3\nx = 1\nend if", "4"),
    ("end do", "2"),
    ("else", "2"),
    ("if (x > 0) then\nelse\nelse\nend if", "4"),
    ("a: do i = 1, 2\nend do b", "3"),
    ("select case (i)\nx = 1\ncase (1)\nend select", "3"),
]


@pytest.mark.parametrize(("source", "where"), WRONG, ids=lambda text: text.partition("\n")[0])
def test_what_is_not_fortran_is_an_error_at_its_line(source: str, where: str) -> None:
    with pytest.raises(InputError) as error:
        program(f"subroutine s(x)\n{source}\nend")
    assert error.value.span is not None
    assert str(error.value.span.line) == where.rpartition(":")[2]


def test_mismatched_blocks_name_both_lines() -> None:
    with pytest.raises(InputError, match=r"`end if` does not fit `do i = 1, 3` of line 2"):
        program("subroutine s(x)\ndo i = 1, 3\nend if\nend")


def test_an_error_deep_inside_fails_fast() -> None:
    opened = "\n".join(f"if (i > {k}) then" for k in range(40))
    closed = "\n".join(["end if"] * 40)
    with ends(), pytest.raises(InputError) as error:
        program(f"subroutine s(i)\n{opened}\nx = * 2\n{closed}\nend")
    assert error.value.span is not None
    assert error.value.span.line == 42
