"""What a pointer is associated with, as a location: in sets, on the stack, in the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.gradient import by_plans, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.results import HeadResult
from snapset.analysis.symbolic.polynomials import number
from snapset.frontend.load import load_text

from tests.analysis.replay.machine.test_replay import from_text, records_of
from tests.support.execution import agrees_with_compiled, plans_agree

START, END = "!$AD CHECKPOINT-START\n", "!$AD CHECKPOINT-END\n"
HEAD = "run(x)>(y)"
INPUTS = Inputs({"n": 6})
MODULE = """module aims
 implicit none
 abstract interface
  function law(u) result(f)
   real(8), intent(in) :: u
   real(8) :: f
  end function law
 end interface
 type :: box
  real(8), pointer :: p(:) => null()
  procedure(law), pointer, nopass :: f => null()
  real(8) :: w
 end type box
 type :: node
  real(8) :: v
  type(node), pointer :: next => null()
 end type node
 procedure(law), pointer :: chosen => null()
contains
 function sq(u) result(f)
  real(8), intent(in) :: u
  real(8) :: f
  f = u*u
 end function sq
 function si(u) result(f)
  real(8), intent(in) :: u
  real(8) :: f
  f = sin(u)
 end function si
 subroutine apply(g, a)
  procedure(law) :: g
  real(8), intent(inout) :: a
  call inner(g, a)
 end subroutine apply
 subroutine inner(g, a)
  procedure(law) :: g
  real(8), intent(inout) :: a
  a = g(a) + 0.1d0*a*a
 end subroutine inner
 subroutine by_pointer(g, a)
  procedure(law), pointer, intent(in) :: g
  real(8), intent(inout) :: a
  a = a*g(a)
 end subroutine by_pointer
 subroutine by_module(a)
  real(8), intent(inout) :: a
  a = a*chosen(a)
 end subroutine by_module
 subroutine by_component(b, a)
  type(box), intent(in) :: b
  real(8), intent(inout) :: a
  a = b%w*b%f(a)
 end subroutine by_component
 function part(a, k) result(r)
  real(8), target, intent(in) :: a(:)
  integer, intent(in) :: k
  real(8), pointer :: r(:)
  r => a(k:k + 2)
 end function part
 function larger(a, b) result(r)
  real(8), pointer, intent(in) :: a, b
  real(8), pointer :: r
  r => a
  if (b > a) r => b
 end function larger
 subroutine swap(p, q)
  real(8), pointer, intent(inout) :: p(:), q(:)
  real(8), pointer :: r(:)
  r => p
  p => q
  q => r
 end subroutine swap
 subroutine squared(a, y)
  real(8), target, intent(in) :: a(:)
  real(8), intent(out) :: y
  real(8), pointer :: p(:)
  p => a
  y = p(1)*p(2)
 end subroutine squared
 subroutine put(head, v)
  type(node), pointer, intent(inout) :: head
  real(8), intent(in) :: v
  type(node), pointer :: new
  allocate (new)
  new%v = v
  new%next => head
  head => new
 end subroutine put
 subroutine run(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), target :: a(n), b(n), s, t
  real(8), pointer :: p(:), q(:), m(:, :), e, d
  procedure(law), pointer :: g
  type(box) :: c(2), one
  type(node), pointer :: head, at, back
  integer :: i, k
  a = x
  b = x*x
  s = x(1)
  t = x(2)
  k = 2
  y = 0d0
! here
  y = y + sum(a*b) + sum(a*a) + s*t
 end subroutine run
