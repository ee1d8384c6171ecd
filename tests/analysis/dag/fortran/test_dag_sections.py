"""Graphs from Fortran: sections, values, aliasing, overwrite places."""

from __future__ import annotations

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dag.fortran.level_problem import LevelProblem, level_problem
from snapset.analysis.dag.solvers.solve import Answer, solve
from snapset.analysis.pipeline import prepare as analysed
from snapset.frontend.load import load_text

from tests.support.growth import ends


def level(text: str, head: str) -> LevelProblem:
    (one,) = parse_heads(head)
    analysis = analysed(load_text(text, name="t.f90"), one)
    return level_problem(analysis.adjoints.by_key[analysis.order[0]], 0)


def answer(text: str, head: str) -> Answer:
    return solve(level(text, head).problem)


CHAIN = """\
subroutine s(x, y)
  real(8) :: x, y, t
  t = x
  {body}
  y = t
end subroutine
"""


def test_a_chain_of_nonlinear_assignments_stores_one_value() -> None:
    for n in (2, 3, 10, 60):
        found = answer(CHAIN.format(body="\n  ".join(["t = sin(t)"] * n)), "s(x)>(y)")
        assert found.choice.cost <= 1
        assert found.bounds.statements is not None
        assert found.bounds.statements.cost == n - 1  # x itself nothing overwrites: it restores the first t
        assert found.optimum == found.choice.cost == 0


def test_a_chain_on_the_argument_itself() -> None:
    code = "subroutine s(x)\n  real(8) :: x\n" + "  x = sin(x)\n" * 7 + "end subroutine\n"
    found = answer(code, "s(x)>(x)")
    assert found.optimum == found.choice.cost == 1
    assert found.bounds.statements is not None
    assert found.bounds.statements.cost == 6  # nothing needs the last x: its assignment does not run


FIG2 = """\
subroutine s(a, b, q)
  real(8) :: a, b, o, p, q
  o = sin(a)
  p = cos(b)
  q = o*p
end subroutine
"""


def test_figure_2() -> None:
    found = level(FIG2, "s(a,b)>(q)")
    (graph,) = found.problem.graphs
    assert graph.required == {"∂q from 5/∂a at 3", "∂q from 5/∂b at 4"}
    assert {a for a, b in graph.edges if b == "q from 5"} == {"o from 3", "p from 4"}
    assert found.sections[0].statements == 3
    assert found.problem.overwrites["a at 3"] == frozenset()
    assert answer(FIG2, "s(a,b)>(q)").choice.cost == 0


ALIASED = """\
subroutine s(a, i, j, y)
  real(8) :: a(10), y
  integer :: i, j
  a(i) = sin(a(i))
  y = a(j)*a(i)
end subroutine
"""


def test_an_element_under_another_name_splits_the_section() -> None:
    found = level(ALIASED, "s(a)>(y)")
    assert [s.statements for s in found.sections] == [1, 1]
    assert found.problem.overwrites["a(i) at 4"] == {"a@4"}
    assert {"i at 4"} <= found.problem.graphs[0].required


def test_the_same_element_does_not() -> None:
    found = level(ALIASED.replace("a(j)*a(i)", "a(i)*a(i)"), "s(a)>(y)")
    assert [s.statements for s in found.sections] == [2]


def test_a_changed_subscript_names_another_element() -> None:
    text = ALIASED.replace("  y = a(j)*a(i)", "  i = i + 1\n  y = a(i)*a(i)")
    found = level(text, "s(a)>(y)")
    assert [s.statements for s in found.sections] == [2, 1]
    assert "i@5" in found.problem.overwrites["i at 4"]


LOOP = """\
subroutine s(x, c, n)
  integer :: n, k
  real(8) :: x, c(n), t
  do k = 1, n
    t = c(k)*x
    x = sin(t)
  end do
end subroutine
"""


def test_a_loops_body_is_overwritten_by_its_next_iteration() -> None:
    found = level(LOOP, "s(x)>(x)")
    flat = [s for s in found.sections if s.flattened]
    assert [s.statements for s in flat] == [2]
    assert found.problem.overwrites["t from 5"] == {"t@5"}
    assert found.problem.overwrites["x at 5"] == {"x@6"}
    assert found.problem.overwrites["k at 5"] == frozenset()  # regenerated


BRANCH = """\
subroutine s(x, y, flag)
  logical :: flag
  real(8) :: x, y
  y = x*x
  if (flag) then
    x = 1d0
  else
    x = 2d0
  end if
  x = x*y
end subroutine
"""


