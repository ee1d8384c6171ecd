"""Which elements a call accesses of the caller's arrays, exactly: ``a(:,k) all 1`` is a column that the call certainly
writes, in dimension 1 all there is; ``b ?`` are elements that nobody tells. The subscript k is not told."""

from __future__ import annotations

import pytest
from snapset.analysis.memory.element_accesses import ElementAccess
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.passed_elements import Callee, passed_elements
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.ir.pretty_print import expr
from snapset.frontend.load import load_text

HEAD = """module kit
implicit none
type cell
  real(8) :: c(6), r
end type
type shape
  integer :: k
contains
  procedure :: area
end type
real(8) :: g(6, 4), h(5)
abstract interface
  subroutine work(z)
    real(8), intent(inout) :: z(6)
  end subroutine
end interface
contains
subroutine set(z)
  real(8), intent(inout) :: z(6)
  z = 1
end subroutine
subroutine half(z)
  real(8), intent(inout) :: z(6)
  z(2) = z(1)
end subroutine
subroutine two(z, w)
  real(8), intent(inout) :: z(6), w
  z = w
  w = 1
end subroutine
subroutine sized(z, k)
  integer, intent(in) :: k
  real(8), intent(inout) :: z(k)
  z = 1
end subroutine
subroutine shaped(z)
  real(8), intent(inout) :: z(:)
  z = 1
end subroutine
subroutine plane(z)
  real(8), intent(inout) :: z(6, 2)
  z = 1
end subroutine
subroutine open_end(z)
  real(8), intent(inout) :: z(*)
  z(1) = 1
end subroutine
subroutine scalar(z)
  real(8), intent(inout) :: z
  z = 1
end subroutine
subroutine reads(z)
  real(8), intent(in) :: z(6)
  h(1) = z(2)
end subroutine
subroutine nothing(z)
  real(8), intent(in) :: z(6)
end subroutine
subroutine of_cell(z)
  type(cell), intent(inout) :: z
  z%c = z%r
end subroutine
subroutine single(z)
  real(4), intent(inout) :: z(6)
  z = 1
end subroutine
function total(z, k) result(r)
  real(8), intent(in) :: z(6)
  integer, intent(in) :: k
  real(8) :: r
  r = sum(z)*k
end function
function both(z) result(r)
  real(8), intent(in) :: z(6)
  real(8) :: r(6)
  r = z
end function
function area(self, z) result(r)
  class(shape), intent(in) :: self
  real(8), intent(in) :: z(6)
  real(8) :: r
  r = z(1)*self%k
end function
end module
subroutine s(a, b, t, p, w, e, f, sh, al, n, k, i)
use kit
implicit none
integer :: n, k, i(4), j, m
real(8) :: a(6, 4), b(6, 2, 4), t(6), w(4), x
real(4) :: f(6, 4)
real(8), pointer :: p(:, :)
real(8), allocatable :: al(:, :)
type(cell) :: e(4)
type(shape) :: sh(4)
procedure(work), pointer :: way
"""
CASES = {
    "call set(a(:, k))": "a(:,k); a(:,k) all 1",
    "call set(a(1, k))": "a(:,k); a(:,k) all 1",
    "call set(a(1:6, k))": "a(1:6,k); a(1:6,k) all",  # of dimension 1, too, but not by its text
    "call set(a(2, k))": "a ?",
    "call set(a(:, 2))": "a(:,2); a(:,2) all 1 2",  # of the region that is column 2
    "call set(t)": "t(:); t(:) all 1",
    "call set(g(:, k))": "g(:,k); g(:,k) all 1",
    "call set(al(:, k))": "al(:,k)",
    "call set(p(:, k))": "p ?",
    "call set(a(:, i(k)))": "a(:,i(k)); a(:,i(k)) all 1; i(k)",
    "call set(b(:, 2, k))": "b(:,2,k); b(:,2,k) all 1 2",
    "call half(a(:, k))": "a(:,k)",
    "call two(a(:, k), w(k))": "a(:,k); a(:,k) all 1; w(k); w(k) all",
    "call sized(a(1, k), 6)": "a(:,k); a(:,k) all 1",
    "call sized(a(1, k), 4)": "a(:,k)",
    "call sized(a(1, k), 7)": "a ?",
    "call sized(a(2:4, k), 3)": "a(2:4,k); a(2:4,k) all 1",  # of the region that is rows 2 to 4
    "call sized(a(1, k), n)": "a ?",
    "call shaped(a(:, k))": "a(:,k); a(:,k) all 1",
    "call shaped(a(k, :))": "a(k,:); a(k,:) all 2",
    "call plane(b(:, :, k))": "b(:,:,k); b(:,:,k) all 1 2",
    "call plane(b(1, 1, k))": "b(:,:,k); b(:,:,k) all 1 2",
    "call plane(a(1, k))": "a ?",
    "call open_end(a(1, k))": "a ?",
    "call scalar(w(k))": "w(k); w(k) all",
    "call scalar(e(k)%c(2))": "e%c(k,2); e%c(k,2) all",
    "call set(e(k)%c)": "e%c(k,:); e%c(k,:) all 2",
    "call of_cell(e(k))": "e%c(k,:); e%c(k,:) all 2; e%r(k)",
    "call reads(a(:, k))": "a(:,k); h ?",
    "call reads(2*a(:, k))": "a(:,k); h ?",
    "call nothing(a(:, k))": "",
    "call nothing(a(:, k) + t(1))": "a(:,k); t(1)",
    "call single(f(:, k))": "f(:,k); f(:,k) all 1",
    "x = total(a(:, k), k)": "a(:,k)",
    "t = both(a(:, k))": "a(:,k); both@(:)",
    "x = sh(k)%area(a(:, k))": "a(:,k); sh%k(k)",
    "call way(a(:, k))": "a ?; g ?; h ?",
    "call nowhere(a(:, k), t)": "a ?; g ?; h ?; t ?",
}


def text_of(found: ProcedureModel, one: ElementAccess) -> str:
    name = found.space.infos[one.index].name.partition("@")[0] + "@"*("@" in found.space.infos[one.index].name)
    if one.given is None:
        return f"{name} ?"
    all_of = "" if one.full is None else f" all {' '.join(str(dim + 1) for dim in sorted(one.full))}".rstrip()
    shown = expr(ir.Ref((ir.PartRef(name, tuple(one.given)),), found.space.infos[one.index].type))
    return shown.replace(" ", "") + all_of


@pytest.mark.parametrize("statement", CASES)
def test_what_a_call_accesses(statement: str) -> None:
    models = Models(load_text(f"{HEAD}{statement}\nend subroutine s\n", name="t.f90"))
    found = models.by_key["s"]
    (node, site), *_ = found.calls.items()

    def callee(key: str) -> Callee:
        return Callee(models.seen[key].procedure, models.seen[key].space, models.seen[key].summary)

    def steady(ref: ir.Ref) -> bool:
        return not found.refs.touch(ref).bits & found.written

    accesses = passed_elements(site, found.effects[node], callee, found.refs, steady)
    said = {text_of(found, one) for one in accesses} - {"k()", "k ?"}
    assert said == set(filter(None, CASES[statement].split("; ")))
