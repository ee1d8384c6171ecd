"""Reports from what earlier runs remember: the same text as without, after any edit, and no more work than the edit."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from snapset.analysis.incremental.query_engine import Node
from snapset.analysis.incremental.result_store import TraceStore
from snapset.analysis.pipeline import HeadAnalysis
from snapset.documents.json_text import dumps
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text
from snapset.frontend.persistence.disk_cache import open_cache
from snapset.library.analysis import Choices, Region, parse_heads, reports
from snapset.library.head_runs import NewEntries
from snapset.library.session import Session
from snapset.render.layout.byte_figures import Figures
from snapset.render.pages import head_report, report_text
from snapset.render.pages.head_report import OutputForm, Writing
from snapset.render.records import report_json

from tests.support.corpus import CORPUS, parse_expected

JSON = OutputForm(True, (80, False, False), {})
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


RECURSIVE = """\
module tree
  implicit none
  real(8) :: weight(3)
contains
  recursive subroutine down(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a, b
    if (n > 0) then
      a = a*b
      call across(n - 1, b, a)
      b = b + sin(a)
    end if
  end subroutine
  recursive subroutine across(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a, b
    call leaf(a, b)
    if (n > 1) call down(n - 2, a, b)
    a = a*weight(1)
  end subroutine
  subroutine leaf(a, b)
    real(8), intent(inout) :: a, b
    a = a*b
    b = 0.5*b
  end subroutine
end module
subroutine top(n, x, y)
  use tree
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y
  call leaf(x, y)
  call down(n, x, y)
  x = exp(x)
  call leaf(y, x)
  y = x*y
end subroutine
"""


@dataclass
class Noting:
    """Writes a head's parts; ``computed``: what was made for it."""

    form: OutputForm
    computed: list[Node] = field(default_factory=list)

    def __call__(self, found: HeadAnalysis) -> Any:
        plain = Writing(self.form)(found)
        self.computed += found.engine.computed
        return plain

    def made(self, *queries: str) -> set[str]:
        """The procedures for which these were made."""
        keys = (key for node in self.computed if node[0] in queries
                for key in (node[-1] if isinstance(node[-1], tuple) else node[1:2]))
        return {str(key).rpartition("::")[2] for key in keys}


@dataclass(frozen=True)
class Asked:
    """How a file is analysed."""

    heads: tuple[str, ...] = (HEAD,)
    choices: Choices = field(default_factory=Choices)
    lines: tuple[int, int] | None = None

    def regions(self, path: Path) -> tuple[Region, ...]:
        return () if self.lines is None else ((str(path), *self.lines),)


def kept(path: Path, asked: Asked, cache: Path, form: OutputForm = JSON) -> tuple[str, Noting]:
    """The report through the cache."""
    store, use = open_cache(cache), Noting(form)
    session = Session((str(path),), parse_heads(asked.heads), cache=store, regions=asked.regions(path))
    written = [head_report.head_written(form, plain) for plain in session.each(asked.choices, use)]
    store.close()
    assert store.trouble is None
    return head_report.page(written, form.json, form.look), use


def whole(path: Path, asked: Asked, form: OutputForm = JSON) -> str:
    """The report without, every part written from the whole result."""
    results = reports([str(path)], asked.heads, asked.choices, regions=asked.regions(path))
    if form.json:
        return dumps([report_json.document(one, Figures(form.assume)) for one in results])
    return "\n".join(report_text.write(one, Figures(form.assume), width=form.look[0]) for one in results)


EDITS = {
    "nothing": ("", "", []),
    "a right-hand side that reads and writes the same": ("b(i) = a(i)*b(i)", "b(i) = b(i) + a(i)*b(i)", ["first"]),
    "what is read no more": ("a(i)*b(i)", "b(i)*b(i)", ["beside", "first", "second", "top", "waiting"]),
    "a statement more": ("a(1) = sin(b(2))", "a(1) = sin(b(2)); a(2) = a(1)",
                         ["second", "top"]),  # beside is not asked: what second writes is two elements now
    "a constant": ("0.5*a(1)", "0.25*a(1)", ["waiting"]),
    "another call": ("  call beside(n, x)", "  call beside(n, x); call beside(n, y)", ["top"]),
    "a line above": ("real(8) :: table", "\n\n  real(8) :: table", ["waiting", "top"]),
    "a line above what has no unknown trip count": ("subroutine top", "\nsubroutine top", []),
}  # fmt: skip



@pytest.mark.sample(2)
@pytest.mark.parametrize("name", EDITS)
def test_an_edit_costs_what_depends_on_it(name: str, tmp_path: Path) -> None:
    """The models that are made are those of the procedures named, and so are the texts."""
    old, new, expected = EDITS[name]
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    first, _ = kept(path, Asked(), tmp_path / "cache")
    assert first == whole(path, Asked())
    assert TEXT.count(old) == 1 or not old
    path.write_text(TEXT.replace(old, new))
    text, use = kept(path, Asked(), tmp_path / "cache")
    assert text == whole(path, Asked())
    assert sorted(use.made("Models.together")) == sorted(expected)
    assert use.made("Adjoints.together", "HeadRecords.together", "HeadCosts.together", "PartBuilder.anywhere",
                    "HeadReport.code") <= set(expected)


CHAIN = """\
subroutine inner(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = 3*x
end subroutine
subroutine middle(x, y)
  real(8), intent(inout) :: x, y
  call inner(x, y)
  x = x*y
end subroutine
subroutine top(x, y)
  real(8), intent(inout) :: x, y
  call middle(x, y)
  y = y*x
end subroutine
"""


@pytest.mark.parametrize(("old", "new", "expected", "said"), [
    ("b(i) = a(i)*b(i)", "b(i) = a(i)*b(i) + a(i)", {"first"}, ""),
    ("b(i) = a(i)*b(i)\n", "b(i) = a(i)*b(i)\n      read (*, *) b(i)\n", {"first"}, "READ"),
    ("real(8), intent(in) :: a(n)", "real(8), intent(in) :: a(*)", {"first", "second"}, ""),
    ("real(8), intent(in) :: a(n)", "real(8), pointer :: a(:)",  # a pointer may lead anywhere: all are asked again
     {"beside", "first", "second", "top", "waiting"}, "which is a pointer"),
])
def test_what_replay_refuses_is_asked_again_where_it_can_be_otherwise(
        old: str, new: str, expected: set[str], said: str, tmp_path: Path) -> None:
    """Of a procedure that is called only the dummy arguments count."""
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, Asked(), tmp_path / "cache")
    assert TEXT.count(old) == 1
    path.write_text(TEXT.replace(old, new))
    text, use = kept(path, Asked(), tmp_path / "cache")
    assert use.made("HeadAnalysis.refused") == expected
    assert said in text
    assert text == whole(path, Asked())


PASSED_ON = """\
subroutine act(x)
  real(8), intent(inout) :: x(3)
  x = 3*x
end subroutine
subroutine apply(f, x)
  external f
  real(8), intent(inout) :: x(3)
  call f(x)
end subroutine
subroutine top(x)
  real(8), intent(inout) :: x(3)
  external act
  call apply(act, x)
end subroutine
"""


@pytest.mark.parametrize(("old", "new", "same"), [
    ("x = 3*x", "x = 4*x*x", True),
    ("inout) :: x(3)\n  x = 3*x", "inout) :: x(*)\n  x(:3) = 3*x(:3)", False),
    ("subroutine act(x)\n  real(8)", "elemental subroutine act(x)\n  real(8)", False),
])
def test_dummy_arguments_count_of_what_no_name_leads_to(old: str, new: str, same: bool) -> None:
    """Of act's dummy argument apply's own statements say nothing."""
    assert PASSED_ON.count(old) == 1
    stamps = []
    for text in (PASSED_ON, PASSED_ON.replace(old, new)):
        store = TraceStore(NewEntries(), b"head")
        program = load_text(text, "a.f90")
        analysis = HeadAnalysis(program, parse_heads(["top(x)>(x)"])[0], memory=lambda _, store=store: store)
        analysis.refused("apply")
        reads = dict(store.traces(("HeadAnalysis.refused", "apply"))[0].reads)
        stamps.append(reads["ProgramFacts.dummies", "act"])
    assert (stamps[0] == stamps[1]) == same


SHARING = """subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: t
  t = x
  call within()
  y = t*x
contains
  subroutine within()
    call further()
  end subroutine
  subroutine further()
    t = t*t
  end subroutine
end subroutine
"""


def test_an_internal_procedure_may_change_what_replay_refuses_of_its_host(tmp_path: Path) -> None:
    """The host's frame holds what they share, also where it is another one that calls them."""
    path = tmp_path / "a.f90"
    path.write_text(SHARING)
    kept(path, Asked(), tmp_path / "cache")
    path.write_text(SHARING.replace("t = t*t", "t = t*t*x"))
    text, use = kept(path, Asked(), tmp_path / "cache")
    assert use.made("HeadAnalysis.refused") == {"top", "further"}
    assert text == whole(path, Asked())


def test_nothing_is_made_of_what_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "a.f90"
    for text in (TEXT, TEXT.replace("a(i)*b(i)", "b(i)*b(i)"), TEXT):
        path.write_text(text)
        _, use = kept(path, Asked(), tmp_path / "cache")
    assert use.made("Models.together", "Activity.inside", "HeadReport.code") == set()


@pytest.mark.parametrize("new", ["floor(x)", "3*x + y", "3", "sin(x)"])
def test_activity_is_asked_again_where_a_callee_answers_otherwise(new: str, tmp_path: Path) -> None:
    """What inner reads and writes is the same, only not what depends on what."""
    path = tmp_path / "a.f90"
    path.write_text(CHAIN)
    kept(path, Asked(), tmp_path / "cache")
    before = whole(path, Asked())
    path.write_text(CHAIN.replace("3*x", new))
    text, _ = kept(path, Asked(), tmp_path / "cache")
    assert text == whole(path, Asked())
    assert (text != before) or new == "sin(x)"


# ---------------------------------------------------------------- random edits


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
SEVERAL = (HEAD, "second(a)>(b)", "beside(a)>(a)")
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
CHOICES = (Choices(), Choices(call_checkpoints=False), Choices("lazy,optimal", context=True))


@pytest.mark.sample(4)
@pytest.mark.parametrize("number", [1, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_corpus_after_random_edits(source: Path, number: int, tmp_path: Path) -> None:
    head = parse_expected(source.with_suffix(".expected").read_text()).head
    choices = CHOICES[sum(source.name.encode()) % len(CHOICES)]
    compare(source.read_text().splitlines(), tmp_path / source.name, Asked((head,), choices), number)


def test_only_what_can_be_seen_of_others_is_looked_at(tmp_path: Path) -> None:
    """A statement that is doubled changes nothing that callers see."""
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, Asked(), tmp_path / "cache")
    callers = {"first": {"second", "top"}, "second": {"top"}, "beside": {"top"}, "waiting": {"top"}, "top": set[str]()}
    for at, line in enumerate(TEXT.splitlines()):
        if "=" in line and "do" not in line:
            lines = TEXT.splitlines()
            lines[at] = f"{line}; {line}"
            path.write_text("\n".join(lines))
            _, use = kept(path, Asked(), tmp_path / "cache")
            keys = [node[1][0].rpartition("::")[2] for node in use.computed if node[0] == "Models.together"]
            assert keys
            assert set(keys) <= {keys[0]} | callers[keys[0]]


@pytest.mark.parametrize("seed", range(4))
def test_entries_that_are_damaged_or_gone(seed: int, tmp_path: Path) -> None:
    """Any of them, those that others lead to among them, or all: the answer is what it is without."""
    draw = random.Random(seed)
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, Asked(), tmp_path / "cache")
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
    (plain,) = session.each(Choices(), Writing(JSON))
    written = head_report.page([head_report.head_written(JSON, plain)], JSON.json, JSON.look)
    assert written == whole(path, Asked())
    assert seed or store.trouble is not None


def test_what_does_not_fit_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that reads other things than it did of the same input: all is analysed again."""
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, Asked(), tmp_path / "cache")
    path.write_text(TEXT.replace("a(i)*b(i)", "b(i)*b(i)"))
    right, others = HeadAnalysis.__init__, []

    def other(self: HeadAnalysis, *args: Any, **given: Any) -> None:
        right(self, *args, **given)
        together = self.engine._rules["Models.together"]
        others.append(self)
        if len(others) == 1:
            self.engine._rules["Models.together"] = type(together)(
                lambda keys: (self.models.place("top"), together.compute(keys))[1], together.keep, together.content)

    monkeypatch.setattr(HeadAnalysis, "__init__", other)
    text, _ = kept(path, Asked(), tmp_path / "cache")
    assert text == whole(path, Asked())
    assert len(others) > 1


def test_heads_side_by_side_are_remembered(tmp_path: Path) -> None:
    """Other processes make what there is to be remembered, this one keeps it."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    path, asked = tmp_path / "a.f90", Asked(SEVERAL)
    path.write_text(TEXT)
    store = open_cache(tmp_path / "cache")
    session = Session((str(path),), parse_heads(asked.heads), cache=store)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        plain: Sequence[Any] = list(session.each(asked.choices, Writing(JSON), pool))
    store.close()
    written = [head_report.head_written(JSON, one) for one in plain]
    assert head_report.page(written, True, JSON.look) == whole(path, asked)
    text, use = kept(path, asked, tmp_path / "cache")
    assert text == whole(path, asked)
    assert use.made("Models.together", "HeadReport.code") == set()
