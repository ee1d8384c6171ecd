"""Scopes that are built in part are those that are built from nothing."""

from __future__ import annotations

import random
import re

import pytest
from snapset.frontend.base.default_kinds import STANDARD
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.persistence.serialization import dumps, loads
from snapset.frontend.reading.read import text_units
from snapset.frontend.reading.unreadable_units import Failures
from snapset.frontend.symbols.rebuilt_scopes import BuiltScopes, built, rebuilt
from snapset.frontend.symbols.scope_builder import build_scopes

from tests.support.corpus import CORPUS

TEXT = """block data
  common /c/ z, w(3)
  data w /3*0.0/
end block data
module flow
  use missing
  integer, parameter :: n = 4
  type point
    real :: x(n)
  end type
  interface area
    module procedure of_point
  end interface
contains
  subroutine step(u)
    real, intent(inout) :: u(n)
    u = 2*u
  end subroutine step
  real function of_point(p)
    type(point), intent(in) :: p
    of_point = sum(p%x)
  end function of_point
  subroutine local(u)
    type pair
      real :: a, b
    end type
    type(pair) :: two
    real :: u(n)
    two%a = u(1)
    u(2) = two%a
  end subroutine local
end module flow
subroutine outer(u, f)
  use flow
  real :: u(n), f, spare
  external f
  u(1) = f(u(2))
  call step(u)
  call inner
contains
  subroutine inner
    u(1) = spare(2)
  end subroutine inner
end subroutine outer
subroutine held(u)
  common /c/ z, w(3)
  real :: u
  data z /1.0/
  u = u*z + w(1)
end subroutine held
function spare(k)
  spare = k
end function spare
function typed(k)
  real(8) :: typed
  typed = k
end function typed
"""
EDITS = {  # of each what it becomes, and whether the other scopes can stay
    "a statement": ("u = 2*u", "u = 3*u", True),
    "a call of another": ("typed = k", "typed = spare(k)", True),
    "a name that becomes a function": ("u(1) = spare(2)", "u(1) = spare(2)*typed(2)", True),
    "a statement more": ("typed = k", "typed = k\n  typed = typed*k", True),
    "a line above": ("function typed(k)", "\nfunction typed(k)", True),
    "an entry": ("typed = k", "typed = k\n  entry also(k)", True),
    "DATA behind statements": ("typed = k", "typed = k\n  data m /3/", True),
    "a declaration": ("real(8) :: typed", "real(8) :: typed, more", False),
    "the type of a result": ("real(8) :: typed", "real(4) :: typed", False),
    "a name": ("spare(k)\n  spare = k\nend function spare", "other(k)\n  other = k\nend function other", False),
    "a constant of a module": ("n = 4", "n = 5", False),
    "what a module does": ("of_point\n  end interface", "step\n  end interface", False),
    "a common block's procedure": ("u = u*z", "u = u + z", False),
    "a local type's procedure": ("u(2) = two%a", "u(2) = two%b", False),
    "a module that is used": ("  spare = k", "  block\n    use flow\n    spare = k\n  end block", False),
    "what does not fit": ("typed = k", "typed = (k", False),
    "no Fortran": ("real(8) :: typed", "real(8 :: typed", False),
}  # fmt: skip


def known_of(units: tuple[Unit, ...]) -> BuiltScopes:
    """As it comes from the cache."""
    _, found = built(units, Failures(), STANDARD)
    assert found is not None
    again: BuiltScopes = loads(dumps(found))
    return again


MOVING = ("a line above",)


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("without", [True, False])
def test_after_an_edit_they_are_what_they_are(name: str, without: bool) -> None:
    """``without``: with a module without source, whose first USE has a place, too."""
    old, new, expected = EDITS[name]
    text = TEXT if without else TEXT.replace("  use missing\n", "\n")
    assert text.count(old) == 1
    before, after = (text_units(one, "a.f90", ReadOptions()) for one in (text, text.replace(old, new)))
    found = rebuilt(known_of(before), after, STANDARD)
    assert (found is not None) == (expected and not (without and name in MOVING))
    if found is not None:
        assert found == build_scopes(after)


def test_of_many_changes_all_is_built() -> None:
    lines = [f"subroutine s{k}(x)\n  x = 2*x\nend subroutine s{k}\n" for k in range(12)]
    before = text_units("".join(lines), "a.f90", ReadOptions())
    for changed, kept in ((3, True), (4, False)):
        edited = [line.replace("2*x", "3*x") if k < changed else line for k, line in enumerate(lines)]
        after = text_units("".join(edited), "a.f90", ReadOptions())
        assert (rebuilt(known_of(before), after, STANDARD) is not None) == kept


def test_what_was_stored_otherwise_is_not_used() -> None:
    """The unchanged text of a changed procedure must give what is stored: here it does not."""
    text = TEXT.replace("  use missing\n", "\n")
    before, after = (text_units(one, "a.f90", ReadOptions()) for one in (text, text.replace("spare = k", "spare = 2")))
    known = known_of(before)
    assert rebuilt(known, after, STANDARD) is not None
    scopes = dict(known.scopes.scopes)
    scopes["spare"] = scopes["typed"]
    other = BuiltScopes(known.units, type(known.scopes)(scopes, *(getattr(known.scopes, name) for name in (
        "types", "module_variables", "commons", "diagnostics", "exported", "externals"))), known.inside, known.sizes,
        known.implemented)
    assert rebuilt(other, after, STANDARD) is None


FILES = sorted(CORPUS.glob("*.f90"))


@pytest.mark.parametrize("part", range(4))
def test_random_edits_of_the_corpus(part: int) -> None:
    """A line less, twice, or with another name in it: scopes in part, where there are some, are those of the whole."""
    draw, done, alike = random.Random(part), 0, 0
    for path in FILES[part::16]:
        lines = path.read_text().splitlines()
        before = text_units("\n".join(lines) + "\n", path.name, ReadOptions())
        try:
            known = known_of(before)
        except (InputError, AssertionError):
            continue
        names = sorted(set(re.findall(r"\b[a-z]\w*\b", " ".join(lines))))
        for _ in range(16):
            edited, at = list(lines), draw.randrange(len(lines))
            match draw.randrange(3):
                case 0:
                    del edited[at]
                case 1:
                    edited.insert(at, edited[at])
                case _:
                    words = re.findall(r"\b[a-z]\w*\b", edited[at]) or ["end"]
                    edited[at] = re.sub(rf"\b{draw.choice(words)}\b", draw.choice(names), edited[at], count=1)
            after = text_units("\n".join(edited) + "\n", path.name, ReadOptions())
            found = rebuilt(known, after, STANDARD)
            done += 1
            if found is not None:
                alike += 1
                assert found == build_scopes(after), "\n".join(edited)
    assert done > 40
    assert alike > 2
