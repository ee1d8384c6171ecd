"""Scopes that come out of the cache, made of the units that are there now, are those that were put into it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from snapset.frontend.base.default_kinds import STANDARD
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.persistence.fingerprint import item_hashes, own_digest, with_hashes
from snapset.frontend.persistence.remembered_scopes import PackedScopes, packed_scopes, unpacked
from snapset.frontend.persistence.serialization import dumps, loads
from snapset.frontend.reading.read import text_units
from snapset.frontend.reading.unreadable_units import Failures
from snapset.frontend.symbols.rebuilt_scopes import BuiltScopes, built

from tests.support.corpus import CORPUS

TEXT = """module flow
  integer, parameter :: n = 4
contains
  subroutine step(u)
    real, intent(inout) :: u(n)
10  format (i5)
    u = 2*u
  end subroutine step
  subroutine other(u)
    real :: u(n)
    u = u + 1
  end subroutine other
end module flow
subroutine outer(u)
  use flow
  real :: u(n)
  call step(u)
  call inner
contains
  subroutine inner
    u(1) = 3
  end subroutine inner
end subroutine outer
"""
EDITS = {  # of each what it becomes, and how many procedures are then unpacked, not the ones that are there now
    "nothing": ("u = 2*u", "u = 2*u", 0),
    "a statement": ("u = 2*u", "u = 3*u", 1),
    "a constant that cannot matter": ("u = u + 1", "u = u + 1.0", 1),
    "one inside of another": ("u(1) = 3", "u(1) = 4", 1),
    "a line above": ("  subroutine other", "\n  subroutine other", 2),
    "a line in a procedure": ("    u = 2*u\n", "\n    u = 2*u\n", 3),
    "a declaration": ("real, intent(inout) :: u(n)", "real, intent(in) :: u(n)", 1),
    "a module's declaration": ("n = 4", "n = 5", None),
    "a module's line": ("module flow\n  integer", "module flow\n\n  integer", None),
}  # fmt: skip


def units_of(text: str, name: str = "a.f90") -> tuple[Unit, ...]:
    return tuple(map(with_hashes, text_units(text, name, ReadOptions())))


def whole_of(units: tuple[Unit, ...]) -> BuiltScopes | None:
    return built(units, Failures(), STANDARD)[1]


def kept(whole: BuiltScopes) -> PackedScopes:
    """As it comes from the cache."""
    packed = packed_scopes(whole)
    assert packed is not None
    again: PackedScopes = loads(dumps(packed))
    return again


def without_ends(whole: BuiltScopes | None) -> BuiltScopes | None:
    """What nobody asks for is left out: where a module ends."""
    if whole is None:
        return None
    return replace(whole, units=tuple(replace(unit, end=unit.header or unit.end) for unit in whole.units))


def every(units: tuple[Unit, ...]) -> list[Unit]:
    return [one for unit in units for one in (unit, *every(unit.contains))]


@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_they_are_what_they_were(name: str) -> None:
    old, new, unpacked_ones = EDITS[name]
    assert TEXT.count(old) == 1
    whole = whole_of(units_of(TEXT))
    assert whole is not None
    after = units_of(TEXT.replace(old, new))
    found = unpacked(kept(whole), after)
    if unpacked_ones is None:
        assert found is None
        return
    assert without_ends(found) == without_ends(whole)
    assert found is not None
    here = {id(unit) for unit in every(after)}
    procedures = [unit for unit in found.units if unit.kind != "module"]
    procedures += [inner for unit in found.units if unit.kind == "module" for inner in unit.contains]
    assert sum(id(unit) not in here for unit in procedures) == unpacked_ones


def test_of_other_units_there_is_nothing() -> None:
    whole = whole_of(units_of(TEXT))
    assert whole is not None
    assert unpacked(kept(whole), units_of(TEXT + "subroutine more\nend\n")) is None
    assert unpacked(kept(whole), units_of(TEXT.replace("subroutine other", "subroutine another"))) is not None


def test_hashes_hold_of_the_statements_they_were_made_of() -> None:
    """A unit with other statements, or one that begins elsewhere, has no use for those it was given."""
    unit, other = units_of("subroutine s(x)\n  x = 2*x\nend\n")[0], units_of("subroutine s(x)\n  x = 3*x\nend\n")[0]
    assert item_hashes(unit) is unit.hashes
    assert own_digest(replace(unit, items=other.items)) == own_digest(other) != own_digest(unit)
    moved = units_of("\nsubroutine s(x)\n  x = 2*x\nend\n")[0]
    assert own_digest(moved) == own_digest(unit)
    assert own_digest(replace(unit, header=moved.header)) != own_digest(unit)
    again: Unit = loads(dumps(unit))
    assert item_hashes(again) is again.hashes


@pytest.mark.parametrize("part", range(4))
def test_random_edits_of_the_corpus(part: int) -> None:
    draw, alike = random.Random(part), 0
    for path in sorted(CORPUS.glob("*.f90"))[part::16]:
        lines = path.read_text().splitlines()
        try:
            whole = whole_of(units_of("\n".join(lines) + "\n", path.name))
        except InputError:
            continue
        packed = None if whole is None else packed_scopes(whole)
        if packed is None:
            continue
        known: PackedScopes = loads(dumps(packed))
        for _ in range(8):
            edited, at = list(lines), draw.randrange(len(lines))
            edited[at:at + 1] = draw.choice(([], [edited[at], edited[at]], ["x = 1"]))
            found = unpacked(known, units_of("\n".join(edited) + "\n", path.name))
            if found is not None:
                alike += 1
                assert without_ends(found) == without_ends(whole)
    assert alike > 4
