"""Lowered procedures from the cache: the program is the same as without, after any edit."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.load import load_program
from snapset.frontend.persistence import lowered_procedures
from snapset.frontend.persistence.disk_cache import Cache, open_cache

from tests.support.corpus import CORPUS

TEXT = """\
module kinds
  integer, parameter :: dp = 8
  type :: t
    real(dp) :: a, b
  end type
end module
module work
  use kinds
  real(dp) :: factor = 2
contains
  subroutine one(x)
    real(dp) :: x
    x = factor * x
  end subroutine
  subroutine two(x)
    type(t) :: x
    x%a = x%b
    call one(x%a)
  contains
    subroutine inside
      undeclared = 1
    end subroutine
  end subroutine
end module
subroutine top(x)
  use work
  type(t) :: x
  call two(x)
end subroutine
"""


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return open_cache(tmp_path / "cache")


def load(path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> tuple[ir.Program, list[str]]:
    """The program, and the procedures that were lowered, not found."""
    made: list[str] = []
    lower = lowered_procedures.lower_procedure

    def noted(world: object, scope: object, inherited: object) -> object:
        made.append(scope.name)  # type: ignore[attr-defined]
        return lower(world, scope, inherited)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(lowered_procedures, "lower_procedure", noted)
        found = load_program([str(path)], cache=cache)
    cache.close()
    return found, made


EDITS = {
    "nothing": ("", "", []),
    "a statement": ("x = factor * x", "x = factor + x", ["one"]),
    "a comment behind a statement": ("x = factor * x", "x = factor * x ! why", []),
    "a comment line": ("  call two(x)\nend", "  ! why\n  call two(x)\nend", ["top"]),
    "a statement of the host": ("x%a = x%b", "x%b = x%a", ["two", "inside"]),
    "an initial value": ("factor = 2", "factor = 3", ["one", "two", "top", "inside"]),
    "a kind": ("dp = 8", "dp = 4", ["one", "two", "top", "inside"]),
    "a component": ("a, b", "a, b, c", ["one", "two", "top", "inside"]),
    "a dummy argument's declaration": ("    type(t) :: x\n    x%a", "    type(t) :: x, y\n    x%a",
                                       ["two", "top", "inside"]),
    "another variable's declaration": ("    x%a = x%b", "    real(dp) :: z\n    x%a = x%b", ["two", "inside"]),
    "the bound of a dummy argument": ("real(dp) :: x\n    x = f", "real(dp) :: x(2)\n    x = f",
                                      ["one", "two", "inside"]),
    "lines above the module's procedures": ("real(dp) :: factor", "\n\nreal(dp) :: factor", []),
    "a line between host and internal procedure": ("  contains\n    sub", "  contains\n\n    sub", ["two", "inside"]),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_costs_what_depends_on_it(
    name: str, tmp_path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, expected = EDITS[name]
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    assert len(load(path, cache, monkeypatch)[1]) == 4
    assert TEXT.count(old) == 1 or not old
    path.write_text(TEXT.replace(old, new))
    found, made = load(path, open_cache(tmp_path / "cache"), monkeypatch)
    assert sorted(made) == sorted(expected)
    assert found == load_program([str(path)])


def test_what_has_a_line_in_its_name_is_for_that_line(
    tmp_path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable that stands for a function's value is named by the line."""
    text = "subroutine one(x, y)\n  y = f(x) + 1\nend\nfunction f(x)\n  f = x\nend\n"
    path = tmp_path / "a.f90"
    path.write_text(text)
    load(path, cache, monkeypatch)
    path.write_text("\n" + text)
    found, made = load(path, open_cache(tmp_path / "cache"), monkeypatch)
    assert made == ["one"]
    assert "f@3" in found.procedures["one"].variables
    assert found == load_program([str(path)])
    assert load(path, open_cache(tmp_path / "cache"), monkeypatch)[1] == []


@pytest.mark.sample(8)
@pytest.mark.parametrize("source", [p for p in sorted(CORPUS.iterdir()) if p.suffix in (".f", ".f90")],
                         ids=lambda path: path.name)  # fmt: skip
def test_the_corpus_after_random_edits(source: Path, tmp_path: Path) -> None:
    """Statements left out, doubled, exchanged, renumbered: what is found is what would have been made."""
    from snapset.frontend.base.diagnostics import InputError

    draw = random.Random(source.name)
    path = tmp_path / source.name
    lines = source.read_text().splitlines()
    for _ in range(6):
        changed = list(lines)
        at = draw.randrange(len(lines))
        match draw.randrange(4):
            case 0:
                del changed[at]
            case 1:
                changed.insert(at, changed[at])
            case 2:
                changed[at] = changed[at].replace("1", "2").replace("a", "b", 1)
            case _:
                changed.insert(at, "")
        path.write_text("\n".join(changed) + "\n")
        try:
            expected = load_program([str(path)])
        except InputError:
            continue
        cache = open_cache(tmp_path / "cache")
        for _ in range(2):
            assert load_program([str(path)], cache=cache) == expected
            cache.close()
