"""Whole programs: files together, arguments bound, regions given by lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.interprocedural.call_graph import bottom_up, call_graph, reachable
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.pretty_print import expr, show
from snapset.frontend.load import load_program, mark_lines

from tests.support.frontend.lowered import expected, program, shown

CALLS = """
subroutine top(x)
  call left(x)
  call right(x)
end
subroutine left(x)
  x = leaf(x)
end
subroutine right(x)
  if (x > 0) call right(x)
  call left(x)
end
real function leaf(x)
  leaf = x
end
subroutine alone
end
"""


def test_the_call_graph_has_function_references_too() -> None:
    graph = call_graph(program(CALLS))
    assert graph == {"top": ("left", "right"), "left": ("leaf",), "right": ("right", "left"), "leaf": (), "alone": ()}
    assert set(reachable(program(CALLS), "top")) == {"top", "left", "right", "leaf"}


def test_callees_come_first() -> None:
    order = bottom_up(program(CALLS), "top")
    assert [set(group) for group in order] == [{"leaf"}, {"left"}, {"right"}, {"top"}]


def test_procedures_that_call_each_other_are_one_group() -> None:
    text = "subroutine a\ncall b\nend\nsubroutine b\ncall a\nend"
    assert bottom_up(program(text), "a") == (("a", "b"),)


def test_files_in_any_order(tmp_path: Path) -> None:
    user, module = tmp_path / "user.f90", tmp_path / "module.f90"
    user.write_text("subroutine s(x)\nuse m\nx = y\ncall t(x)\nend\n")
    module.write_text("module m\nreal :: y\ncontains\nsubroutine t(x)\nx = 1\nend subroutine\nend module\n")
    found = load_program([str(user), str(module)])
    assert show(found.procedures["s"]) == "x = y\ncall t(x) -> m::t"
    assert found.procedures["s"].variables["y"].area == ir.Area("module", "m", "y")


def test_two_procedures_of_one_name(tmp_path: Path) -> None:
    for name in ("one.f90", "two.f90"):
        (tmp_path / name).write_text("subroutine s\nend\n")
    with pytest.raises(InputError, match=r"`s` is defined twice, first at .*one\.f90:1"):
        load_program([str(tmp_path / "one.f90"), str(tmp_path / "two.f90")])


def _bound(call: str) -> list[str | None]:
    text = f"""
    subroutine s(x, y)
      call t({call})
    end
    subroutine t(a, *, b, c)
      real, optional :: c
    end
    """
    found = program(text)
    stmt = found.procedures["s"].body[0]
    assert isinstance(stmt, ir.Call)
    return [None if value is None else expr(value) for value in bind(stmt, found.procedures["t"])]


@pytest.mark.parametrize(
    ("call", "values"),
    [
        ("x, *10, y", ["x", "y", None]),
        ("x, y, 1.0", ["x", "y", "1.0"]),
        ("x, c=y, b=x", ["x", "x", "y"]),
        ("b=x, a=y", ["y", "x", None]),
    ],
)
def test_actual_arguments_are_bound(call: str, values: list[str | None]) -> None:
    assert _bound(call) == values


@pytest.mark.parametrize("call", ["x", "x, y, x, y", "x, y, d=x", "x, a=y"])
def test_arguments_that_do_not_fit(call: str) -> None:
    with pytest.raises(BindError):
        _bound(call)


LOOP = """\
subroutine s(a, x, n)
  real :: a(n), x
  x = 0
  do i = 1, n
    a(i) = x
    x = x + f(a(i)) &
        + 1
  end do
  if (x > 0) then
    x = 1
  else
    x = 2
  end if
