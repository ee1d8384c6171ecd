"""Families of pointers and targets: what some association may bring together."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

from tests.support.modelled import names, summary

TEXT = """module m
  type link
    real(8) :: value
    real(8), pointer :: to(:) => null()
    type(link), pointer :: next => null()
  end type
  real(8), target :: t(5)
  real(8), pointer :: g(:)
contains
  subroutine tied(u, v)
    real(8), pointer :: u(:), v(:)
    u => v
  end subroutine
  function led(u) result(r)
    real(8), target :: u(5)
    real(8), pointer :: r(:)
    r => u
  end function
  subroutine s(f, h)
    use iso_c_binding
    real(8), pointer :: f(:)
    type(link), target :: h
    real(8), target :: a(5), b(5)
    real(4), target :: single(5)
    real(8), pointer :: p(:), q(:)
    type(link) :: k
    {body}
    call write(p)
  end subroutine
  subroutine write(w)
    real(8), intent(inout) :: w(:)
    w = 0
  end subroutine
end module
"""
MAIN = """program main
  use m
  real(8), pointer :: f(:)
  type(link), target :: h
  allocate (f(5))
  call s(f, h)
end program
"""


def written(body: str, main: bool = False, distinct: bool = False) -> set[str]:
    """What a write through p may touch, of the plain names of s."""
    program = load_text(TEXT.format(body=body) + (MAIN if main else ""))
    models = Models(program, root="main" if main else "m::s", distinct_pointers=distinct)
    model = models.by_key["m::s"]
    (node,) = (n for n, site in model.calls.items() if site.stmt.name == "write")
    return names(model, model.effects[node].out)


@pytest.mark.parametrize(("body", "touched"), [
    ("p => a; q => b", {"a", "p"}),
    ("p => a; q => a", {"a", "p", "q"}),
    ("p => a; p => b; q => b", {"a", "b", "p", "q"}),
    ("allocate (p(5)); q => b", {"p"}),
    ("allocate (p(5)); q => p(2:3)", {"p", "q"}),
    ("call tied(p, q); q => b", {"b", "p", "q"}),
    ("p => led(b); q => a", {"b", "p"}),
    ("k%to => a; p => k%to", {"a", "k%to", "p", "h%to", "h%value", "t", "g", "f"}),
    ("p => t", {"t", "g", "f", "h%to", "h%value", "p"}),
    ("p => f", {"t", "g", "f", "h%to", "h%value", "p"}),
    ("g => a; q => b; allocate (p(5))", {"p"}),
])  # fmt: skip
def test_what_a_write_through_a_pointer_touches(body: str, touched: set[str]) -> None:
    assert written(body) - {"k%value"} >= touched - {"k%value"}
    assert not (written(body) & {"a", "b", "q"}) - touched


def test_a_program_that_is_whole_is_taken_at_its_own_associations() -> None:
    links = {"h%next", "k%next"}  # which stand for all that they lead to
    assert written("p => t", main=True) - links == {"p", "t"}
    assert written("g => t; p => g", main=True) - links == {"g", "p", "t"}


def test_what_is_older_shares_memory_only_by_what_is_there_where_the_user_says_so() -> None:
    assert written("p => t", distinct=True) & {"t", "g", "f"} == {"t"}
    assert written("p => t; g => t", distinct=True) & {"t", "g", "f"} == {"t", "g"}


POINTERS = """subroutine head(x, y)
  real(8), pointer :: x(:), y(:)
  call square(x, y)
  y = y*y
end subroutine
subroutine square(x, y)
  real(8), pointer :: x(:), y(:)
  y = x*x
