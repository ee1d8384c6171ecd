"""use, out and kill of single statements, exactly: each line says what it reads -> may write ! certainly writes whole.

Behind that ``keep`` where it runs whatever it is for, ``unseen`` where it changes more than memory, and ``shaped:``
whose allocation or association it changes. ``p``, ``q`` and ``r`` may lead to one another's memory; ``al[]`` is the
allocation of ``al``, ``q=>`` the association of ``q``. Several evaluations of a line stand one after another.
"""

from __future__ import annotations

import pytest

from tests.support.modelled import effects_at, model

HEAD = """subroutine s(a, b, x, y, n, m, k, p, q, r, al, be, t, ch, arr)
implicit none
type cell
  real(8) :: u, v(3)
  integer :: c
end type
integer :: n, m, k(10), i
real(8) :: a(10), b(10), x, y, arr(n, 3)
real(8), pointer :: p, q(:), r(:)
real(8), allocatable :: al(:), be(:)
type(cell) :: t(4)
character(20) :: ch
logical :: l
"""
TARGETS = "p q r"  # what a pointer leads to
ALL = "p p=> q q=> r r=>"  # and all that a value read through one may come from

ASSIGNMENTS = {
    "x = y": ["y -> x ! x"],
    "x = x*y + x": ["x y -> x ! x"],
    "a = b": ["b -> a ! a"],
    "a(n) = b(k(m))*x": ["b k m n x -> a !"],
    "a(2:n) = x": ["n x -> a !"],
    "a(k(1:3)) = y": ["k y -> a !"],
    "arr = x": ["x -> arr ! arr"],
    "arr(n, :) = x": ["n x -> arr !"],
    "x = sum(a(n:m))": ["a m n -> x ! x"],
    "t(m)%u = t(n)%v(k(2))": ["k m n t%v -> t%u !"],
    "t(2)%v(:) = x": ["x -> t%v !"],
    "t%u = x": ["x -> t%u ! t%u"],
    "t = t": ["t%c t%u t%v -> t%c t%u t%v ! t%c t%u t%v"],
    "t(n) = t(m)": ["m n t%c t%u t%v -> t%c t%u t%v !"],
    "ch(n:m) = 'a'": ["m n -> ch !"],
    "q(n) = x": [f"n q=> x -> {TARGETS} !"],
    "p = x": [f"p=> x -> {TARGETS} !"],
    "al(n) = x": ["al[] n x -> al !"],
    "al(:) = b": ["al[] b -> al ! al"],
    "al = x": ["al[] x -> al ! al"],
    "al = b": ["al[] b -> al al[] ! al al[] keep shaped: al"],
    "x = al(1)": ["al al[] -> x ! x"],
    "x = size(al) + size(arr)": ["al[] -> x ! x"],
    "where (a > x) b = y": ["a x -> !", "a x y -> b !"],
}
BRANCHES = {
    "if (a(n) > x) y = x": ["a n x -> !", "x -> y ! y"],
    "if (allocated(al)) x = 1": ["al[] -> !", "-> x ! x"],
    "if (associated(q)) x = 1": [f"{ALL} -> !", "-> x ! x"],
    "do while (x > a(n)); x = x + y; end do": ["a n x -> !"],
    "select case (k(n)); case (1); x = y; end select": ["k n -> !"],
    "do i = n, m, k(1); a(i) = x; end do": ["k m n -> i ! i", "i -> i ! i"],
    # The index of these two lives in the construct: nothing outside sees it written.
    "do concurrent (i = n:m); a(i) = x; end do": ["m n -> ! i@14", "i@14 -> ! i@14"],
    "forall (i = n:m, a(i) > y) b(i) = x": ["m n -> ! i@14", "i@14 -> ! i@14", "a i@14 y -> !", "i@14 x -> b !"],
    "stop": [],
}
INPUT_OUTPUT = {
    "read (1) x, a, a(n), t(m)": ["m n -> a t%c t%u t%v x ! a x keep unseen"],
    "read (1) (a(i), i = n, m)": ["i m n -> a i ! i keep unseen"],  # the loop itself writes i
    "read (1) (a(i), b(k(m)), i = 1, 10, n)": ["i k m n -> a b i ! i keep unseen"],
    "read *, x, a": ["-> a x ! keep unseen"],  # a null value in the input leaves an item as it was
    "read (1, iostat=n) x": ["-> n x ! keep unseen"],
    "read (ch, *) x": ["ch -> x !"],
    "write (ch, *) x": ["x -> ch ! ch"],
    "write (*, *) x, a(n)": ["a n x -> !"],
    "open (n)": ["n -> ! keep unseen"],
    "rewind (m)": ["m -> ! keep unseen"],
    "inquire (unit=n, exist=l)": ["n -> l ! keep unseen"],
}
MEMORY = {
    "allocate (al(n:m))": ["al[] m n -> al al[] ! al al[] keep shaped: al al[]"],
    "allocate (al(n), stat=m)": ["al[] n -> al al[] m ! keep shaped: al al[]"],
    "allocate (al, source=b)": ["al[] -> al al[] ! al al[] keep shaped: al al[]", "al[] b -> al ! al"],
    "allocate (al(n), be(m))": ["al[] be[] m n -> al al[] be be[] ! al al[] be be[] keep shaped: al al[] be be[]"],
    "allocate (q(n))": [f"n -> p q q=> r ! q=> keep shaped: {TARGETS} q=>"],
    "allocate (q, mold=r)": [f"r=> -> p q q=> r ! q=> keep shaped: {TARGETS} q=>"],
    "deallocate (al)": ["al[] -> al al[] ! al al[] keep shaped: al al[]"],
    "deallocate (al, be)": ["al[] be[] -> al al[] be be[] ! al al[] be be[] keep shaped: al al[] be be[]"],
    "deallocate (al, stat=n)": ["al[] -> al al[] n ! al al[] keep shaped: al al[]"],
    "deallocate (q)": [f"q=> -> p q q=> r ! q=> keep shaped: {TARGETS} q=>"],
    "nullify (q)": ["-> q=> ! q=> keep shaped: q=>"],
    "nullify (p, q)": ["-> p=> q=> ! p=> q=> keep shaped: p=> q=>"],
    "q => r": [f"{ALL} -> q=> ! q=> keep shaped: q=>"],
    "q => r(n:)": [f"n {ALL} -> q=> ! q=> keep shaped: q=>"],
    "q(m:) => r": [f"m {ALL} -> q=> ! q=> keep shaped: q=>"],
    "p => r(n)": [f"n {ALL} -> p=> ! p=> keep shaped: p=>"],
}
INTRINSICS = {
    "call random_number(a)": ["-> a ! a keep unseen"],
    "call random_number(a(n))": ["n -> a ! keep unseen"],
    "call system_clock(n)": ["-> n ! n keep"],
    "call move_alloc(al, be)": ["al al[] be be[] -> al al[] be be[] ! keep shaped: al be"],
    "call nowhere(x, a(n), 2*y + k(m))": ["a k m n x y -> a x ! keep unseen"],
}
CASES = ASSIGNMENTS | BRANCHES | INPUT_OUTPUT | MEMORY | INTRINSICS


def ordered(text: str) -> str:
    """The names on each side of the signs in order; ``shaped:`` among them."""
    left, _, right = text.partition("->")
    out, _, rest = right.partition("!")
    kill, sign, shaped = rest.partition("shaped:")
    return " ".join((*sorted(left.split()), "->", *sorted(out.split()), "!", *kill.split(),
                     *([sign] if sign else []), *sorted(shaped.split())))


@pytest.mark.parametrize("statement", CASES)
def test_a_statements_sets(statement: str) -> None:
    text = f"{HEAD}{statement.replace('; ', chr(10))}\nend subroutine s\n"
    found = effects_at(model(text, "s"), HEAD.count("\n") + 1)
    assert [ordered(one) for one in found] == [ordered(one) for one in CASES[statement]]


def test_a_statement_that_nobody_can_read_does_anything() -> None:
    found = model("subroutine s(x, n)\nreal(8) :: x\ninteger :: n\nread (n) 2*x\nend subroutine s\n", "s")
    assert effects_at(found, 4) == ["n x -> n x ! keep unseen shaped: n x"]
    assert (found.summary.unseen, found.summary.kill) == (True, 0)