end
"""


@pytest.mark.parametrize(
    ("first", "last", "tree"),
    [
        (3, 8, "marked\n  x = 0\n  do i = 1, n"),
        (4, 8, "x = 0\nmarked\n  do i = 1, n"),
        (5, 5, "x = 0\ndo i = 1, n\n  marked\n    a(i) = x"),
        (6, 7, "  marked\n    f@6 = call f(a(i))\n    x = ((x + f@6) + 1)"),
        (12, 12, "else\n  marked\n    x = 2"),
        (9, 14, "marked\n  if (x > 0)\n    x = 1\n  else\n    x = 2"),
    ],
)
def test_lines_become_a_part(first: int, last: int, tree: str) -> None:
    marked = mark_lines(program(LOOP), "x.f90", first, last)
    assert tree in show(marked.procedures["s"])


@pytest.mark.parametrize(("first", "last"), [(3, 5), (5, 9), (5, 8), (4, 6), (10, 12), (9, 10), (6, 6), (7, 7)])
def test_lines_that_are_not_whole_statements(first: int, last: int) -> None:
    with pytest.raises(InputError, match="not whole statements of one block"):
        mark_lines(program(LOOP), "x.f90", first, last)


@pytest.mark.parametrize(
    ("file", "first", "last", "message"),
    [
        ("x.f90", 1, 2, "hold no executable statement"),
        ("x.f90", 5, 4, "after its last"),
        ("y.f90", 3, 3, "none of the files"),
        (".f90", 3, 3, "none of the files"),
    ],
)
def test_regions_that_cannot_be(file: str, first: int, last: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        mark_lines(program(LOOP), file, first, last)


def test_generics_are_resolved_by_type_kind_and_rank() -> None:
    text = """
    module m
      interface put
        module procedure one, two, three
      end interface
    contains
      subroutine one(x)
        real :: x
      end subroutine
      subroutine two(x)
        real(8) :: x
      end subroutine
      subroutine three(x, n)
        integer :: n
        real :: x(n)
      end subroutine
      subroutine s(a, b, c, n)
        real :: a, c(n)
        real(8) :: b
        call put(a)
        call put(b)
        call put(c, n)
        call put(u())
      end subroutine
    end module
    """
    assert shown(text, "m::s").splitlines()[:3] == [
        "call put(a) -> m::one",
        "call put(b) -> m::two",
        "call put(c, n) -> m::three",
    ]


TYPES = """
module shapes
  type :: shape
    real :: size
  contains
    procedure :: grow => grow_shape
    procedure, nopass :: unit
    procedure :: area
  end type
  type, extends(shape) :: square
    real :: side
  contains
    procedure :: grow => grow_square
  end type
contains
  subroutine grow_shape(self, by)
    class(shape) :: self
    real :: by
  end subroutine
  subroutine grow_square(self, by)
    class(square) :: self
    real :: by
  end subroutine
  subroutine unit(x)
    real :: x
  end subroutine
  real function area(self)
    class(shape) :: self
    area = self%size
  end function
  subroutine s(a, b, x)
    class(shape) :: a
    class(square) :: b
    real :: x
    call a%grow(x)
    call b%grow(by=x)
    call a%unit(x)
    x = b%area() + b%shape%size
    b%shape = square(1.0, 2.0)
  end subroutine
end module
"""


def test_type_bound_calls_run_the_declared_binding_or_an_override() -> None:
    assert shown(TYPES, "shapes::s") == expected("""
        call grow(a, x) -> shapes::grow_shape, shapes::grow_square
        call grow(b, by=x) -> shapes::grow_square
        call unit(x) -> shapes::unit
        area@38 = call area(b) -> shapes::area
        x = (area@38 + b%size)
        b = square(1.0, 2.0)
    """)


OPERATORS = """
module numbers
  type :: num
    real :: v
  end type
  interface operator(+)
    module procedure plus
  end interface
  interface operator (.lt.)
    module procedure less
  end interface
  interface operator(.dot.)
    module procedure dot
  end interface
  interface assignment(=)
    module procedure set
  end interface
