"""REAL PARAMETERs have the values that the compiler gives them, and are numbers however they were computed."""

from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.real_folding import LARGEST
from snapset.frontend.load import load_text

from tests.support.execution import agrees_with_compiled

KINDS = """subroutine s(x, y)
  real(8), parameter :: a = 0.1, b = a/3 + 1.0/3, c = sqrt(2.0)*a, d = 4*atan(1.d0), e = real(d)
  real(4), parameter :: f = d, g = f/3 + 1.0d0/3
  real(8), parameter :: h = 2.5d0**3 + 1d0/7**2, k = exp(1.0d0), l = abs(-3.5), m = 1d0/(-3) + (1/3)
  real(8), parameter :: n = sqrt(epsilon(d)), o = tiny(1.0)*1d38, p = huge(f)/1d38, q = 1/sqrt(sqrt(huge(1d0)))*1d77
  real(8), intent(inout) :: x, y
  y = x*n*1d8 + o*x + p*x + q*x + x*a + b*x**2 + c*x + d*x + e + f*x + g*x + h*x*x + k*x + l*x + m*sin(x)
end subroutine
"""


def test_values_of_mixed_kinds_are_the_compilers(tmp_path: Path) -> None:
    agrees_with_compiled(KINDS, "s(x)>(y)", tmp_path)


def test_inquiries_of_kinds_are_numbers() -> None:
    found = load_text(KINDS).procedures["s"].variables
    assert all(isinstance(found[name].value, ir.Literal_) for name in "nopq")


@pytest.mark.parametrize("kind", [4, 8, 16])
def test_a_chain_of_constants_is_not_as_large_as_its_tree(kind: int) -> None:
    chain = "".join(f"  real({kind}), parameter :: a{k} = a{k - 1}/2 + a{k - 1}/3\n" for k in range(1, 101))
    text = (f"subroutine s(x)\n  real({kind}), parameter :: a0 = 1\n{chain}  real(8), intent(inout) :: x\n"
            "  x = x*a100\nend subroutine\n")
    value = load_text(text).procedures["s"].variables["a100"].value
    if kind == 16:
        assert value is not None
        assert len(list(walk(value))) < 4*LARGEST  # no number of Python's has that kind
    else:
        assert isinstance(value, ir.Literal_)
        assert value.value == pytest.approx((5 / 6) ** 100, rel=1e-13 if kind == 8 else 1e-4)


def test_what_has_no_value_stays_an_expression() -> None:
    text = ("subroutine s(x)\n  real(8), parameter :: none = 1/0.0d0, root = sqrt(-1.0d0), big = 1d300*1d300\n"
            "  real(8) :: x\n  x = none\nend subroutine\n")
    for name in ("none", "root", "big"):
        value = load_text(text).procedures["s"].variables[name].value
        assert isinstance(value, ir.Binary | ir.Intrinsic)
