"""The intrinsic functions of bits, for integers of one to eight bytes and both signs: gfortran's values."""

from __future__ import annotations

from pathlib import Path

from tests.support.execution import agrees_with_compiled

TEXT = """subroutine f(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  integer :: i, k, v(4)
  integer(1) :: b
  integer(2) :: s
  integer(8) :: l
  logical :: q
  y = x(1)
  do i = -3, 40
    k = 1234567*i + i*i
    b = int(mod(i*37, 128), 1)
    s = int(i*811, 2)
    l = int(i, 8)*123456789012345_8
    y = y + x(2)*(1d-9*ibset(k, 31) + 1d-9*ibclr(k, 3) + ibits(k, 4, 7) + ibits(b, 0, 8) + ibits(l, 33, 31))
    y = y + x(3)*(ishft(k, 3) + 0d0 + ishft(k, -5) + ishft(b, -2) + ishft(s, 9) + ishft(k, 32) + ishft(k, -32))
    y = y + x(1)*(ishftc(k, 5) + 0d0 + ishftc(k, -7, 12) + ishftc(s, 3, 16) + ishftc(b, 0, 4))
    y = y + x(1)*(shiftl(l, 3)*1d-9 + shiftr(s, 2) + shifta(b, 3) + shiftr(k, 0) + and(k, i) + or(k, i) + xor(i, 5))
    y = y + x(1)*(lshift(k, 2)*1d0 + rshift(k, 3))
    y = y + x(2)*(popcnt(k) + poppar(l) + leadz(s) + trailz(b) + leadz(0_8) + trailz(0) + not(b) + ieor(k, i))
    v = ishft([k, i, 7, 1], [1, 2, -1, 30])
    y = y + sum(v)*x(1)*1d-9 + count(btest(k, [0, 5, 31]))*x(3)
    q = btest(s, 3)
    if (q .or. btest(b, 7)) y = y*0.99d0
  end do
  y = y*1d-9
end subroutine
"""


def test_bits_are_gfortrans(tmp_path: Path) -> None:
    """Values of y to 1e-12, with each result in a sum of its own weight."""
    agrees_with_compiled(TEXT, "f(x)>(y)", tmp_path, ways=3)