contains
  type(num) function plus(a, b)
    type(num), intent(in) :: a, b
  end function
  logical function less(a, b)
    type(num), intent(in) :: a, b
  end function
  real function dot(a, b)
    type(num), intent(in) :: a, b
  end function
  subroutine set(a, b)
    type(num), intent(out) :: a
    real, intent(in) :: b
  end subroutine
  subroutine s(a, b, x)
    type(num) :: a, b
    real :: x
    a = a + b
    x = (a .dot. b) + x
    a = x
    if (a < b) x = 0
  end subroutine
end module
"""


def test_defined_operators_and_assignment_are_calls() -> None:
    assert shown(OPERATORS, "numbers::s") == expected("""
        +@35 = call +(a, b) -> numbers::plus
        a = +@35
        dot@36 = call dot(a, b) -> numbers::dot
        x = (dot@36 + x)
        call assignment(=)(a, (+x)) -> numbers::set
        <@38 = call <(a, b) -> numbers::less
        if <@38
          x = 0
    """)


def test_an_entry_is_a_procedure_that_begins_in_the_middle() -> None:
    text = "subroutine s(x)\nx = 1\nentry t(y)\ny = 2\nend\nsubroutine u(z)\ncall t(z)\nend"
    found = program(text)
    assert show(found.procedures["s"]) == "x = 1\n100003: continue\ny = 2"
    assert show(found.procedures["t"]) == "goto 100003\nx = 1\n100003: continue\ny = 2"
    assert show(found.procedures["u"]) == "call t(z)"
    areas = {name: (v.area.kind, v.area.owner) for name, v in found.procedures["t"].variables.items()}
    assert areas == {"x": ("local", "t"), "y": ("formal", "t")}
    assert not found.diagnostics


@pytest.mark.parametrize("first", ["function s(x)\ns = x", "subroutine s(x)\nx = 1"])
def test_an_entry_beside_internal_procedures_has_its_own_copies_of_them(first: str) -> None:
    """What they share with their host is the variable of whichever of the two called them."""
    found = program(f"{first}\nentry t(x)\ncall i\ncontains\nsubroutine i\nx = 2\nend subroutine\nend")
    assert not found.diagnostics
    for key in ("s", "t"):
        assert f"call i() -> {key}::i" in show(found.procedures[key])
        inner = found.procedures[f"{key}::i"]
        assert (inner.host, inner.variables["x"].area.owner) == (key, key)


def test_dummy_procedures_have_no_targets() -> None:
    text = "subroutine s(f, x)\nexternal f\ncall f(x)\nend\nsubroutine f(x)\nend"
    stmt = program(text).procedures["s"].body[0]
    assert isinstance(stmt, ir.Call)
    assert stmt.targets == ()


def test_block_has_variables_of_its_own() -> None:
    text = """
    subroutine s(x, n)
      real :: x
      block
        real :: x(n), y
        x(1) = 1
        y = x(1)
      end block
      x = 2
    end
    """
    assert shown(text) == expected("""
        scope
          automatic deallocate x@4
          automatic allocate x@4(n)
          x@4(1) = 1
          y@4 = x@4(1)
        x = 2
    """)


@pytest.mark.parametrize(("change", "done"), [
    ("p => b", "p => b"), ("nullify (p)", "nullify p"), ("call f(p)", "call f(p)")])  # fmt: skip
def test_an_associate_name_stays_with_its_target(change: str, done: str) -> None:
    text = f"""
    subroutine s(a, b)
      real, target :: a, b
      real, pointer :: p
      p => a
      associate (q => p)
        {change}
        q = 1
      end associate
    end
    """
    assert shown(text) == expected(f"""
        p => a
        q@6 => p
        scope
          {done}
          q@6 = 1
    """)


def test_select_type_narrows_the_selector() -> None:
    select = "select type (a)\ntype is (square)\na%side = 1\nclass default\nx = 0\nend select"
    text = TYPES.replace("call a%unit(x)", select)
    assert "select a\ncase\n  a%side = 1\ncase default\n  x = 0" in shown(text, "shapes::s")
