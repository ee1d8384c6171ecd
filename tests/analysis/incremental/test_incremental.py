"""Reports from what earlier runs kept: the same text as without, after any edit, and no more work than the edit."""

from __future__ import annotations

import random
import re
import sqlite3
from pathlib import Path

import pytest
from snapset.analysis.incremental import cached_models
from snapset.analysis.incremental.warm_pipeline import Incremental
from snapset.documents.json_text import dumps
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.persistence.disk_cache import open_cache
from snapset.library.analysis import Choices, parse_heads, report
from snapset.library.session import Session
from snapset.render import cached_report, report_json, report_text
from snapset.render.byte_figures import Figures
from snapset.render.cached_report import Form

from tests.support.corpus import CORPUS, parse_expected

JSON = Form(True, (80, False, False), {})
HEAD = "top(x)>(y)"
TEXT = """\
module work
  implicit none
  real(8) :: table(10)
contains
  subroutine first(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b(n)
    integer :: i
    do i = 1, n
      b(i) = a(i)*b(i)
    end do
  end subroutine
  subroutine second(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n), b(n)
    call first(n, a, b)
    a(1) = sin(b(2))
  end subroutine
  subroutine beside(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    a = a*a
  end subroutine
  subroutine waiting(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    do while (a(1) > 1)
      a(1) = 0.5*a(1)*a(n)
    end do
  end subroutine
end module
subroutine top(n, x, y)
  use work
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  call second(n, x, y)
  call beside(n, x)
  call waiting(n, y)
  x = exp(x)
  y = x*y
end subroutine
"""


def kept(path: Path, head: str, cache: Path, form: Form = JSON) -> tuple[str | None, Incremental | None]:
    """The report through the cache; None where the program cannot be done procedure by procedure."""
    store = open_cache(cache)
    session = Session((str(path),), parse_heads([head]), cache=store)
    found = session.incremental(Choices())
    written = None if found is None else cached_report.write(found, form)
    if found is not None:
        found.shelf.save()
    store.close()
    assert store.trouble is None
    return (None if written is None else written[0]), found


def whole(path: Path, head: str, form: Form = JSON) -> str:
    """The report without."""
    result, figures = report([str(path)], head), Figures(form.assume)
    if form.json:
        return dumps([report_json.document(result, figures)])
    return report_text.write(result, figures, width=form.look[0])


