"""The scan for what heads reach: nothing that may be called is left out, and what is not reached is not parsed."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.interprocedural.call_graph import reachable
from snapset.frontend.interprocedural.unit_reachability import Roots, reached
from snapset.frontend.load import load_units
from snapset.frontend.reading.read import split_units, text_items
from snapset.library.analysis import load, roots

from tests.support.corpus import CORPUS, parse_expected

FRAME = """\
module m
{spec}
contains
{procedures}
end module m
subroutine head(x)
use m
{body}
end subroutine head
"""
ALL = "abcd"


def units_of(text: str) -> tuple[Unit, ...]:
    return split_units(text_items(text, "t.f90", ReadOptions()), "t.f90")


def names(text: str, *heads: str) -> set[str]:
    """The procedures that are reached, without the head."""
    found = reached(units_of(text), Roots(frozenset(heads or ("head",)))).units
    return {inner.name for unit in found for inner in (unit, *unit.contains)} - {"head", "m"}


def framed(spec: str = "", body: str = "", procedures: str = "") -> str:
    made = procedures or "".join(f"subroutine {one}(x)\nreal :: x\nx = 1\nend subroutine {one}\n" for one in ALL)
    return FRAME.format(spec=spec, body=body, procedures=made)


REACHING = {
    "a call": (framed(body="call a(x)"), "a"),
    "nothing": (framed(), ""),
    "an actual argument": (framed(body="call a(b)"), "ab"),
    "a function in an expression": (framed(body="x = a(x) + 1"), "a"),
    "a rename": (framed(body="call z(x)").replace("use m", "use m, z => b"), "b"),
    "a rename in ONLY": (framed(body="call z(x)").replace("use m", "use m, only: a, z => b"), "b"),
    "a generic name": (framed("interface g\nmodule procedure a, b\nend interface", "call g(x)"), "ab"),
    "a generic name that is not used": (framed("interface g\nmodule procedure a, b\nend interface", "call c(x)"), "c"),
    "a generic of interface bodies": (
        framed("interface g\nsubroutine e(x)\nreal :: x\nend subroutine\nend interface", "call g(x)")
        + "subroutine e(x)\nend\n", "e"),
    "an operator": (framed("interface operator(+)\nmodule procedure a\nend interface", "x = x + y"), "a"),
    "an operator by name": (framed("interface operator(.of.)\nmodule procedure a\nend interface", "x = x .of. y"), "a"),
    "an assignment": (framed("interface assignment(=)\nmodule procedure a\nend interface", "x = y"), "a"),
    "PUBLIC": (framed("public :: a, b\nprivate c, d", "call c(x)"), "c"),
    "a binding": (framed("type :: t\ncontains\nprocedure :: p => a\nprocedure :: b\nend type", "call x%p()"), "a"),
    "a binding of the procedure's name": (framed("type :: t\ncontains\nprocedure :: b\nend type", "call x%b()"), "b"),
    "a generic binding": (
        framed("type :: t\ncontains\nprocedure :: p => a\ngeneric :: g => p\nend type", "call x%g()"), "a"),
    "a bound operator": (
        framed("type :: t\ncontains\nprocedure :: p => a\ngeneric :: operator(+) => p\nend type", "x = x + y"), "a"),
    "a binding nobody mentions": (framed("type :: t\ncontains\nprocedure :: p => a\nend type", "x = 1"), ""),
    "FINAL": (framed("type :: t\ncontains\nfinal :: a\nend type", "x = 1"), "a"),
    "a pointer's initial value": (framed("procedure(b), pointer :: f => a", "x = 1"), "ab"),
    "a component's initial value": (framed("type :: t\nprocedure(b), pointer, nopass :: f => a\nend type"), "b"),
    "the same, called": (
        framed("type :: t\nprocedure(b), pointer, nopass :: f => a\nend type", "call x%f()"), "ab"),
    "a callee's callee": (
        framed(body="call a(x)", procedures="subroutine a(x)\ncall b(x)\nend subroutine\nsubroutine b(x)\n"
               "end subroutine\nsubroutine c(x)\nend subroutine\n"), "ab"),
    "an entry": (framed(body="call e(x)") + "subroutine s(x)\nentry e(x)\nend\n", "s"),
    "an internal procedure's callee": (
        framed(body="call i\ncontains\nsubroutine i\ncall a(x)\nend subroutine i"), {"a", "i"}),
    "a string": (framed(body="print *, 'a', \"it's b\""), ""),
    "another module, through the first": (
        framed("use n", "call q(x)") + "module n\nprivate\npublic q\ncontains\nsubroutine q\ncall r\nend subroutine\n"
        "subroutine r\nend subroutine\nsubroutine s\nend subroutine\nend module\n", "nqr"),
    "an extension of what CLASS stands for": (
        framed("type :: t\ncontains\nprocedure :: p => a\nend type", "class(t) :: y\ncall y%p()")
        + "module n\nuse m\ntype, extends(t) :: tt\ncontains\nprocedure :: p => q\nend type\ncontains\n"
        "subroutine q(y)\nend subroutine\nsubroutine s\nend subroutine\nend module\n", "anq"),
    "a submodule": (
        framed("interface\nmodule subroutine w(x)\nreal :: x\nend subroutine\nend interface", "call w(x)")
        + "submodule (m) below\ncontains\nmodule procedure w\ncall a(x)\nend procedure\nsubroutine v\nend subroutine\n"
        "end submodule\n", {"a", "below", "w"}),
    "a name that a module has which nobody uses": (
        framed(body="call a(q)") + "module n\ncontains\nsubroutine q\nend subroutine\nend module\n", "a"),
    "a module that is used after its procedure is named": (
        framed("use n", "call q(x)").replace("use m", "use o") + "module o\nuse m\nend module\n"
        "module n\ncontains\nsubroutine q\nend subroutine\nend module\n", "noq"),
    "BLOCK DATA": (framed() + "block data start\ncommon /blank/ x\ndata x /1/\nend\n", {"start"}),
    "include-like continuation": (framed(body="x = &\n a(x)"), "a"),
}  # fmt: skip


@pytest.mark.parametrize("name", REACHING)
def test_what_a_head_reaches(name: str) -> None:
    text, expected = REACHING[name]
    assert names(text) == set(expected)


def test_an_unknown_head_reaches_everything() -> None:
    assert names(framed(), "nobody") == {*ALL}


def test_the_lines_of_a_region_reach() -> None:
    text = framed()
    line = text.splitlines().index("subroutine b(x)") + 3
    found = reached(units_of(text), Roots(frozenset(("head",)), (("t.f90", line, line),))).units
    assert [inner.name for unit in found for inner in unit.contains] == ["b"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("expected", sorted(CORPUS.glob("*.expected")), ids=lambda path: path.stem)
def test_the_corpus_is_the_same_program(expected: Path) -> None:
    """Every procedure that the call graph of the whole program reaches is there, and is the same."""
    (source,) = (path for path in CORPUS.glob(f"{expected.stem}.*") if path != expected)
    text = parse_expected(expected.read_text()).head
    whole, near = load([str(source)]), load([str(source)], heads=[text])
    for head in parse_heads(text):
        (key,) = (one.key for one in whole.procedures.values() if one.name == head.procedure)
        for callee in reachable(whole, key):
            assert near.procedures[callee] == whole.procedures[callee]


BROKEN = "subroutine broken(x)\nreal :: x\nx = = 1\nend subroutine broken\n"


def loaded(tmp_path: Path, body: str, more: str = "") -> set[str]:
    path = tmp_path / "t.f90"
    path.write_text(framed(body=f"real :: x\n{body}") + BROKEN + more)
    return set(load([str(path)], heads=["head(x)>(x)"]).procedures)


def test_what_is_not_reached_is_not_parsed(tmp_path: Path) -> None:
    assert loaded(tmp_path, "call a(x)") == {"head", "m::a"}


def test_what_is_reached_is_parsed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.f90:29"):
        loaded(tmp_path, "call broken(x)")


@pytest.mark.parametrize("body", ["call nobody(x)", "procedure(), pointer :: p\ncall p(x)"])
def test_a_call_of_what_is_not_known_takes_everything(body: str, tmp_path: Path) -> None:
    """It may run any procedure there is; of one that is not Fortran it is known no more than of `nobody`."""
    assert loaded(tmp_path, body) == {"head", *(f"m::{one}" for one in ALL)}


@pytest.mark.parametrize("more", ["", "call again(a)"])
def test_so_does_a_dummy_procedure(more: str) -> None:
    """Also where something is passed for it here: others call the head too."""
    text = framed(body=f"real :: x\nexternal f\ncall f(x)\n{more}").replace("head(x)", "head(x, f)")
    text += "subroutine again(f)\nexternal f\ncall head(y, f)\nend\n" if more else ""
    found = load_units(units_of(text), ("t.f90",), roots(parse_heads("head(x)>(x)"), ()))
    assert set(found.procedures) - {"again"} == {"head", *(f"m::{one}" for one in ALL)}


@pytest.mark.parametrize(("body", "effects"), [
    ("call daxpy(1, x, y, 1, z, 1)", {}),
    ("call outer(x)", {"outer": "inout"}),
])  # fmt: skip
def test_what_is_declared_to_touch_only_its_arguments_reaches_nothing(body: str, effects: dict[str, str],
                                                                      tmp_path: Path) -> None:  # fmt: skip
    path = tmp_path / "t.f90"
    path.write_text(framed(body=f"real(8) :: x, y(1), z(1)\n{body}"))
    assert set(load([str(path)], heads=["head(x)>(x)"], effects=effects).procedures) == {"head"}


def test_what_is_declared_to_touch_everything_does(tmp_path: Path) -> None:
    path = tmp_path / "t.f90"
    path.write_text(framed(body="real(8) :: x\ncall outer(x)"))
    found = load([str(path)], heads=["head(x)>(x)"], effects={"outer": "inout globals"}).procedures
    assert set(found) == {"head", *(f"m::{one}" for one in ALL)}
