"""What stands for text in the cache's keys: everything that results depend on, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.results import HeadResult
from snapset.frontend.base.source_model import Item, Line, ReadOptions, Unit
from snapset.frontend.load import load_units
from snapset.frontend.persistence.fingerprint import Texts, digest, own_digest, without_values
from snapset.frontend.reading.read import read_units, split_units, text_items

from tests.support.corpus import CORPUS, parse_expected

TEXT = "subroutine s(x)\n  real :: x\n  x = 0.5 * x\n  !$ad checkpoint-start\n  x = x\n  !$ad checkpoint-end\nend\n"
MASKED = {
    "x = 0.5*y": "x = #.*y",
    "x = 1. - 2.d0*z + 1.e-3 + 1e5 - 3.25_sp": "x = #. - #d*z + #e + #e - #._sp",
    "x(1:2)%c = max(0._sp, .5)": "x(1:2)%c = max(#._sp, #.)",
    "x = 1.5*y**2.0 + 1.5": "x = #.*y**2.0 + 1.5",
    "l = i == 1.and.j > 2.5": "l = i == 1.and.j > #.",
    "l = 2.eq.i": "l = 2.eq.i",
    "x = a1.5": "x = a1.5",
    "real :: x = 0.5": "real :: x = 0.5",
    "parameter (x = 0.5)": "parameter (x = 0.5)",
    "data x /0.5/": "data x /0.5/",
    "if (x > 0.5) y = 1.5": "if (x > 0.5) y = 1.5",
    "do r = 0.5, 2.5": "do r = 0.5, 2.5",
    "n = int(2.5)": "n = int(2.5)",
    "s = '0.5'": "s = '0.5'",
    "i = 25": "i = 25",
}


def units_of(text: str) -> tuple[Unit, ...]:
    return split_units(text_items(text, "t.f90", ReadOptions()), "t.f90")


@pytest.mark.parametrize("text", MASKED)
def test_values_of_real_constants(text: str) -> None:
    assert without_values(text) == MASKED[text]
    assert without_values(f"{text}\t1 1 a.5.f90") == f"{MASKED[text]}\t1 1 a.5.f90"


@pytest.mark.parametrize(("old", "new", "same"), [
    ("0.5", "0.75", True),
    ("0.5", "0.5d0", False),
    ("0.5 * x", "0.5 * x ! why", True),
    ("0.5 *", "0.5 +", False),
    ("x = x", "x = x; x = x", False),
    ("  x = 0.5", "\n  x = 0.5", False),
    ("  x = 0.5", "   x = 0.5", False),
    ("checkpoint-start", "checkpoint-begin", False),
    ("real", "real*8", False),
    ("s(x)", "t(x)", False),
])  # fmt: skip
def test_edits(old: str, new: str, same: bool) -> None:
    assert old in TEXT
    assert (Texts().results(units_of(TEXT)) == Texts().results(units_of(TEXT.replace(old, new)))) is same


def test_lowered_procedures_keep_their_constants() -> None:
    one, other = units_of(TEXT), units_of(TEXT.replace("0.5", "0.75"))
    assert own_digest(one[0]) != own_digest(other[0])


def test_pieces_are_told_apart() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("abc", ""), digest()}) == 5


def changed(unit: Unit) -> Unit:
    """The unit with other constants."""

    def one(item: Item) -> Item:
        if not isinstance(item, Line):
            return item
        other = {"#.": "7.25", "#e": "7.25e0", "#d": "7.25d0"}
        return replace(item, text=re.sub("#[.ed]", lambda found: other[found[0]], without_values(item.text)))

    return replace(unit, items=tuple(map(one, unit.items)), contains=tuple(map(changed, unit.contains)))


@pytest.mark.sample(8)
@pytest.mark.parametrize("expected", sorted(CORPUS.glob("*.expected")), ids=lambda path: path.stem)
def test_no_analysis_looks_at_them(expected: Path) -> None:
    """The corpus with other constants has the same results."""
    (source,) = (path for path in CORPUS.glob(f"{expected.stem}.*") if path != expected)
    (head,) = parse_heads(parse_expected(expected.read_text()).head)
    units = read_units(str(source), ReadOptions())

    def result(given: tuple[Unit, ...]) -> HeadResult:
        return analyse(load_units(given, (str(source),)), head, parse_strategies("all"), AnalysisOptions())

    others = tuple(map(changed, units))
    if others != units:
        assert result(others) == result(units)
    assert Texts().results(others) == Texts().results(units)