def test_places_on_both_branches() -> None:
    found = level(BRANCH, "s(x)>(x,y)")
    assert found.problem.overwrites["x at 4"] == {"x@6", "x@8"}
    assert answer(BRANCH, "s(x)>(x,y)").choice.cost == 1  # the value or the partial, not both branches


def test_what_is_not_flattened_is_required_whole() -> None:
    text = "subroutine s(a, b)\n  real(8) :: a(5), b(5)\n  b = a*b\n  b = b*b\nend subroutine\n"
    found = level(text, "s(a,b)>(b)")
    assert [s.flattened for s in found.sections] == [False, False]
    assert {name: set(places) for name, places in found.problem.overwrites.items()} == {
        "a at 3": set(), "b at 3": {"b@3"}, "b at 4": set()}
    assert answer(text, "s(a,b)>(b)").choice.cost == 1


def test_coupled_model_stores_partials() -> None:
    # CLU Fig. 3: q' = f1(q, p), p' = f2(p), p passive: the partial instead of the state (q, p).
    text = """\
subroutine step(q, p)
  real(8) :: q, p
  q = sin(q*p)*p + q*p*p
  p = cos(p)
  q = sin(q*p)*p + q*p*p
end subroutine
"""
    found = answer(text, "step(q)>(q)")
    assert found.choice.cost == found.optimum == 1
    assert found.choice.U
    assert found.bounds.tbr.cost == 2


def test_an_element_in_memory_needs_its_subscript() -> None:
    text = """\
subroutine s(x, c, i)
  integer :: i
  real(8) :: x, c(9)
  x = c(i)*x
  i = 3
  x = c(i)*x
end subroutine
"""
    found = level(text, "s(x)>(x)")
    assert [s.statements for s in found.sections] == [3]
    assert {"i at 4"} <= found.problem.graphs[0].required
    assert found.problem.overwrites["i at 4"] == {"i@5"}
    assert found.problem.overwrites["i from 5"] == frozenset()  # a constant


def test_constants_are_no_vertices() -> None:
    text = """\
subroutine s(x, y)
  real(8), parameter :: p = 2d0, q = 3d0
  real(8) :: x, y
  y = p*x*q + p*q
end subroutine
"""
    assert not level(text, "s(x)>(y)").problem.graphs


def test_one_operand_twice() -> None:
    text = "subroutine s(x, y)\n  real(8) :: x, y\n  x = 2d0*x\n  y = {}\nend subroutine\n"
    assert not level(text.format("x + x"), "s(x)>(y)").problem.graphs  # a constant derivative
    (graph,) = level(text.format("x*x"), "s(x)>(y)").problem.graphs
    assert ("x from 3", "∂y from 4/∂x from 3") in graph.edges


def test_complex_arithmetic_is_not_flattened() -> None:
    text = """\
subroutine s(x, y)
  real(8) :: x, y
  y = real(cmplx(x, x, 8)*cmplx(x, 1d0, 8), 8)*x
end subroutine
"""
    found = level(text, "s(x)>(y)")
    assert [s.flattened for s in found.sections] == [False]
    assert found.problem.graphs[0].required == {"x at 3"}


def test_a_forall_reads_all_before_it_writes() -> None:
    text = """\
subroutine s(a)
  real(8) :: a(9)
  integer :: i
  forall (i = 2:9) a(i) = a(i - 1)*a(i)
end subroutine
"""
    assert [s.flattened for s in level(text, "s(a)>(a)").sections] == [False]


INDICES = """\
subroutine s(x, ix, k)
  integer :: ix(4), k, i
  real(8) :: x(4)
  x(1) = sin(x(1))*x(ix(2))
  i = ix(3)
  {write}
  x(ix(3)) = sin(x(ix(3)))*x(i)
  ix(k) = 2
  x(1) = x(ix(3))*x(ix(2))
end subroutine
"""


def test_an_address_is_never_sought_in_what_it_addresses() -> None:
    # To know i again takes ix(3); to know whether ix(i) = 1 hit that takes i.
    found = level(INDICES.format(write="ix(i) = 1"), "s(x)>(x)")
    assert [(s.first.line, s.statements) for s in found.sections] == [(4, 2), (6, 1), (7, 1), (8, 1), (9, 1)]
    assert found.problem.overwrites["ix(2) at 4"] == {"ix@6", "ix@8"}
    assert "i at 6" in found.problem.graphs[1].required  # the address of that place
    found = level(INDICES.format(write="ix(ix(3)) = 1"), "s(x)>(x)")
    assert found.problem.overwrites["ix(2) at 4"] == {"ix@6", "ix@8"}
    assert "s@6" not in {g.name for g in found.problem.graphs}  # that place keeps its own address


