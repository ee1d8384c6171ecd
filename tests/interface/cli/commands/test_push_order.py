"""``--format pushes``: what finds an element, or where memory is, is popped before it; and what no derivative
reads is pushed with the element it finds. The list of one program stands in an adjoint written by hand, which
gfortran compiles and differences judge."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from snapset.cli.main import main

from tests.support.paths import ROOT

PASSIVE = """subroutine p(x, n, y)
  real(8), intent(in) :: x(5)
  integer, intent(in) :: n
  real(8), intent(out) :: y
  integer :: iv(5), k
  real(8) :: s
  iv = [3, 2, 1, 5, 4]
  s = x(1)
  s = s*s*x(iv(2))*x(iv(3))
  k = n
  iv(k) = 4
  k = n + 1
  s = s*s*x(iv(k))*x(iv(3))
  y = s*s
end subroutine
"""
ADJOINT = """subroutine p_b(x, n, xb)
  use stack
  real(8), intent(in) :: x(5)
  integer, intent(in) :: n
  real(8), intent(out) :: xb(5)
  integer :: iv(5), k
  real(8) :: s, sb, t
  iv = [3, 2, 1, 5, 4]
  s = x(1)
{before line 9}
  s = s*s*x(iv(2))*x(iv(3))
  k = n
{before line 11}
  iv(k) = 4
  k = n + 1
{before line 13}
  s = s*s*x(iv(k))*x(iv(3))
  xb = 0
  sb = 2*s
{first, when line 13}
  t = sb
  sb = 2*s*x(iv(k))*x(iv(3))*t
  xb(iv(k)) = xb(iv(k)) + s*s*x(iv(3))*t
  xb(iv(3)) = xb(iv(3)) + s*s*x(iv(k))*t
{first, when line 11}
{first, when line 9}
  t = sb
  sb = 2*s*x(iv(2))*x(iv(3))*t
  xb(iv(2)) = xb(iv(2)) + s*s*x(iv(3))*t
  xb(iv(3)) = xb(iv(3)) + s*s*x(iv(2))*t
  xb(1) = xb(1) + sb
end subroutine
program judge
  use stack
  real(8) :: x(5) = [0.9d0, 1.2d0, 0.8d0, 1.3d0, 0.7d0], z(5), xb(5), up, down
  integer :: i
  call p_b(x, 2, xb)
  do i = 1, 5
    z = x
    z(i) = x(i) + 1d-6
    call p(z, 2, up)
    z(i) = x(i) - 1d-6
    call p(z, 2, down)
    print *, xb(i), (up - down)/2d-6
  end do
  print *, height
end program
"""
CALLED = """subroutine upd(e, k, f)
  real(8), intent(inout) :: e, f
  integer, intent(inout) :: k
  f = f*e
  e = e*e*f
  k = mod(k, 5) + 1
end subroutine
subroutine p(x, n, y)
  real(8), intent(in) :: x
  integer, intent(inout) :: n
  real(8), intent(out) :: y
  real(8) :: v(5), s
  real(8), allocatable :: w(:)
  v = 0.5d0*x
  allocate (w(n))
  w = x*x
  s = w(1)*w(n)
  s = s*v(2)*v(3)*v(2)
  deallocate (w)
  allocate (w(2))
  w = s
  s = s*w(1)*w(2)
  call upd(v(n), n, s)
  y = s*v(2)*v(3)
end subroutine
"""


def listed(text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    Path("p.f90").write_text(text)
    assert main(["report", "p.f90", "--head", "p(x)>(y)", "--strategy", "lazy", "--format", "pushes", "--no-cache",
                 "--quiet"]) == 0
    return capsys.readouterr().out.splitlines()


SELF = PASSIVE.replace("iv(k) = 4", "iv(iv(k)) = 4")  # n is 2, and iv(2) too


@pytest.mark.parametrize(("text", "forgotten"), [
    (PASSIVE, "None"), (PASSIVE, r"\(k\)"), (SELF, "None"), (SELF, "whole"),
])
def test_what_finds_a_passive_element_is_pushed_with_it(text: str, forgotten: str, tmp_path: Path,
                                                        monkeypatch: pytest.MonkeyPatch,
                                                        capsys: pytest.CaptureFixture[str]) -> None:
    """The list as it is gives the gradient; without k, or with the element by its name, which is on the way to itself,
    in place of the array, it does not."""
    monkeypatch.chdir(tmp_path)
    found, place = dict[str, list[str]](), ""
    for line in listed(text, capsys):
        if line.startswith("!"):
            place = line
        elif not re.search(forgotten, line.replace("iv(k)", "")):
            found.setdefault(place, []).append(line.replace("(iv)", "(iv(iv(k)))") if forgotten == "whole" else line)
    adjoint = re.sub(r"\{(.*)\}", lambda at: "\n".join(line for place, lines in found.items() if at[1] in place
                                                       for line in lines), ADJOINT)
    if text is SELF:
        adjoint = adjoint.replace("iv(k) = 4", "iv(iv(k)) = 4")
    stack = re.search(r"```fortran\n(module stack\n.*?)```", (ROOT / "docs/act.md").read_text(), re.DOTALL)
    assert stack is not None
    Path("all.f90").write_text(stack[1] + text + adjoint)
    subprocess.run(["gfortran", "-o", "judge", "all.f90"], check=True, capture_output=True, timeout=120)
    *rows, left = subprocess.run(["./judge"], check=True, capture_output=True, text=True,
                                 timeout=60).stdout.splitlines()
    assert int(left) == 0
    equal = all(float(one) == pytest.approx(float(other), rel=1e-6) for one, other in map(str.split, rows))
    assert equal == (forgotten == "None")


def test_pops_find_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                              capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    pops = [line.strip("! ") for line in listed(CALLED, capsys) if "pop" in line.split("(")[0].split()]
    assert pops.index("call pop(n)") < pops.index("call pop(v(n))")
    assert pops.index("pop whether, and with which bounds, w is allocated") < pops.index("call pop(w)")