end module aims
"""
LIST = "head => null()\n do i = 1, 4\n!$AD NOCHECKPOINT\n call put(head, a(i))\n end do\n"
WALK = "at => head\n do while (associated(at))\n {0}\n at => at%next\n end do\n"
BODIES = {
    "passed procedure pointers": "g => sq\n call apply(g, s)\n g => si\n call apply(g, s)\n g => sq",
    "a pointer passed as a pointer": "g => sq\n call by_pointer(g, s)\n g => si\n call by_pointer(g, s)\n g => sq",
    "a pointer of the module": "chosen => sq\n call by_module(s)\n chosen => si\n call by_module(s)\n chosen => sq",
    "a pointer component": "one%w = 2d0\n one%f => sq\n call by_component(one, s)\n one%f => si\n"
                           " one%w = s\n call by_component(one, s)\n one%f => null()",
    "called by itself": f"g => sq\n {START} s = g(s)*t\n g => si\n s = s*g(t)\n {END} t = g(s)\n g => sq",
    "compared": f"g => sq\n {START} if (associated(g, sq)) s = g(s)\n g => si\n if (.not. associated(g, sq)) s = s*t\n"
                f" {END} g => null()\n if (.not. associated(g)) t = t*t",
    "in the part": f"p => a\n {START} p = p*b\n p => b\n p = p*a\n {END} p => a\n a = a*p",
    "in a loop of parts": f"p => a\n q => b\n do i = 1, 3\n {START} q = q*p\n if (q(1) > p(1)) then\n p => b\n else\n"
                          f" p => a\n end if\n p = p*p\n {END} q => p\n end do",
    "cut off": f"e => s\n {START} t = t*e\n nullify (e)\n {END} e => t\n s = s*e",
    "by a procedure": f"p => a\n q => b\n {START} call swap(p, q)\n p = p*q(2)\n {END} call swap(p, q)\n q = q*p(1)",
    "lower bounds": f"p(0:) => a\n {START} y = p(0)*p(1)\n p(k:) => b\n y = y*p(k)*p(k + 1)\n {END} k = 3\n p => a",
    "another rank": f"m(1:3, 1:k) => a\n m = m*m\n {START} m(0:1, 0:2) => b\n m(1, 2) = m(1, 2)*m(0, 0)\n {END}"
                    " k = 1\n y = m(1, 2)",
    "a part in another rank": "q => a(2:5)\n m(1:k, 1:2) => q\n m(2, :) = m(1, :)*m(2, :)",
    "a function's": f"{START} p => part(a, k)\n p = p*p(2)\n p => part(b, 1)\n p(1) = p(1)*a(1)\n {END} k = 3\n"
                    " y = sum(part(a, k)*b(1:3))",
    "a function's, one of two": f"e => s\n d => t\n {START} e => larger(e, d)\n e = e*e\n d => a(1)\n d = d*e\n {END}"
                                " e => t\n t = t*d",
    "components of elements": f"c(1)%p => a\n c(2)%p => b(2:)\n {START} do i = 1, 2\n"
                              f" c(i)%p(2) = c(i)%p(1)*c(3 - i)%p(3)\n end do\n {END} c(2)%p => a\n"
                              " c(1)%p => b\n y = c(1)%p(2)*c(2)%p(1)",
    "copied with an object": f"c(1)%p => a\n c(2)%p => b\n one = c(1)\n {START} one%p(1) = one%p(1)*b(2)\n one = c(2)\n"
                             f" one%p(1) = one%p(1)*a(2)\n {END} c(1) = one\n a = a*c(1)%p",
    "a callee's own": "call squared(a, y)\n y = y*y",
    "its own memory": f"allocate (p(n))\n p = a\n q => p\n {START} q = q*b\n q => b\n q = q*p\n {END} deallocate (p)",
    "a list": LIST + START + WALK.format("at%v = at%v*s\n s = s + at%v**2") + END + WALK.format("y = y + at%v*t"),
    "a list turned round": LIST + START + "back => null()\n do while (associated(head))\n at => head\n"
                           " head => at%next\n at%next => back\n back => at\n end do\n head => back\n" + END
                           + "y = head%v*head%next%v**2\n" + WALK.format("at%v = at%v*y\n y = y*at%v"),
    "a ring": LIST + "at => head%next\n" + START + "at%next%v = at%next%v*at%v\n at%next%next%next => at\n"
                     + END + "s = head%next%next%next%v",
}


def program(body: str) -> str:
    return MODULE.replace("! here\n", body + "\n")


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BODIES)
def test_every_plan_gives_the_store_all_gradient(name: str) -> None:
    head, machine, analysis = from_text(program(BODIES[name]), HEAD)
    plans_agree(head, machine, analysis, INPUTS)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BODIES)
def test_the_compiled_original_agrees(name: str, tmp_path: Path) -> None:
    text = program(BODIES[name])
    agrees_with_compiled(text, HEAD, tmp_path, INPUTS)


# ---------------------------------------------------------------- sets


def report(text: str, head: str = HEAD) -> HeadResult:
    (found,) = parse_heads(head)
    return analyse(load_text(text), found, parse_strategies("lazy,eager"))


def test_a_procedure_pointer_that_is_passed_is_read_and_taped() -> None:
    """`p => sq; call apply(p, s); p => si; call apply(p, s); p => sq`: each call's adjoint needs what p was."""
    found = report(program("g => sq\n call apply(g, s)\n g => si\n call apply(g, s)\n g => sq"))
    one, two = (part for part in found.parts if part.procedure == "run")
    for part in (one, two):
        assert "g" in part.sets.use_c
        assert "g" in part.sets.use_cbar
        assert "g" in part.sets.out_dbar
    assert one.solutions["lazy"].req_d == ("g",)
    assert [(entry.location, entry.bytes) for entry in one.solutions["lazy"].tape] == [("g", number(8))]*2
    assert "g" in one.solutions["eager"].snp


