"""Interrupt and resume: any step, again and again, and what a capsule holds then."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.divide.pick import pick
from snapset.analysis.replay.divide.capsule import control_of, take
from snapset.analysis.replay.divide.divide_experiment import DivideOptions, divide
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.divided import PROGRAMS, from_corpus, from_text, outside


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_resumed_run_ends_as_the_whole_one(name: str) -> None:
    """From capsules of what is live alone, in fresh memory undefined otherwise; interrupted again on the way."""
    one, random = from_corpus(name), Random(name)
    machine = one.divided(whole=True)
    walker = machine.begun()
    machine.go(walker, None)
    n, expected = walker.at, outside(one, walker.stack[0].frame)
    assert n == one.steps == machine.steps()
    for _ in range(3):
        first = random.randint(0, n)
        walker = machine.begun()
        machine.go(walker, first)
        nested = machine.walker(machine.take(walker, None))
        assert control_of(nested.stack) == control_of(walker.stack)
        machine.go(nested, random.randint(walker.at, n))
        capsule = machine.take(nested, None)
        again = machine.walker(capsule)
        machine.go(again, None)
        assert again.at == n, "steps of the parts are not those of the whole"
        assert outside(one, again.stack[0].frame) == expected
        assert capsule.data_bytes <= capsule.image.state_bytes


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_steps_are_counted_by_functions_as_by_a_walk(name: str) -> None:
    """Elements; run again, when procedures are functions that first were run node by node."""
    machine = from_corpus(name).divided("elements")
    first = machine.steps()
    machine.counting.patience = 0
    walker = machine.begun()
    machine.go(walker, None)
    assert first == machine.steps() == walker.at


COSTLY = """
subroutine p(n, x, y)
  integer :: n, k, j
  real(8) :: x(n), y, a(n), s(2), small(3)
  logical :: odd(n)
  real(8), allocatable :: grown(:)
  a = x
  y = 0
  k = 0
  do while (k < n)
    k = k + 1
    s = a(1:2)*k
    if (any(s > 1)) s(1) = maxval(a(k:n))
    where (a(:k) > 0.7d0)
      a(:k) = a(:k)*0.5d0
    elsewhere
      a(:k) = a(:k) + 0.1d0
    end where
    forall (j = 1:k) a(j) = a(j)*0.9d0
    small = [s(1), s(2), sum(a)]
    grown = a(:k)
    odd = a > 0.5d0
    call within(a(k:), n - k + 1)
    y = y + sum(small*small) + dot_product(grown, a(:k)) + count(odd)
  end do
contains
  subroutine within(b, m)
    integer :: m, i
    real(8) :: b(m)
    do i = 1, m
      b(i) = sin(b(i)) + sum(b(i:m))/m
    end do
    b = b*b
  end subroutine within
end subroutine p
"""


def test_steps_of_array_statements_by_hand() -> None:
    """All kinds of statements whose cost only the run tells, counted twice; and a few, by hand."""
    for n in (2, 5):
        machine = from_text(COSTLY, "p(x)>(y)", n=n).divided("elements")
        walker = machine.begun()
        machine.go(walker, None)
        assert machine.steps() == walker.at
    short = from_text("subroutine p(x, y)\nreal(8) :: x(7), y, a(7)\na = x*x\nif (any(a > 1)) a(2:4) = 0\n"
                      "y = sum(a)\nend subroutine p\n", "p(x)>(y)", x=2.0)
    assert short.divided("elements").steps() == 7 + 7 + 3 + 7


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_two_hundred_interruptions(name: str) -> None:
    one, random = from_corpus(name), Random(name)
    machine = one.divided(whole=True)
    n = machine.steps()
    walker = machine.begun()
    machine.go(walker, None)
    expected = outside(one, walker.stack[0].frame)
    points = range(n + 1) if n <= 200 else sorted(random.sample(range(n + 1), 200))
    walker = machine.begun()
    for at in points:
        machine.go(walker, at)
        frame = machine.resume(machine.take(walker, None))
        assert outside(one, frame) == expected, at


def test_random_numbers_go_on_where_they_were() -> None:
    one = from_corpus("random")
    machine = one.divided(whole=True)
    n = machine.steps()
    walker = machine.begun()
    machine.go(walker, None)
    expected = outside(one, walker.stack[0].frame)
    for at in range(n):
        walker = machine.begun()
        machine.go(walker, at)
        assert outside(one, machine.resume(machine.take(walker, None))) == expected


LIST = """
subroutine chain(n, x, y)
  type link
    real(8) :: v
    type(link), pointer :: next
  end type link
  integer :: n, k
  real(8) :: x, y
  type(link), pointer :: first, now
  nullify(first)
  do k = 1, n
    allocate(now)
    now%v = x*k
    now%next => first
    first => now
  end do
  y = 0
  now => first
  do while (associated(now))
    y = y + now%v**2
    now => now%next
  end do
end subroutine chain
"""


def test_a_list_of_two_thousand_links_is_resumed() -> None:
    """Deeper than Python's own stack."""
    one = from_text(LIST, "chain(x)>(y)", n=2000)
    machine = one.divided(whole=True)
    walker = machine.begun()
    machine.go(walker, one.steps - 500)
    capsule = machine.take(walker, None)
    resumed = machine.walker(capsule)
    machine.go(walker, None)
    machine.go(resumed, None)
    assert outside(one, resumed.stack[0].frame) == outside(one, walker.stack[0].frame)


