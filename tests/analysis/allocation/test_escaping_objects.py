"""A callee makes objects by a pointer of its own: said (SN104) where they live on by another name, for a second run
makes another object; not where they are scratch memory."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.frontend.load import load_text

PROGRAM = """module lists
 implicit none
 type :: node
  real(8) :: v = 0.5d0
  real(8), pointer :: d(:) => null()
  type(node), pointer :: next => null()
 end type node
 type :: box
  type(node), pointer :: n => null()
  real(8), pointer :: w(:) => null()
 end type box
 type(node), pointer :: store => null()
 type(box) :: kept
contains
{made}
 subroutine total(h, s)
  type(node), pointer, intent(in) :: h
  real(8), intent(inout) :: s
  type(node), pointer :: at
  at => h
  do while (associated(at))
   s = 0.5d0*s*at%v + at%v**2
   if (associated(at%d)) s = s + sum(at%d**2)
   at => at%next
  end do
 end subroutine total
 subroutine run(x, y)
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  type(node), pointer :: head
  real(8), pointer :: w(:)
  type(box) :: b
  head => null()
  w => null()
  y = 0.3d0
{call}
  if (associated(w)) y = y + sum(w*w)
  if (associated(b%w)) y = y + sum(b%w*b%w)
  if (associated(kept%w)) y = y + sum(kept%w*kept%w)
  !$AD NOCHECKPOINT
  call total(head, y)
  !$AD NOCHECKPOINT
  call total(store, y)
  !$AD NOCHECKPOINT
  call total(b%n, y)
  nullify (store, kept%w)
 end subroutine run
end module lists
"""
NODE = "  type(node), pointer :: t\n  allocate (t)\n  t%v = v(1)*v(2)\n"
ARRAY = "  real(8), pointer :: t(:)\n  allocate (t(5))\n  t = v*v\n"
LIVING = {
    "a list's first": ("h", "type(node), pointer, intent(inout) :: h", f"{NODE}  t%next => h\n  h => t", "head"),
    "a module's list": ("h", "type(node), pointer, intent(in) :: h", f"{NODE}  t%next => store\n  store => t", "head"),
    "an array": ("h", "real(8), pointer, intent(inout) :: h(:)", f"{ARRAY}  h => t(2:4)", "w"),
    "a component": ("h", "type(box), intent(inout) :: h", f"{ARRAY}  h%w => t", "b"),
    "a module's component": ("h", "type(box), intent(in) :: h", f"{ARRAY}  kept%w => t", "b"),
    "an object that is copied": ("h", "type(box), intent(inout) :: h",
                                 "  type(box) :: t\n  allocate (t%n)\n  t%n%v = v(1)**2\n  h = t", "b"),
    "an object that is made": ("h", "type(box), intent(inout) :: h", f"{NODE}  h = box(t, null())", "b"),
    "a source": ("h", "type(node), pointer, intent(inout) :: h",
                 "  type(node), pointer :: t\n  allocate (t, source=node(v(1)**2, null(), h))\n  h => t", "head"),
    "a callee's TARGET": ("h", "type(node), pointer, intent(inout) :: h",
                          f"{NODE}  !$AD NOCHECKPOINT\n  call hook(h, t)", "head"),
    "SAVE": ("h", "real(8), intent(inout) :: h", "  type(node), pointer, save :: t => null()\n"
             "  if (.not. associated(t)) allocate (t)\n  h = h*t%v\n  t%v = v(1)**2", "y"),
}
SCRATCH = {
    "an array": ("h", "real(8), intent(inout) :: h", f"{ARRAY}  h = h*sum(t)\n  deallocate (t)", "y"),
    "an array that is left": ("h", "real(8), intent(inout) :: h", f"{ARRAY}  h = h*sum(t)", "y"),
    "an array that is passed": ("h", "real(8), intent(inout) :: h", f"{ARRAY}  call scaled(t, h)\n  h = h*sum(t)", "y"),
    "a component": ("h", "real(8), intent(inout) :: h", "  type(box) :: t\n  allocate (t%w(5))\n  t%w = v*v\n"
                    "  h = h*sum(t%w)\n  deallocate (t%w)", "y"),
}
OTHERS = """ subroutine hook(h, t)
  type(node), pointer, intent(inout) :: h
  type(node), target, intent(inout) :: t
  t%next => h
  h => t
 end subroutine hook
 subroutine scaled(t, s)
  real(8), intent(inout) :: t(5), s
  t = t*s
  s = sin(t(2))
 end subroutine scaled
"""


def said(name: str, declared: str, body: str, actual: str) -> set[str]:
    """The codes of the report; where it does not warn every plan has the gradient of the adjoint that stores all."""
    made = f" subroutine mk({name}, v)\n  real(8), intent(in) :: v(5)\n  {declared}\n{body}\n end subroutine mk\n"
    text = PROGRAM.format(made=OTHERS + made, call=f"  call mk({actual}, x)\n  call mk({actual}, x)")
    (head,) = parse_heads("run(x)>(y)")
    found = compare(load_text(text), head, parse_strategies("lazy,eager"))
    codes = {one.code for one in found.diagnostics}
    assert "SN104" in codes or all(run.equal for run in found.runs)
    return codes


@pytest.mark.parametrize("how", LIVING)
def test_what_lives_on_is_another_object_in_the_second_run(how: str) -> None:
    assert "SN104" in said(*LIVING[how])


@pytest.mark.parametrize("how", SCRATCH)
def test_scratch_memory_is_no_hazard(how: str) -> None:
    assert said(*SCRATCH[how]) <= {"SN402"}
