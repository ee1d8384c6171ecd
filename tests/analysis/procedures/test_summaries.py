"""use, out and kill of whole procedures: array kills, calls, storage, pointers."""

import pytest
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

from tests.support.modelled import model, names, summary

HEADER = "subroutine s(a, n, m, x, c)\nimplicit none\ninteger :: n, m, i, j, k(10)\nreal(8) :: a(n), x(n, m), c, t(n)\n"


def kills(body: str) -> set[str]:
    return summary(HEADER + body + "\nend subroutine s\n")["kill"] - {"i", "j"}


def uses(body: str) -> set[str]:
    return summary(HEADER + body + "\nend subroutine s\n")["use"] - {"n", "m"}


KILLING = {
    "whole": "a = 0",
    "colon": "a(:) = 0",
    "bounds": "a(1:n) = 0",
    "loop": "do i = 1, n\n a(i) = 0\nend do",
    "backward loop": "do i = n, 1, -1\n a(i) = 0\nend do",
    "shifted": "do i = 0, n - 1\n a(i + 1) = 0\nend do",
    "mirrored": "do i = 1, n\n a(n + 1 - i) = 0\nend do",
    "larger": "do i = 0, n + 1\n a(i) = 0\nend do",
    "union": "a(1) = 0\ndo i = 2, n - 1\n a(i) = 0\nend do\na(n) = 0",
    "union in any order": "do i = 2, n - 1\n a(i) = 0\nend do\na(n) = 0\na(1) = 0",
    "two halves": "a(1:m) = 0\na(m + 1:n) = 1",
    "both branches": "if (c > 0) then\n a = 0\nelse\n do i = 1, n\n a(i) = 1\n end do\nend if",
    "parts of it in both branches": "if (c > 0) then\n a(1) = 0\nelse\n a(1) = 1\nend if\na(2:n) = 0",
    "among others": "do i = 1, n\n t(i) = c\n a(i) = t(i)\nend do",
    "inner loop between": "do i = 1, n\n do j = 1, m\n t(j) = c\n end do\n a(i) = 0\nend do",
    "forall": "forall (i = 1:n) a(i) = 0",
    "concurrent": "do concurrent (i = 1:n)\n a(i) = 0\nend do",
    "marked": "a(1) = 0\n!$AD CHECKPOINT-START\na(2:n) = 0\n!$AD CHECKPOINT-END",
    "constant trips": "do j = 1, 3\n a = j\nend do",
    "stop in between": "do i = 1, n\n if (c > 0) stop\n a(i) = 0\nend do",
    "a label nobody jumps to": "a(1) = 0\n10 a(2:n) = 0",
}

NOT_KILLING = {
    "element": "a(1) = 0",
    "index array": "do i = 1, n\n a(k(i)) = 0\nend do",
    "too short": "do i = 2, n\n a(i) = 0\nend do",
    "other bound": "do i = 1, m\n a(i) = 0\nend do",
    "gap": "a(1) = 0\na(3:n) = 0",
    "stride": "do i = 1, n, 2\n a(i) = 0\nend do",
    "scaled": "do i = 1, n\n a(2*i) = 0\nend do",
    "conditional": "do i = 1, n\n if (c > 0) a(i) = 0\nend do",
    "one branch": "if (c > 0) a = 0",
    "cycle": "do i = 1, n\n if (c > 0) cycle\n a(i) = 0\nend do",
    "exit": "do i = 1, n\n a(i) = 0\n if (c > 0) exit\nend do",
    "return": "do i = 1, n\n if (c > 0) return\n a(i) = 0\nend do",
    "goto": "do i = 1, n\n if (c > 0) goto 10\n a(i) = 0\nend do\n10 continue",
    "jumped over": "a(1) = 0\nif (c > 0) goto 10\na(2:m) = 0\n10 a(m+1:n) = 0",
    "zero trips": "do j = 1, m\n a = 0\nend do",
    "where": "where (a > 0) a = 0",
    "changed bound": "n = n - 1\ndo i = 1, n\n a(i) = 0\nend do",
    "bound changed inside": "do i = 1, n\n a(i) = 0\n m = m + 1\nend do\na(m:n) = 0\nn = 2",
    "diagonal": "do i = 1, n\n x(i, i) = 0\nend do",
    "triangle": "do j = 1, m\n do i = 1, j\n x(i, j) = 0\n end do\nend do",
    "select": "select case (m)\ncase (1)\n a = 0\nend select",
    # Elements 1 to 3 and from 6 on: what one end of a section is in a loop's last turn says nothing of the other end.
    "two triangles": "do j = 1, 3\n a(1:j) = 0\nend do\ndo j = 5, 7\n a(j + 1:n) = 0\nend do",
}


