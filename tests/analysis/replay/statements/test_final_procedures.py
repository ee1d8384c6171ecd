"""FINAL procedures are not executed: where one would run that somebody notices, replay refuses the program, and the
report says so.

`type(fin) :: f` of a procedure ends with its run, `deallocate (f)` and `f = g` give an object up: there, and nowhere
else. What ends nowhere, or by a FINAL procedure that only deallocates its components, is executed as gfortran does.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.variable_slots import RefusedError
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

HEAD = "step(x)>(y)"
TYPES = """module kinds
  implicit none
  type fin
    real(8) :: v = 0.1d0
  contains
    final :: done
  end type
  type plain
    real(8) :: v = 0.2d0
  end type
  type, extends(plain) :: ends
    real(8) :: w = 0.3d0
  contains
    final :: ends_done
  end type
  type, extends(fin) :: more
    real(8) :: w = 0.4d0
  end type
  type box
    type(fin) :: in(2)
  end type
  type holds
    class(plain), allocatable :: in
  end type
  type points
    type(fin), pointer :: to => null()
  end type
  type quiet
    real(8), allocatable :: v(:)
    real(8), pointer :: at => null()
    integer :: n = 0
  contains
    final :: quiet_done
  end type
  type, extends(quiet) :: still
    type(quiet) :: in
  end type
  type through
    real(8) :: v
    real(8), pointer :: at => null()
  contains
    final :: through_done
  end type
  type indirect
    real(8) :: v
  contains
    final :: indirect_done
  end type
  type local
    real(8) :: v
  contains
    final :: local_done
  end type
  type stops
    real(8) :: v
  contains
    final :: nobody, stops_done
  end type
  real(8) :: total = 0.5d0
  type(fin) :: kept, other(3)
  type(fin), allocatable :: made, taken
  type(fin), pointer :: link => null()
  type(box) :: boxes(2)
contains
subroutine done(f)
  type(fin), intent(inout) :: f
  total = total*0.7d0 + f%v*f%v
end subroutine
subroutine quiet_done(q)
  type(quiet), intent(inout) :: q
  integer :: i
  do i = 1, q%n
    q%v(i) = 0
  end do
  if (allocated(q%v)) deallocate (q%v)
  nullify (q%at)
  q%n = 0
end subroutine
subroutine through_done(f)
  type(through), intent(inout) :: f
  if (associated(f%at)) f%at = f%v
end subroutine
subroutine indirect_done(f)
  type(indirect), intent(inout) :: f
  call counted(f%v)
end subroutine
subroutine counted(v)
  real(8), intent(in) :: v
  total = total + v
end subroutine
subroutine local_done(f)
  type(local), intent(inout) :: f
  type(fin) :: g
  g%v = f%v
end subroutine
subroutine stops_done(f)
  type(stops), intent(inout) :: f(:)
  if (any(f%v > 9)) stop 1
end subroutine
subroutine nobody(f)
  type(stops), intent(inout) :: f
end subroutine
subroutine ends_done(f)
  type(ends), intent(inout) :: f
  total = total*0.6d0 + f%v*f%w
