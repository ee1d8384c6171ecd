"""Program units: headers, CONTAINS, interfaces, types, END."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.reading.unreadable_units import refuse

from tests.support.frontend.reading_help import body, shape, units


def shapes(text: str) -> list[object]:
    return [shape(unit) for unit in units(text)]


@pytest.mark.parametrize(
    ("header", "kind", "name"),
    [
        ("program p", "program", "p"),
        ("subroutine s", "subroutine", "s"),
        ("subroutine s(a, *)", "subroutine", "s"),
        ("recursive subroutine s(a) bind(c, name='S')", "subroutine", "s"),
        ("pure elemental subroutine s(a)", "subroutine", "s"),
        ("function f(x)", "function", "f"),
        ("real function f(x) result(y)", "function", "f"),
        ("real(kind=selected_real_kind(15, 307)) function f(x)", "function", "f"),
        ("real*8 function f(x)", "function", "f"),
        ("doubleprecision function f(x)", "function", "f"),
        ("character*(*) function f(x)", "function", "f"),
        ("character(len=*) pure function f(x)", "function", "f"),
        ("impure elemental type(t) function f(x)", "function", "f"),
        ("class(t) function f(x)", "function", "f"),
        ("module m", "module", "m"),
        ("submodule (m) sub", "submodule", "sub"),
        ("submodule (m:parent) sub", "submodule", "sub"),
        ("block data", "block data", ""),
        ("blockdata b", "block data", "b"),
    ],
)
def test_headers(header: str, kind: str, name: str) -> None:
    assert shapes(f"{header}\nend\n") == [(kind, name)]


def test_every_unit_of_a_file_in_order() -> None:
    assert shapes("subroutine a\nend\nfunction b()\nend function\nprogram c\nend program c\n") == [
        ("subroutine", "a"), ("function", "b"), ("program", "c")]


def test_main_program_without_program_statement_loses_no_other_unit() -> None:
    """fparser returns the main program only."""
    before, main, after = units("subroutine a\nend\nx = 1\ncall a\nend\nsubroutine b\nend\n")
    assert [shape(before), shape(main), shape(after)] == [("subroutine", "a"), ("program", "main"), ("subroutine", "b")]
    assert main.header is None
    assert body(main) == ["x = 1", "call a"]


def test_contains_nests() -> None:
    text = """
module m
  integer :: k
contains
  subroutine a
    call b
  contains
    subroutine b
    end subroutine b
  end subroutine a
  function c()
  end function
end module m
"""
    (unit,) = units(text)
    assert shape(unit) == ("module", "m", [("subroutine", "a", [("subroutine", "b")]), ("function", "c")])
    assert body(unit) == ["integer :: k"]
    assert unit.end.text == "end module m"


def test_interface_bodies_are_no_units() -> None:
    text = """
subroutine s(f)
  interface
    subroutine f(x)
      real x
    end subroutine
    real function g()
    end
  end interface
  abstract interface
    function h()
    end function h
  end interface
  interface operator(+)
    module procedure plus
  end interface operator(+)
  x = 1
end
"""
    (unit,) = units(text)
    assert shape(unit) == ("subroutine", "s")
    assert body(unit)[-1] == "x = 1"
    assert "subroutine f(x)" in body(unit)
    assert "end" in body(unit)


def test_types_with_bound_procedures_and_their_contains() -> None:
    text = """
module m
  type, extends(t) :: u
    integer i
  contains
    procedure :: run
  end type u
  type v
  end type
contains
  subroutine run
  end subroutine
end module
"""
    (unit,) = units(text)
    assert shape(unit) == ("module", "m", [("subroutine", "run")])


def test_other_ends_close_no_unit() -> None:
    text = """
subroutine s
  enum, bind(c)
    enumerator :: a = 1
  end enum
  block
  end block
  associate (x => y)
  end associate
  select type (p)
  type is (real)
  end select
  do i = 1, 2
  end do
  critical
  end critical
end
"""
    (unit,) = units(text)
    assert unit.end.text == "end"
    assert len(unit.items) == 14


def test_module_procedure_bodies_of_submodules() -> None:
    inner = "module procedure p\nx = 1\nend procedure p\nmodule function q()\nend\n"
    (unit,) = units(f"submodule (m) s\ncontains\n{inner}end submodule")
    assert shape(unit) == ("submodule", "s", [("subroutine", "p"), ("function", "q")])
    assert unit.contains[0].header is not None
    assert unit.contains[0].header.text == "module procedure p"


def test_variables_named_like_headers() -> None:
    (unit,) = units("program p\nsubroutine = 1\nfunction(1) = 2\nmodule = 3\nend = 4\ncontains = 5\ninterface = 6\nend")
    assert len(unit.items) == 6


def test_pragmas_between_units_go_to_the_next() -> None:
    first, second = units("!$AD a\nsubroutine s\nend\n!$AD b\nsubroutine t\nx = 1\n!$AD c\nend\n!$AD d\n")
    assert (body(first), body(second)) == (["$ad a"], ["$ad b", "x = 1", "$ad c", "$ad d"])


def test_pragmas_after_contains() -> None:
    (unit,) = units("module m\ncontains\n!$AD a\nsubroutine s\nend subroutine\n!$AD b\nend module\n")
    assert body(unit.contains[0]) == ["$ad a"]
    assert body(unit) == ["$ad b"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("subroutine s\nx = 1\n", 1, "has no END"),
        ("module m\ncontains\nsubroutine s\nend\n", 1, "has no END"),
        ("subroutine s\nx = 1\nsubroutine t\nend\n", 3, "no END before this one"),
        ("x = 1\nsubroutine t\nend\n", 2, "no END before this one"),
        ("subroutine s\nend\nend\n", 3, "closes nothing"),
        ("subroutine s\nend function\n", 2, "cannot close"),
        ("subroutine s\nend subroutine t\n", 2, "cannot close"),
        ("subroutine s\ninterface\nend\n", 1, "one of its interface blocks"),
        ("subroutine s\ntype t\nend\n", 1, "type definition"),
        ("module m\ncontains\nx = 1\nend\n", 3, "follow CONTAINS"),
        ("module m\ncontains\ncontains\nend\n", 3, "second CONTAINS"),
    ],
)
def test_units_that_do_not_close(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        refuse(units(text))
    assert str(caught.value).startswith(f"t.f90:{line}:")
    assert "\n" not in str(caught.value)
