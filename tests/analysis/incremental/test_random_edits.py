"""Programs edited at random: each report is the one that an empty store gives."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.library.analysis import Choices
from snapset.render.pages.head_report import OutputForm

from tests.analysis.incremental.test_incremental import RECURSIVE, SEVERAL, TEXT, Asked, kept, whole
from tests.support.corpus import CORPUS, parse_expected


def changed(lines: list[str], draw: random.Random) -> list[str]:
    """One line left out, doubled, put elsewhere, empty before another, or with a name for another."""
    found, at = list(lines), draw.randrange(len(lines))
    match draw.randrange(6):
        case 0:
            del found[at]
        case 1:
            found.insert(at, found[at])
        case 2:
            found.insert(at, "")
        case 3:
            other = draw.randrange(len(lines))
            found[at], found[other] = found[other], found[at]
        case _:
            names = sorted(set(re.findall(r"\b[a-z]\w*\b", " ".join(lines), re.IGNORECASE)))
            here = re.findall(r"\b[a-z]\w*\b", found[at], re.IGNORECASE)
            if here:
                found[at] = re.sub(rf"\b{draw.choice(here)}\b", draw.choice(names), found[at], count=1)
    return found


def compare(source: list[str], path: Path, asked: Asked, number: int) -> int:
    """So many edits of the text, or of one another: how many could be analysed. Each must be what it is without."""
    draw, done = random.Random(f"{path.name} {asked}"), 0
    versions = [source]
    for _ in range(number + 1):
        lines = changed(versions[-1] if draw.random() < 0.5 else draw.choice(versions), draw) if done else source
        path.write_text("\n".join(lines) + "\n")
        form = OutputForm(draw.random() < 0.7, (80, False, False), draw.choice([{}, {}, {"n": 7}]))
        try:
            expected = whole(path, asked, form)
        except InputError as error:
            with pytest.raises(InputError, match=re.escape(str(error))):
                kept(path, asked, path.parent / "cache", form)
            continue
        assert kept(path, asked, path.parent / "cache", form)[0] == expected
        versions.append(lines)
        done += 1
    return done


MARKED = TEXT.replace("  call beside(n, x)", "  !$AD NOCHECKPOINT\n  call beside(n, x)")
WAYS: dict[str, tuple[str, Asked]] = {
    "as always": (TEXT, Asked()),
    "recursion": (RECURSIVE, Asked()),
    "recursion and all strategies": (RECURSIVE, Asked(choices=Choices("lazy,eager,optimal"))),
    "split mode by a directive": (MARKED, Asked()),
    "split mode of all calls": (TEXT, Asked(choices=Choices(call_checkpoints=False))),
    "split mode of one procedure": (TEXT, Asked(choices=Choices(split=("second",)))),
    "split mode above a recursion": (RECURSIVE, Asked(choices=Choices(split=("leaf",)))),
    "optimal": (TEXT, Asked(choices=Choices("lazy,optimal"))),
    "a frontier": (TEXT, Asked(choices=Choices(pareto=True))),
    "a partition": (TEXT, Asked(choices=Choices("Opt1+=*;Opt3+=*"))),
    "several heads": (TEXT, Asked(SEVERAL)),
    "codes by calling pattern": (TEXT, Asked(choices=Choices(context=True))),
    "patterns and split mode": (MARKED, Asked(choices=Choices(context=True, split=("first",)))),
    "a region": (TEXT, Asked(lines=(42, 43))),
    "a region and several heads": (TEXT, Asked(SEVERAL, lines=(10, 12))),
    "recomputed": (TEXT, Asked(choices=Choices(recompute=True, record_branches=True))),
    "counted": (TEXT, Asked(choices=Choices(counts={("a.f90", 11): 30, ("a.f90", 27): 4}))),
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("number", [9, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", WAYS)
def test_several_procedures_after_random_edits(way: str, number: int, tmp_path: Path,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text, asked = WAYS[way]
    assert compare(text.splitlines(), Path("a.f90"), asked, number) > number // 4


SOURCES = [p for p in sorted(CORPUS.iterdir()) if p.suffix in (".f", ".f90") and p.with_suffix(".expected").exists()]
DEAR = ("semi_implicit.f90",)  # ten seconds: half the search for an optimal partition of it
CHOICES = (Choices(), Choices(call_checkpoints=False), Choices("lazy,optimal", context=True))


@pytest.mark.sample(4)
@pytest.mark.parametrize("number", [1, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("source", [pytest.param(p, marks=pytest.mark.wide) if p.name in DEAR else p for p in SOURCES],
                         ids=lambda path: path.name)
def test_the_corpus_after_random_edits(source: Path, number: int, tmp_path: Path) -> None:
    head = parse_expected(source.with_suffix(".expected").read_text()).head
    choices = CHOICES[sum(source.name.encode()) % len(CHOICES)]
    compare(source.read_text().splitlines(), tmp_path / source.name, Asked((head,), choices), number)
