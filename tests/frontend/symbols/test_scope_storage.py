"""Storage in symbol tables: COMMON, EQUIVALENCE, BLOCK DATA."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import Area
from snapset.frontend.symbols.common_members import joined

from tests.frontend.symbols.test_scopes import codes, scopes_of, sub


def test_common_offsets_and_continued_blocks() -> None:
    scopes = scopes_of(
        """
        subroutine s
          real*8 a(3)
          integer i
          common /c/ i, a /d/ x
          common /c/ y(2) // z
        end
        subroutine t
          common /c/ k(9)
        end
        """
    )
    v = scopes.scopes["s"].variables
    assert [(v[name].area, v[name].offset) for name in "iayxz"] == [
        (Area("common", "c", "c"), 0), (Area("common", "c", "c"), 4), (Area("common", "c", "c"), 28),
        (Area("common", "d", "d"), 0), (Area("common", "", ""), 0),
    ]  # fmt: skip
    assert sorted(variable.name for variable in scopes.commons["c"]) == ["a", "i", "k", "y"]
    assert scopes.scopes["t"].variables["k"].area == v["a"].area


def test_common_of_unknown_size_is_reported() -> None:
    """A block with a pointer, where all views agree, is told apart by members: nothing to report then."""
    text = "subroutine s\nreal, pointer :: p(:)\ncommon /c/ a, p, b\nend"
    assert codes(scopes_of(text)) == []
    assert scopes_of(text).scopes["s"].variables["p"].area == Area("common", "c", "c#2")
    scopes = joined(scopes_of(f"{text}\nsubroutine t\ncommon /c/ k(9)\nend"))
    assert codes(scopes) == ["SN209"]
    assert scopes.scopes["s"].variables["p"].area == Area("common", "c", "c")


def test_equivalence_of_locals_shares_one_area() -> None:
    scope = sub("real*8 a(4), c\ninteger b(4), d\nequivalence (a(2), b(1)), (b(3), c)\nequivalence (d, c)")
    v = scope.variables
    assert {v[name].area for name in "abcd"} == {Area("local", "s", "a")}
    assert [v[name].offset for name in "abcd"] == [0, 8, 16, 16]


def test_equivalence_before_the_first_variable_shifts_it() -> None:
    scope = sub("real a, b(3)\nequivalence (a, b(3))")
    assert [(scope.variables[name].area.name, scope.variables[name].offset) for name in "ab"] == [("a", 8), ("a", 0)]


def test_equivalence_with_common_extends_it() -> None:
    scope = sub("real x, y, z(4), w(2,2)\ncommon /c/ x, y\nequivalence (y, z(2)), (w(1,1), x)")
    v = scope.variables
    assert [(v[name].area.name, v[name].offset) for name in "xyzw"] == [("c", 0), ("c", 4), ("c", 0), ("c", 0)]


def test_multi_dimensional_and_substring_equivalence() -> None:
    declared = "real a(3,4), b\ncharacter*10 s1\ncharacter c(3)*2, e\n"
    scope = sub(f"{declared}equivalence (a(2,3), b), (s1(4:5), c(2)), (c(3)(2:2), e)")
    v = scope.variables
    assert v["b"].offset == 4 * (1 + 3 * 2)
    assert [v["s1"].offset, v["c"].offset, v["e"].offset] == [0, 1, 6]


def test_an_equivalence_with_a_saved_variable_is_saved() -> None:
    scope = sub("real a, b\nequivalence (a, b)\nsave b")
    assert {scope.variables[name].area for name in "ab"} == {Area("saved", "s", "a")}
    scope = sub("real a, b\nequivalence (a, b)\ndata a/1./")
    assert scope.variables["b"].area == Area("saved", "s", "a")


def test_an_equivalence_of_unknown_place_is_one_location() -> None:
    scopes = scopes_of("subroutine s\nreal a(4), b\nequivalence (a(k), b)\nend")
    v = scopes.scopes["s"].variables
    assert codes(scopes) == ["SN209"]
    assert v["a"].area == v["b"].area
    assert v["a"].type.bytes is None


@pytest.mark.parametrize(
    ("declarations", "args", "message"),
    [
        ("real a(3), b(3)\nequivalence (a(1), b(1)), (a(2), b(3))", "", "two places"),
        ("common /c/ x\ncommon /d/ y\nequivalence (x, y)", "", "two COMMON"),
        ("real y(3)\ncommon /c/ x\nequivalence (x, y(3))", "", "before its first byte"),
        ("common /c/ x, y\nequivalence (x, y)", "", "another place"),
        ("common /c/ x, x", "", "twice"),
        ("common /c/ a", "a", "dummy argument"),
        ("equivalence (a, b)", "a", "cannot be in EQUIVALENCE"),
    ],
)
def test_contradicting_storage_is_an_error(declarations: str, args: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        sub(declarations, args)
    assert caught.value.span is not None
    assert caught.value.span.file == "f1.f90"


def test_block_data_contributes_its_view() -> None:
    scopes = scopes_of("block data\ncommon /c/ a(2)\ndata a/1.,2./\nend\nsubroutine s\ncommon /c/ b, d\nend")
    assert sorted(variable.name for variable in scopes.commons["c"]) == ["a", "b", "d"]
    assert list(scopes.scopes) == ["s"]