HOOKED = """
module m
  abstract interface
    subroutine changing(z)
      real(8), intent(inout) :: z
    end subroutine changing
  end interface
  procedure(changing), pointer :: hook => null()
contains
  subroutine p(x, y)
    real(8) :: x, y, b, s, c(3)
    integer :: k
    k = 2
    b = x
    c = 0.5d0*x
    s = 0.5d0*x
    {first}call outer(s)
    y = s*b + c(k)
    call applied(within, y)
    y = y + k*x
  contains
    subroutine within(v)
      real(8), intent(inout) :: v
      v = v*b*k
      b = sin(b)
      c(k:) = c(k:)*v
    end subroutine within
  end subroutine p
  subroutine applied(g, v)
    procedure(changing) :: g
    real(8), intent(inout) :: v
    call g(v)
    v = 2*v
  end subroutine applied
  subroutine outer(t)
    real(8), intent(inout) :: t
    real(8) :: w
    t = sin(t)
    w = t
    {then}call middle(t)
    t = t*t + w
  contains
    subroutine within(v)
      real(8), intent(inout) :: v
      v = v*w
      w = cos(w)
    end subroutine within
  end subroutine outer
  subroutine middle(t)
    real(8), intent(inout) :: t
    t = 2*t
    call hook(t)
    t = cos(t)
  end subroutine middle
end module m
"""


@pytest.mark.parametrize(("first", "then"), [
    ("hook => within\n", ""), ("", "call applied(within, t)\n    hook => within\n")])
def test_variables_of_hosts_that_procedure_pointers_lead_to(first: str, then: str) -> None:
    """While middle runs, p's b and k, and outer's w, are names of procedures that it does not stand in. In the second
    program applied may call p's procedure where outer calls it, for all that is known, and does not."""
    one = from_text(HOOKED.format(first=first, then=then), "p(x)>(y)")
    machine = one.divided(whole=True)
    walker = machine.begun()
    machine.go(walker, None)
    n, expected = walker.at, outside(one, walker.stack[0].frame)
    for at in range(n + 1):
        walker = machine.begun()
        machine.go(walker, at)
        assert outside(one, machine.resume(machine.take(walker, None))) == expected, at
    found, _, _ = one.gradient(pick(n, 1, log=True), "optimal", "treeverse")
    assert found is not None
    assert found.same(one.expected)


SWEEPS = """
subroutine sweeps(x, y)
  real(8) :: x(50), y, a(50), b(50)
  integer :: k, i
  b = x
  a = x
  do k = 1, 5
    do i = 2, 50
      a(i) = a(i) + a(i - 1)*0.1d0
    end do
  end do
  y = sum(a)
  do k = 1, 5
    do i = 2, 50
      b(i) = b(i)*y + b(i - 1)
    end do
  end do
  y = y + sum(b)
end subroutine sweeps
"""


def test_a_capsule_shrinks_with_its_interval() -> None:
    """b, written before the first loop and read behind it, is not held for an interval within that loop."""
    one = from_text(SWEEPS, "sweeps(x)>(y)")
    machine = one.divided()
    walker = machine.begun()
    machine.go(walker, 200)
    here = control_of(walker.stack)
    later = machine.begun()
    machine.go(later, 300)
    names = [{place.area.name for place in machine.liveness.live(here, end)[0]}
             for end in (control_of(later.stack), None)]
    assert names == [{"a", "i", "k"}, {"a", "b", "i", "k"}]
    short, long = (take(walker, machine.liveness.live(here, end)) for end in (control_of(later.stack), None))
    assert long.data_bytes - short.data_bytes == 400
    assert short.data_bytes == 400 + 8


def test_bytes_by_hand() -> None:
    """In the middle of work, of long_callee: z whole (24 bytes), k, a where it is read still; nothing of the head but
    what work sees, and the y that is written later is not held."""
    one = from_corpus("long_callee")
    machine = one.divided()
    walker = machine.begun()
    machine.go(walker, 2 + 2 + 6 * 10 + 2)
    live = machine.liveness.live(control_of(walker.stack))
    assert [sorted(place.area.name for place in places) for places in live] == [[], ["a", "k", "z"]]
    assert take(walker, live).data_bytes == 24 + 8 + 4


ELEMENTAL = """\
module m
contains
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(5)
  a = x
  {statement}
  y = sum(a)
end subroutine
elemental function noted(u, s) result(r)
  real(8), intent(in) :: u, s
  real(8) :: r
  r = u/(1 + s*s)
  if (r > 0.42d0) r = 0.3d0 + 0.3d0*r
end function
end module
"""


@pytest.mark.parametrize("statement", [
    "a = noted(a, 0.3d0)", "a = noted(2*a, a(2)*a(3))", "where (noted(a, 0.3d0) > 0.31d0) a = a*a"])
def test_what_an_elemental_call_passes_is_kept_for_the_elements_to_come(statement: str) -> None:
    """An expression is evaluated once for all elements; the dummy argument of one of them dies with its run."""
    head = parse_heads("p(x)>(y)")[0]
    result = divide(load_text(ELEMENTAL.format(statement=statement)), head, DivideOptions(leaf=1), Inputs({"n": 5}))
    assert result.runs
    assert result.equal
