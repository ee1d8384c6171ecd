"""Pointers on the replay machine: associations made outside the parts, and in them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.base.diagnostics import InputError

from tests.analysis.replay.machine.test_replay import from_text
from tests.generators.random_pointers import HEAD
from tests.generators.random_pointers import program as random_program
from tests.support.execution import agrees_with_compiled, plans_agree, proved_by_execution

DECLARED = """ integer, intent(in) :: n
 real(8), intent(in) :: x(n)
 real(8), intent(out) :: y
 real(8), target :: a(n), b(n), c(n), s, t
 real(8), pointer :: p(:), q(:), r(:), e
 integer :: i
 a = x
 b = x*x
 c = 1d0 + x
 s = x(1)
 t = x(2)
"""
START, END = "!$AD CHECKPOINT-START\n", "!$AD CHECKPOINT-END\n"
# What stands in a subroutine points(x, n, y), y of the arrays and s and t.
BODIES = {
    "a scalar": f"e => s\n {START} t = t*e\n e = e*t\n {END}",
    "an element": f"e => a(2)\n {START} t = t*e\n e = e*t*a(2)\n a(2) = a(2)*e\n {END}",
    "a whole array": f"p => a\n {START} p = p*a*x\n b = b*p\n {END} a = a*p",
    "every other element": f"p => a(1:n:2)\n {START} do i = 1, 3\n p(i) = p(i)*a(2*i - 1)*b(i)\n end do\n {END}",
    "backwards": f"p => a(n:1:-1)\n {START} a(1) = a(1)*p(1)\n p(1) = p(1)*b(1)\n {END}",
    "by a branch": f"if (x(1) > 1d0) then\n p => a\n else\n p => b\n end if\n {START} p = p*p*c\n c = c*p\n {END}",
    "changing places": "p => a\n q => b\n do i = 1, 3\n " + START + " q = q*p\n p = p*c\n " + END
                       + " r => p\n p => q\n q => r\n nullify (r)\n end do\n c = c*p",
    "asked": f"p => a\n q => b\n {START} if (associated(p, a) .and. .not. associated(q, a)) q = q*p\n {END}"
             " nullify (p)\n if (.not. associated(p)) b = b*b",
    "through another": f"p => a\n q => p(2:4)\n {START} q = q*b(1:3)\n p = p*p\n {END}",
    "its own memory": f"allocate (p(n))\n p = x\n {START} p = p*a\n a = a*p\n {END} c = c*p\n deallocate (p)",
    "passed": f"p => a(2:4)\n {START} call square(p, 3)\n b(1:3) = b(1:3)*p\n {END}",
}

LED = """subroutine led(x, y)
  implicit none
  type cell
    real(8) :: v
  end type
  type points
    {}, pointer :: to => null()
  end type
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(points) :: one, two, now
  {}, target :: f, g
  integer :: i
  f{v} = x
  g{v} = 0.5d0*x
  y = x
  one%to => f
  two%to => g
  now = two
  do i = 1, 4
    y = y*now%to{v}*now%to{v} + 0.3d0
    now%to{v} = now%to{v}*y
    if (mod(i, 2) == 1) then
      now = one
    else
      now = two
    end if
    now%to{v} = now%to{v}*now%to{v}*y
  end do
  y = y*f{v}*g{v}
end subroutine led
"""


def program(body: str) -> str:
    return (f"subroutine square(v, m)\n integer, intent(in) :: m\n real(8), intent(inout) :: v(m)\n v = v*v\n"
            "end subroutine square\nsubroutine aims(w)\n real(8), pointer :: w\n w = 2*w\nend subroutine aims\n"
            f"subroutine points(x, n, y)\n{DECLARED} {body}\n"
            " y = sum(a*b) + sum(a*a*c) + s*t\nend subroutine points\n")


@pytest.mark.parametrize("name", BODIES)
def test_every_plan_gives_the_store_all_gradient(name: str) -> None:
    head, machine, analysis = from_text(program(BODIES[name]), "points(x)>(y)")
    plans_agree(head, machine, analysis)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BODIES)
def test_the_compiled_original_agrees(name: str, tmp_path: Path) -> None:
    text = program(BODIES[name])
    agrees_with_compiled(text, "points(x)>(y)", tmp_path)


@pytest.mark.parametrize(("body", "what"), [
    ("call aims(s)", "the argument `w` of aims, which is a pointer"),
    ("call gone(e)", "the call of `gone`, which has no source here"),
])
def test_what_is_beyond_it_is_refused(body: str, what: str) -> None:
    head, machine, _ = from_text(program(body), "points(x)>(y)")
    with pytest.raises(InputError, match=f"does not execute.*({what})"):
        store_all(head, machine, Inputs())


@pytest.mark.parametrize(("type_", "v"), [("real(8)", ""), ("type(cell)", "%v")])
def test_an_object_is_nothing_but_a_pointer(type_: str, v: str, tmp_path: Path) -> None:
    proved_by_execution(LED.format(type_, type_, v=v), "led(x)>(y)", tmp_path)


@pytest.mark.sample(2)
@pytest.mark.parametrize("number", range(24))
def test_random_programs(number: int) -> None:
    head, machine, analysis = from_text(random_program(Random(number)), HEAD)
    plans_agree(head, machine, analysis)