end subroutine
"""


def test_the_choice_reaches_the_sets(tmp_path: Path) -> None:
    (tmp_path / "t.f90").write_text(POINTERS)
    program = snapset.load([str(tmp_path / "t.f90")])
    found = [snapset.analyse(program, "head(x,y)>(x,y)", snapset.Choices("lazy", distinct_pointers=one)).parts[0]
             for one in (False, True)]
    assert ["x" in part.solutions["lazy"].snp for part in found] == [True, False]


@pytest.mark.parametrize("body", [
    "call c_f_pointer(c_loc(single), p, [5])",
    "p => a; call elsewhere(p)",
    "p => a; call unseen(p)",
    "p => a; call unseen(a)",
    "p => k%to; call unseen(k)",
])  # fmt: skip
def test_what_leads_to_memory_nobody_knows(body: str) -> None:
    declared = "interface\nsubroutine elsewhere(p)\nreal(8), pointer :: p(:)\nend subroutine\nend interface\n"
    assert {"a", "b"} <= written((declared if "elsewhere" in body else "") + "q => a; k%to => b; " + body)


def test_a_statement_that_is_not_understood_leaves_nothing_known() -> None:
    assert {"a", "b", "q"} <= written("q => b; p => a; change team (t)\n end team")


@pytest.mark.parametrize("declared", [
    "real(8), pointer :: w(:) => t\np => w",
    "type holder\nreal(8), pointer :: v(:) => t\nend type\ntype(holder) :: o\np => o%v",
])  # fmt: skip
def test_what_leads_somewhere_from_the_start(declared: str) -> None:
    assert "t" in written(declared, main=True)
    assert "t" not in written(declared.replace("=> t", "=> null()"), main=True)


KINDS = """subroutine s(p, r, i, l)
  use elsewhere, only: unknown
  real(8), pointer :: p(:)
  real(unknown), pointer :: r(:)
  integer(unknown), pointer :: i(:)
  logical, pointer :: l(:)
  {name} = {value}
end subroutine
"""


@pytest.mark.parametrize(("name", "value", "touched"), [
    ("p", "0", {"p", "r"}), ("r", "0", {"p", "r"}), ("i", "0", {"i"}), ("l", ".true.", {"l"}),
])  # fmt: skip
def test_a_kind_that_is_not_known_is_any_of_its_type_only(name: str, value: str, touched: set[str]) -> None:
    assert summary(KINDS.format(name=name, value=value))["out"] - {"unknown"} == touched


OLDER = """module m
  type base
    real(8), pointer :: w(:)
  end type
  type, extends(base) :: cell
    real(8), pointer :: u(:), v(:)
  end type
  type row
    type(cell), pointer :: first
  end type
  {globals}
contains
  subroutine s({argument})
    {declared}
    type(cell) :: a
    allocate (a%u(5), a%v(5), a%w(5))
    call write(a%u)
  end subroutine
  subroutine write(w)
    real(8), intent(inout) :: w(:)
    w = 0
  end subroutine
end module
"""


@pytest.mark.parametrize(("held", "declared", "touched"), [
    ("", "", {"a%u"}),
    ("integer, target :: k", "real(8) :: x(5)", {"a%u"}),
    ("", "type(base) :: x", {"a%u"}),  # has no u
    ("type(cell) :: g", "", {"a%u", "a%v", "a%w"}),
    ("type(cell), pointer :: g(:)", "", {"a%u", "a%v", "a%w"}),
    ("type(row) :: g", "", {"a%u", "a%v", "a%w"}),
    ("class(base), allocatable :: g", "", {"a%u", "a%v", "a%w"}),
    ("class(*), pointer :: g", "", {"a%u", "a%v", "a%w"}),
    ("", "type(cell) :: x", {"a%u", "a%v", "a%w"}),
    ("", "class(base) :: x", {"a%u", "a%v", "a%w"}),
    ("", "type(row), save :: y", {"a%u", "a%v", "a%w"}),
    ("", "external :: found", {"a%u", "a%v", "a%w"}),  # may keep cells of its own
])
def test_components_are_older_where_an_object_of_their_type_is(held: str, declared: str, touched: set[str]) -> None:
    text = OLDER.format(globals=held, declared=declared, argument="x" if ":: x" in declared else "")
    text = text.replace("    allocate", "    call found\n    allocate") if "found" in declared else text
    model = Models(load_text(text), root="m::s").by_key["m::s"]
    (node,) = (n for n, site in model.calls.items() if site.stmt.name == "write")
    assert {name for name in names(model, model.effects[node].out) if name.startswith("a")} == touched