def test_an_association_has_a_name_of_its_own() -> None:
    """The part reads a through p and lets p lead to b: p=> is overwritten, neither a nor b is; only p=> is saved."""
    text = program(f"p => a\n {START} y = p(1)*p(2)\n p => b\n {END} y = y*p(1)")
    (part,) = (one for one in report(text).parts if one.kind == "region")
    assert part.sets.out_c == ("p=>", "y")
    assert {"a", "p", "p=>"} <= set(part.sets.use_cbar)
    assert part.solutions["lazy"].snp == ("p=>",)
    assert part.solutions["lazy"].snapshot_bytes == 8
    assert part.diagnostics == ()


def test_the_bounds_a_pointer_is_given_are_read() -> None:
    (part,) = (one for one in report(program(f"{START} p(k:) => a\n y = p(3)**2\n {END} k = 3\n y = y*a(k)")).parts
               if one.kind == "region")
    assert "k" in part.sets.use_cbar
    assert "k" in part.solutions["eager"].snp


@pytest.mark.parametrize("statement", [
    "p => b", "nullify (p)", "g => si", "c(1)%p => b", "at => head%next", "at%next => back", "nullify (at%next)",
    "at%next%next => back",
])
def test_what_a_snapshot_brings_back_is_no_hazard(statement: str) -> None:
    (part,) = (one for one in report(program(f"{START} s = s*t\n {statement}\n {END}")).parts if one.kind == "region")
    assert part.diagnostics == ()


# ---------------------------------------------------------------- no byte too few


@pytest.mark.parametrize("name", ["passed procedure pointers", "a pointer of the module", "a pointer component",
                                  "in the part", "by a procedure", "lower bounds", "a function's", "cut off"])
def test_a_lost_association_is_a_wrong_gradient_or_none(name: str) -> None:
    """The machine has no other way to an association than what was saved: it notices each that is lost."""
    head, machine, analysis = from_text(program(BODIES[name]), HEAD)
    expected, _ = store_all(head, machine, INPUTS)
    lost = 0
    for strategy in parse_strategies("lazy,eager"):
        plans = make_plans(machine, analysis, records_of(analysis, strategy))
        for place, row in enumerate(plans.rows):
            own = any(one.endswith("=>") or one in ("g", "chosen", "one%f") for one in row.location.split(", "))
            if row.kind in ("tape", "snp", "sbk") and own and row.procedure == "aims::run":
                try:
                    found = by_plans(head, machine, plans.without(place), INPUTS)[0]
                except ReplayError:
                    lost += 1
                else:
                    lost += not found.same(expected)
    assert lost > 0


# ---------------------------------------------------------------- what a type begins with


EMPTIED = """module m
 type :: node
  real(8) :: v = 0.5d0
  type(node), pointer :: next => null()
 end type node
 type :: list
  type(node), pointer :: first => null()
 end type list
contains
 subroutine clear(l)
  type(list), intent(out) :: l
 end subroutine clear
 subroutine add(l, v)
  type(list), intent(inout) :: l
  real(8), intent(in) :: v
  type(node), pointer :: new
  allocate (new)
  new%v = new%v*v
  if (associated(l%first)) new%next => l%first
  l%first => new
 end subroutine add
 subroutine run(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  type(list) :: l
  type(node), pointer :: p
  integer :: i, k
  y = 1d0
  do i = 1, 2
   call clear(l)
   do k = 1, 2
!$AD NOCHECKPOINT
    call add(l, x(k)*x(i))
   end do
   p => l%first
   do while (associated(p))
    y = y*p%v + x(3)
    p => p%next
   end do
  end do
 end subroutine run
end module m
"""


def test_pointers_begin_as_their_type_says(tmp_path: Path) -> None:
    """Without `first => null()` where `clear` is entered, the second list would hold the first one's nodes."""
    head, machine, analysis = from_text(EMPTIED, HEAD)
    plans_agree(head, machine, analysis)
    agrees_with_compiled(EMPTIED, HEAD, tmp_path)