@pytest.mark.parametrize("body", KILLING.values(), ids=KILLING)
def test_writes_the_whole_array(body: str) -> None:
    assert kills(body) >= {"a"}


@pytest.mark.parametrize("body", NOT_KILLING.values(), ids=NOT_KILLING)
def test_does_not_write_the_whole_array(body: str) -> None:
    assert not kills(body) & {"a", "x"}


def test_two_dimensions() -> None:
    assert "x" in kills("do j = 1, m\n do i = 1, n\n x(i, j) = 0\n end do\nend do")
    assert "x" in kills("do j = 1, m\n x(:, j) = 0\nend do")
    assert "x" in kills("x(1, :) = 0\nx(2:n, :) = 1")
    border = "do j = 1, m\n x(1, j) = 0\n x(n, j) = 0\n do i = 2, n - 1\n x(i, j) = 1\n end do\nend do"
    assert "x" in kills(border)


READS = {
    "a(1) = 0\nc = a(2)": {"a"},
    "do i = 1, n\n a(i) = c\nend do\nc = a(1)": {"c"},
    "do i = 2, n\n a(i) = a(i - 1)\nend do": {"a"},
    "do i = 1, n\n t(i) = c\n a(i) = t(i)*2\nend do": {"c"},  # what an iteration reads, it wrote itself
    "do i = 1, n\n t(i) = c\n a(i) = t(n)\nend do": {"c", "t"},
    "do i = 1, n\n if (c > 0) t(i) = c\n a(i) = t(i)\nend do": {"c", "t"},
    "do i = 1, n\n t(i) = c\nend do\ndo i = 1, n\n a(i) = t(i)\nend do": {"c"},
    "do i = 1, n\n do j = 1, m\n x(i, j) = c\n a(i) = x(i, j)\n end do\nend do": {"c"},
    "do i = 1, n\n c = x(i, 1)\n x(i, 1) = 0\nend do": {"x"},
    "do i = 1, m\n a(k(i)) = 0\n c = a(k(i))\nend do": {"a", "k"},
    "where (a > 0) t = c\na = t": {"a", "c", "t"},
}


@pytest.mark.parametrize(("body", "expected"), READS.items())
def test_reads_before_writing(body: str, expected: set[str]) -> None:
    found = uses(body)
    local = {"t", "k"}
    assert found == expected - local  # locals of a procedure are nobody else's


CALLEE = "subroutine f(v, k)\ninteger :: k, i\nreal(8) :: v(k)\ndo i = 1, k\n v(i) = 1\nend do\nend subroutine f\n"


def caller(body: str) -> dict[str, set[str]]:
    text = f"subroutine s(a, n, m)\ninteger :: n, m\nreal(8) :: a(n), b(n, 2)\n{body}\nend subroutine s\n"
    return summary(CALLEE + text)


def test_a_call_kills_what_it_gets_whole() -> None:
    assert "a" in caller("call f(a, n)")["kill"]


@pytest.mark.parametrize("body", ["call f(a, m)", "call f(a, n - 1)", "call f(a(2:n), n - 1)", "call f(a(1), n)",
                                  "n = n + 1\ncall f(a, n)", "if (m > 0) call f(a, n)"])
def test_a_call_kills_no_part_of_an_array(body: str) -> None:
    found = caller(body)
    assert "a" not in found["kill"]
    assert "a" in found["out"]


def test_bounds_of_a_callees_arrays_are_read() -> None:
    text = "subroutine f(v, k)\ninteger :: k\nreal(8) :: v(k)\nv = 1\nend subroutine f\n"
    text += "subroutine s(a, n)\ninteger :: n\nreal(8) :: a(n)\ncall f(a, n)\nend subroutine s\n"
    assert "n" in summary(text)["use"]