def test_a_place_that_may_put_back_requires_its_address() -> None:
    text = """\
subroutine s(x, ix, k)
  integer :: ix(4), k
  real(8) :: x(4)
  x(ix(3)) = sin(x(ix(3)))
  ix(k) = 2
  k = 3
  x(k) = x(ix(3))*x(ix(2))
end subroutine
"""
    found = level(text, "s(x)>(x)")
    assert found.problem.overwrites["ix(3) at 4"] == {"ix@5"}
    assert "k at 5" in next(g for g in found.problem.graphs if g.name == "s@5").required
    assert found.problem.overwrites["k at 5"] == {"k@6"}


def test_elements_told_apart_by_numbers() -> None:
    text = """\
subroutine s(a, i, y)
  real(8) :: a(9), y
  integer :: i
  a(1) = sin(a(1))*a(i)
  a(2) = sin(a(2))*a(1)
  a(1) = cos(a(2))*a(1)
  y = a(1)*a(2)
end subroutine
"""
    found = level(text, "s(a)>(y)")
    assert [s.statements for s in found.sections] == [4]  # a(i) is read before any element is written
    assert found.problem.overwrites["a(1) at 4"] == {"a@4"}
    assert found.problem.overwrites["a(2) at 5"] == {"a@5"}
    assert found.problem.overwrites["a(2) from 5"] == frozenset()
    assert found.problem.overwrites["a(i) at 4"] == {"a@4", "a@5", "a@6"}
    assert [s.statements for s in level(text.replace("*a(2)\n", "*a(i)\n"), "s(a)>(y)").sections] == [3, 1]


def test_elements_told_apart_by_a_difference() -> None:
    text = """\
subroutine s(a, i, ix, y)
  real(8) :: a(9), y
  integer :: i, ix(9)
  a(i) = sin(a(i + 1))
  a(i + 1) = sin(a(ix(i)))
  {}
  y = a(i)*a(i + 1)
end subroutine
"""
    def statements(between: str) -> list[int]:
        return [s.statements for s in level(text.format(between), "s(a)>(y)").sections]

    assert statements("") == [1, 2]  # a(ix(i)) may be a(i)
    assert statements("a(1 + i - 2) = a(i + 1)*a(i)") == [1, 3]
    assert statements("i = i + 1") == [1, 2, 1]  # a(i) then is an element under another name


def test_an_index_that_is_an_operand_too_is_required_as_an_index() -> None:
    text = """\
subroutine s(x, c, ix, k, y)
  integer :: k, ix(9)
  real(8) :: x, y, c(9)
  y = x**k*c(ix(k))
  k = 3
  y = y*x**k
end subroutine
"""
    found = level(text, "s(x)>(y)")
    assert {"k at 4", "ix(k) at 4"} <= found.problem.graphs[0].required


def test_an_assignment_through_a_pointer_is_one_place() -> None:
    text = """\
subroutine s(x, y)
  real(8) :: x, y
  real(8), target :: a(2), b(2)
  real(8), pointer :: p(:)
  a = x
  b = x*x
  p => a
  if (x > 1d0) p => b
  y = a(1)*b(1)
  p(1) = y
  y = y*p(1)*b(2)
end subroutine
"""
    found = level(text, "s(x)>(y)")
    assert {found.problem.overwrites[v] for v in ("a at 9", "b at 9")} == {frozenset({"p@10"})}


def test_partials_that_are_signs_take_a_byte() -> None:
    text = "subroutine s(x, z, y)\n  real(8) :: x, y, z\n  y = max(x, z)*0.5d0 + abs(x) + sin(x)\nend subroutine\n"
    (flat,) = level(text, "s(x)>(y)").flattened
    assert {name for name in flat.narrow if name.endswith("∂x at 3")} == {"∂y from 3.3/∂x at 3", "∂y from 3.4/∂x at 3"}


def test_subscripts_within_subscripts_cost_no_more_than_their_number() -> None:
    """A name made of the text of what is in it doubles with each of its quotes."""
    value = "x(1)"
    for _ in range(24):
        value = f"b(int({value}))"
    code = f"subroutine s(x, y)\n  real(8) :: x(2), y, b(9)\n  b = 1\n  y = {value}*x(2)\n  x(1) = y*y\nend\n"
    with ends():
        assert answer(code, "s(x)>(y)").choice.cost == 0