EDITS = {
    "nothing": ("", "", []),
    "a right-hand side that reads and writes the same": ("b(i) = a(i)*b(i)", "b(i) = b(i) + a(i)*b(i)", ["first"]),
    "what is read no more": ("a(i)*b(i)", "b(i)*b(i)", ["first", "second", "top", "waiting"]),
    "a statement more": ("a(1) = sin(b(2))", "a(1) = sin(b(2)); a(2) = a(1)", ["second", "top"]),
    "a constant": ("0.5*a(1)", "0.25*a(1)", ["waiting"]),
    "another call": ("  call beside(n, x)", "  call beside(n, x); call beside(n, y)", ["top"]),
    "a line above": ("real(8) :: table", "\n\n  real(8) :: table", ["waiting", "top"]),
    "a line above what has no unknown trip count": ("subroutine top", "\nsubroutine top", []),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_costs_what_depends_on_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The models, the codes, the records and the parts that are made are those of the procedures named."""
    old, new, expected = EDITS[name]
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    first, _ = kept(path, HEAD, tmp_path / "cache")
    assert first == whole(path, HEAD)
    assert TEXT.count(old) == 1 or not old
    path.write_text(TEXT.replace(old, new))
    parts: list[str] = []
    made = Incremental.parts

    def noted(self: Incremental, procedure: str) -> object:
        before = len(self.models.made)
        found = made(self, procedure)
        parts.extend([procedure] if len(self.models.made) > before or procedure in self.models.made else [])
        return found

    monkeypatch.setattr(Incremental, "parts", noted)
    text, found = kept(path, HEAD, tmp_path / "cache")
    assert text == whole(path, HEAD)
    assert found is not None
    assert sorted({key.rpartition("::")[2] for key in found.models.made}) == sorted(expected)
    assert {key.rpartition("::")[2] for key in parts} <= set(expected)


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


def compare(source: list[str], path: Path, head: str, number: int) -> int:
    """So many edits of the text, or of one another: how many were done procedure by procedure.

    Each must be what it is without.
    """
    draw, done = random.Random(path.name), 0
    versions = [source]
    for _ in range(number + 1):
        lines = changed(versions[-1] if draw.random() < 0.5 else draw.choice(versions), draw) if done else source
        path.write_text("\n".join(lines) + "\n")
        form = Form(draw.random() < 0.7, (80, False, False), draw.choice([{}, {}, {"n": 7}]))
        try:
            expected = whole(path, head, form)
        except InputError:
            continue
        text, _ = kept(path, head, path.parent / "cache", form)
        assert text in (None, expected)
        if text is not None:
            versions.append(lines)
            done += 1
        elif not done:
            break
    return done


def test_several_procedures_after_random_edits(tmp_path: Path) -> None:
    assert compare(TEXT.splitlines(), tmp_path / "a.f90", HEAD, 60) > 20


SOURCES = [p for p in sorted(CORPUS.iterdir()) if p.suffix in (".f", ".f90") and p.with_suffix(".expected").exists()]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_corpus_after_random_edits(source: Path, tmp_path: Path) -> None:
    head = parse_expected(source.with_suffix(".expected").read_text()).head
    compare(source.read_text().splitlines(), tmp_path / source.name, head, 3)


def test_only_what_can_be_seen_of_others_is_looked_at(tmp_path: Path) -> None:
    """An analysis of one procedure that read more of another one's model or code would not notice that it changed."""
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, HEAD, tmp_path / "cache")
    for at, line in enumerate(TEXT.splitlines()):
        if "=" in line and "do" not in line:
            lines = TEXT.splitlines()
            lines[at] = f"{line}; {line}"
            path.write_text("\n".join(lines))
            _, found = kept(path, HEAD, tmp_path / "cache")
            assert found is not None
            (procedure, *others) = dict.fromkeys(found.models.made)
            callers = {"first": ["second", "top"], "second": ["top"], "beside": ["top"], "waiting": ["top"], "top": []}
            assert {one.rpartition("::")[2] for one in others} <= set(callers[procedure.rpartition("::")[2]])


def test_what_does_not_fit_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is not what it was from the same input: all is analysed again."""
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, HEAD, tmp_path / "cache")
    path.write_text(TEXT.replace("a(i)*b(i)", "b(i)*b(i)"))

    def other(self: cached_models.KeptModels, key: str, name: str) -> object:
        raise cached_models.StaleError(key)

    monkeypatch.setattr(cached_models.KeptModels, "_rest", other)
    store = open_cache(tmp_path / "cache")
    assert Session((str(path),), parse_heads([HEAD]), cache=store).incremental(Choices()) is None
    monkeypatch.undo()
    assert kept(path, HEAD, tmp_path / "cache")[0] == whole(path, HEAD)


@pytest.mark.parametrize("seed", range(4))
def test_entries_that_are_damaged_or_gone(seed: int, tmp_path: Path) -> None:
    """Any of them, those that others lead to among them, or all: the answer is what it is without."""
    draw = random.Random(seed)
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, HEAD, tmp_path / "cache")
    (file,) = (tmp_path / "cache").glob("*.sqlite")
    with sqlite3.connect(file) as connection:
        for key, value in connection.execute("select key, value from entry order by key").fetchall():
            match draw.randrange(3) if seed else 1:
                case 0:
                    connection.execute("delete from entry where key = ?", (key,))
                case 1:
                    connection.execute("update entry set value = ? where key = ?", (value[:-1] + b"?", key))
    path.write_text(TEXT.replace("a(i)*b(i)", "b(i)*b(i)").replace("0.5*", "0.25*"))
    store = open_cache(tmp_path / "cache")
    session = Session((str(path),), parse_heads([HEAD]), cache=store)
    found = session.incremental(Choices())
    assert found is not None
    written = cached_report.write(found, JSON)
    assert written is not None
    assert written[0] == whole(path, HEAD)
    assert seed or store.trouble is not None