def test_common_seen_differently() -> None:
    text = """
subroutine f
real(8) :: p(3), q
common /blk/ p, q
p(2) = 1
q = p(3)
end subroutine f
subroutine s
real(8) :: a, b(2), c
common /blk/ a, b, c
call f
a = 0
end subroutine s
"""
    found = summary(text)
    assert found["use"] == {"a", "b"}  # p is one location of f, and lies in both
    assert found["out"] == {"a", "b", "c"}  # p is one location of f: all of a and b may be written
    assert found["kill"] == {"a", "c"}


def test_equivalence_overlaps() -> None:
    text = "subroutine s(y)\nreal(8) :: a(4), b(2), y\nequivalence (a(3), b(1))\nb = 1\ny = a(3)\nend subroutine s\n"
    assert summary(text)["use"] == set()
    text = text.replace("y = a(3)", "y = a(1)").replace("subroutine s(y)\n", "subroutine s(y)\n", 1)
    assert summary(text.replace("real(8) :: a(4)", "real(8), save :: a(4)"))["use"] == {"a"}


def test_a_pointer_may_lead_to_any_target_of_its_type() -> None:
    text = """
subroutine s(p, t, u, i)
real(8), pointer :: p
real(8), target :: t
real(8) :: u
integer, target :: i
p = u
end subroutine s
"""
    found = summary(text)
    assert found["out"] == {"p", "t"}
    assert found["kill"] == set()


def test_a_procedure_without_source_reaches_arguments_and_globals() -> None:
    text = """
module m
real(8) :: g
end module m
subroutine s(a, b)
use m
real(8) :: a, b
call unknown(a)
end subroutine s
"""
    found = summary(text)
    assert found["out"] == {"a", "g"}
    assert found["use"] == {"a", "g"}
    assert found["kill"] == set()


def test_saved_locals_are_the_callees() -> None:
    text = "subroutine f(x)\nreal(8) :: x\nreal(8), save :: k = 1\nk = k*2\nx = k\nend subroutine f\n"
    found = summary(text + "subroutine s(a)\nreal(8) :: a\ncall f(a)\nend subroutine s\n")
    assert found == {"use": {"f::k"}, "out": {"a", "f::k"}, "kill": {"a", "f::k"}}


def test_what_callers_see_of_what_a_procedure_writes() -> None:
    """Not its locals, and not what it only reads."""
    text = "subroutine s(x, y, z)\nreal(8) :: x, y, z, t\nt = x\nif (t > 0) y = t\nif (x > 2) z = y\nend subroutine s\n"
    seen = Models(load_text(text, name="t.f90")).seen["s"]
    assert {seen.space.infos[i].name for i in members(seen.written)} == {"y", "z"}
    assert {seen.space.infos[i].name for i in members(seen.visible)} == {"x", "y", "z"}


def test_components() -> None:
    text = """
module m
type inner
 real(8) :: u, v(3)
end type
type outer
 type(inner) :: p
 type(inner) :: q(2)
 integer :: k
end type
end module m
subroutine s(o, x)
use m
type(outer) :: o
real(8) :: x
o%p%u = 1
o%q(1)%v = 0
x = o%p%v(2) + o%k
end subroutine s
"""
    found = summary(text)
    assert found["use"] == {"o%p%v", "o%k"}
    assert found["out"] == {"o%p%u", "o%q%v", "x"}
    assert found["kill"] == {"o%p%u", "x"}


def test_an_internal_procedure_passed_on_sees_its_hosts_variables() -> None:
    text = """
subroutine s(y)
real(8) :: y, h
call external(inner)
y = h
contains
subroutine inner
h = 1
end subroutine inner
end subroutine s
"""
    assert "y" in summary(text)["out"]
    assert summary(text)["kill"] == {"y"}
    found = model(text, "s")
    (call,) = found.calls
    effect = found.effects[call]
    assert names(found, effect.out) == names(found, effect.use) == {"y", "h"}
    assert (effect.kill, effect.keep, effect.unseen) == (0, True, True)


