"""SIGN takes of its second argument the sign alone: no derivative passes through it."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset

TEXT = """subroutine head(x, g, z)
  real(8) :: x, g, z, c
  c = 0.5d0 + {sign}
  call scale(c, g)
  z = g*g + x
end subroutine
subroutine scale(c, g)
  real(8) :: c, g
  g = (1 - c)*g
end subroutine
"""


@pytest.fixture
def written(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(sign: str) -> str:
        path = tmp_path / "head.f90"
        path.write_text(TEXT.format(sign=sign))
        return str(path)

    return write


@pytest.mark.parametrize(("sign", "saved"), [
    ("sign(0.5d0, x - 1)", False), ("dsign(0.5d0, x)", False), ("sign(b=x, a=0.5d0)", False),
    ("sign(x, 0.5d0)", True), ("sign(b=0.5d0, a=x)", True), ("sign(x, x - 1)", True),
])
def test_what_is_multiplied_by_a_sign_is_not_needed(sign: str, saved: bool, written) -> None:  # type: ignore[no-untyped-def]
    result = snapset.analyse(snapset.load([written(sign)]), "head(x,g)>(z)")
    assert ("g" in result.parts[0].solutions["lazy"].snp) == saved


@pytest.mark.parametrize("sign", ["sign(0.5d0, x - 1)", "sign(x, x - 1)", "sign(x*x, g)", "sign(0.5d0, x)*sign(g, x)"])
def test_the_gradient_is_the_same(sign: str, written) -> None:  # type: ignore[no-untyped-def]
    found = snapset.replay([written(sign)], "head(x,g)>(z)", snapset.Choices(strategies="all"))
    assert all(run.equal for run in found.runs)