end subroutine
"""
PROGRAM = TYPES + """subroutine step(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: s
  s = x
{body}
  y = s*s + total
end subroutine
{procedures}
end module
"""
CALLED = "subroutine called(s)\n  real(8), intent(inout) :: s\n  {}\n  s = 0.5d0*s*s\nend subroutine"
TAKES = ("subroutine takes(f, s)\n  {}, intent(out) :: f\n  real(8), intent(inout) :: s\n  f%v = s\n  s = s*f%v\n"
         "end subroutine")
# By what it shows: the statements, the procedures, the line that is refused, its type.
REFUSED = {
    "a variable": ("call called(s)", CALLED.format("type(fin) :: f"), "type(fin) :: f", "fin"),
    "an array": ("call called(s)", CALLED.format("type(fin) :: f(3)"), "type(fin) :: f(3)", "fin"),
    "an allocatable variable": (
        "call called(s)", CALLED.format("type(fin), allocatable :: f"), "type(fin), allocatable :: f", "fin"),
    "a type that extends it": ("call called(s)", CALLED.format("type(more) :: f"), "type(more) :: f", "fin"),
    "a component": ("call called(s)", CALLED.format("type(box) :: f"), "type(box) :: f", "fin"),
    "a component of CLASS": ("call called(s)", CALLED.format("type(holds) :: f"), "type(holds) :: f", "ends"),
    "CLASS of a type that is extended": (
        "call called(s)", CALLED.format("class(plain), allocatable :: f"), "class(plain), allocatable :: f", "ends"),
    "CLASS(*)": ("call called(s)", CALLED.format("class(*), allocatable :: f"), "class(*), allocatable :: f", "fin"),
    **{f"a FINAL procedure that notices {name}": (
        "call called(s)", CALLED.format(f"type({name}) :: f"), f"type({name}) :: f", name)
       for name in ("through", "indirect", "local", "stops")},
    "a variable of a BLOCK": ("block\n type(fin) :: f\n f%v = s\n s = s*f%v\n end block", "", "type(fin) :: f", "fin"),
    "INTENT(OUT)": ("call takes(kept, s)", TAKES.format("type(fin)"), "type(fin), intent(out) :: f", "fin"),
    "INTENT(OUT) of CLASS": (
        "call takes(kept, s)", TAKES.format("class(fin)"), "class(fin), intent(out) :: f", "fin"),
    "a function's result": (
        "s = s*value(make(s))", "function make(s) result(f)\n  real(8), intent(in) :: s\n  type(fin) :: f\n"
        "  f%v = s\nend function\nreal(8) function value(f)\n  type(fin), intent(in) :: f\n  value = f%v\nend function",
        "type(fin) :: f", "fin"),
    "an assignment": ("other(2)%v = s\n kept = other(2)\n s = s*kept%v", "", "kept = other(2)", "fin"),
    "an assignment to elements": ("other(3)%v = s\n other(1:2) = other(3)", "", "other(1:2) = other(3)", "fin"),
    "an assignment to a component": ("kept%v = s\n boxes(1)%in(2) = kept", "", "boxes(1)%in(2) = kept", "fin"),
    "an assignment of what has it": ("boxes(1)%in(2)%v = s\n boxes(2) = boxes(1)", "", "boxes(2) = boxes(1)", "fin"),
    "DEALLOCATE": (
        "allocate (made)\n made%v = s\n s = s*made%v\n deallocate (made)", "", "deallocate (made)", "fin"),
    "DEALLOCATE of a pointer": (
        "allocate (link)\n link%v = s\n s = s*link%v\n deallocate (link)", "", "deallocate (link)", "fin"),
    "MOVE_ALLOC": ("allocate (made)\n call move_alloc(made, taken)\n s = s*taken%v\n call move_alloc(taken, made)", "",
                   "call move_alloc(made, taken)", "fin"),
}
EXECUTED = {
    "a variable of the module": "kept%v = s*s\n s = s*kept%v + other(2)%v",
    "an association": "allocate (link)\n link%v = s*s\n s = s*link%v",
    "INTENT(INOUT)": "kept%v = s\n call changes(kept, s)",
    "a saved variable": "call saves(s)",
    "pointer components": "call leads(s)",
    "numbers of it": "kept%v = s\n boxes(1)%in(1:2)%v = kept%v\n s = s*boxes(1)%in(2)%v",
    "TYPE of what is extended": "call alone(s)",
    "a branch that is not taken": "kept%v = s\n if (s > 99) kept = other(1)\n s = s*kept%v",
    "an end that nobody notices": "call quietly(s)",
    "a call": "kept%v = s\n call done(kept)",
}
PROCEDURES = """subroutine changes(f, s)
  class(fin), intent(inout) :: f
  real(8), intent(inout) :: s
  f%v = f%v*s
  s = s*f%v
end subroutine
subroutine quietly(s)
  real(8), intent(inout) :: s
  type(quiet) :: q, r
  type(still), allocatable :: t
  real(8), target :: v
  allocate (q%v(2), t)
  q%n = 2
  q%at => v
  v = s
  q%v = s*s
  r = q
  s = s*r%v(2)*r%at
  t%in = r
  call quieter(r, s)
  s = s*t%in%v(1)
  deallocate (t)
end subroutine
subroutine quieter(q, s)
  type(quiet), intent(out) :: q
  real(8), intent(inout) :: s
  allocate (q%v(1))
  q%v = s
  s = s*q%v(1)
end subroutine
subroutine saves(s)
  real(8), intent(inout) :: s
  type(fin), save :: f
  f%v = s*s
  s = s*f%v
end subroutine
subroutine leads(s)
  real(8), intent(inout) :: s
  type(points) :: one, two
  type(fin), target, save :: f
  one%to => f
  two = one
  two%to%v = s*s
  s = s*one%to%v
end subroutine
subroutine alone(s)
  real(8), intent(inout) :: s
  type(plain) :: f, g
  f%v = s*s
  g = f
  s = s*g%v
end subroutine"""


@pytest.mark.parametrize("what", REFUSED)
def test_replay_refuses_it_and_the_report_names_it(what: str) -> None:
    body, procedures, line, name = REFUSED[what]
    text = PROGRAM.format(body=body, procedures=procedures)
    program = load_text(text)
    (head,) = parse_heads(HEAD)
    with pytest.raises(RefusedError) as caught:
        store_all(head, Machine(program, find_procedure(program, head).key), Inputs())
    said = [one for one in analyse(program, head).diagnostics if one.code == "SN402"]
    place = text.splitlines()[said[0].span.line - 1]
    assert caught.value.what == f"the FINAL procedure of `{name}`"
    assert (len(said), place.strip()) == (1, line)
    assert caught.value.what in said[0].message
    assert caught.value.span == said[0].span


@pytest.mark.parametrize("what", EXECUTED)
def test_nothing_else_is_refused(what: str, tmp_path: Path) -> None:
    text = PROGRAM.format(body=f"total = 0.5d0\n {EXECUTED[what]}", procedures=PROCEDURES)
    proved_by_execution(text, HEAD, tmp_path, {"x": 0.7})