def test_intent_out_resets_what_is_allocatable() -> None:
    text = ("subroutine s(a, b)\nreal(8), allocatable, intent(out) :: a(:)\nreal(8), intent(out) :: b\n"
            "end subroutine s\n")
    assert summary(text)["out"] == {"a", "a[]"}


def test_a_procedure_without_source_leaves_what_is_intent_in() -> None:
    """Each argument of the caller's that is INTENT(IN), not only all or the first; but not what a pointer leads to."""
    text = """
subroutine s(a, p, n, x)
real(8), intent(in) :: a
real(8), pointer, intent(in) :: p
integer, intent(in) :: n
real(8), intent(inout) :: x
call unknown(a, p, n, x)
end subroutine s
"""
    out = summary(text)["out"]
    assert out >= {"p", "x"}
    assert not out & {"a", "n"}


CELLS = """subroutine s(a, t, c, n, m)
type cell
  real(8) :: u, v(3)
end type
integer :: n, m, i, j
real(8) :: a(n), c
type(cell) :: t(n)
{body}
end subroutine s
"""


@pytest.mark.parametrize(("body", "expected"), [
    # What a turn reads of the component is what it has written itself, of the element its variable selects.
    ("do i = 1, m\n t(i)%u = c\n a(i) = t(i)%u*2\nend do", {"c", "m"}),
    ("do i = 1, m\n t(i)%v(2) = c\n a(i) = t(i)%v(2)\nend do", {"c", "m"}),
    ("do i = 1, m\n t(i)%v = c\n a(i) = t(i)%v(2)\nend do", {"c", "m"}),
    # Another turn's element, or another one of its own.
    ("do i = 2, m\n t(i)%u = c\n a(i) = t(i - 1)%u*2\nend do", {"c", "m", "t%u"}),
    ("do i = 1, m\n t(i)%v(2) = c\n a(i) = t(i)%v(3)\nend do", {"c", "m", "t%v"}),
])
def test_components_of_an_element_are_the_iterations_own(body: str, expected: set[str]) -> None:
    assert summary(CELLS.format(body=body))["use"] - {"n"} == expected


def test_a_call_reads_the_pointer_it_goes_through() -> None:
    text = """
module m
abstract interface
  subroutine work(x)
    real(8), intent(inout) :: x
  end subroutine
end interface
procedure(work), pointer :: p
contains
subroutine one(x)
  real(8), intent(inout) :: x
  x = 2*x
end subroutine
subroutine choose
  p => one
end subroutine
subroutine s(x)
  real(8), intent(inout) :: x
  call p(x)
end subroutine
end module
"""
    assert summary(text, "m::s")["use"] == {"p", "x"}


ASSOCIATING = """
module m
  type node
    real(8), pointer :: v(:)
  end type
contains
  subroutine one(d, w)
    type(node), intent(inout) :: d
    real(8), target, intent(in) :: w(:)
    d%v => w
  end subroutine
  subroutine s(z, x, w, k)
    type(node), intent(inout) :: z, x(2)
    real(8), target, intent(in) :: w(:)
    integer, intent(in) :: k
    call one({passed}, w)
  end subroutine
end module
"""


@pytest.mark.parametrize(("passed", "expected"), [("z", {"z%v=>"}), ("x(k)", set())])
def test_a_call_associates_all_pointers_of_what_it_is_passed_by_name(passed: str, expected: set[str]) -> None:
    """Of an array's elements the other one has its association still: what the caller had made is not lost."""
    assert summary(ASSOCIATING.format(passed=passed), "m::s")["kill"] == expected


@pytest.mark.parametrize("declared", ["real(8) :: r(need(size(a)))", "character(len=need(3)) :: r"])
def test_what_a_function_reads_that_gives_a_result_its_size_is_read(declared: str) -> None:
    """The bounds of results are not lowered to calls: they may read whatever is global."""
    text = ("module m\n implicit none\n integer :: k\ncontains\n pure integer function need(n)\n"
            "  integer, intent(in) :: n\n  need = n + k\n end function\n function f(a) result(r)\n"
            f"  real(8), intent(in) :: a(:)\n  {declared}\n end function\nend module\n")
    assert "k" in summary(text, "m::f")["use"]
