"""Short ways to lower a piece of Fortran in tests."""

from __future__ import annotations

import textwrap

from snapset.frontend import ir
from snapset.frontend.ir.pretty_print import show
from snapset.frontend.load import load_text

DECLARATIONS = """
integer :: i, j, k, n, ios
real :: a(10), b(10), m(10, 10), x, y, z
character(8) :: c
logical :: flag
real, external :: g
"""


def program(text: str) -> ir.Program:
    return load_text(textwrap.dedent(text))


def body(text: str, declarations: str = DECLARATIONS) -> str:
    """The executable statements ``text`` in a subroutine with ``declarations``, shown; they begin in line 2."""
    head = "; ".join(["subroutine s", "implicit none", *declarations.strip().splitlines()])
    return shown(f"{head}\n{textwrap.dedent(text).strip()}\nend\n")


def shown(text: str, key: str = "s") -> str:
    return show(program(text).procedures[key])


def said(text: str) -> list[str]:
    """Codes and lines of the diagnostics."""
    return [f"{d.code}@{d.span.line}" for d in program(text).diagnostics]


def expected(text: str) -> str:
    return textwrap.dedent(text).strip()
