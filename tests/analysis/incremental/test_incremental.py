"""Reports from what earlier runs remember: the same text as without, after any edit, and no more work than the edit."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from snapset.analysis.incremental.query_engine import Node
from snapset.analysis.pipeline import HeadAnalysis
from snapset.documents.json_text import dumps
from snapset.frontend.persistence.disk_cache import open_cache
from snapset.library.analysis import Choices, Region, parse_heads, reports
from snapset.library.session import Session
from snapset.render.layout.byte_figures import Figures
from snapset.render.pages import head_report, report_text
from snapset.render.pages.head_report import OutputForm, Writing
from snapset.render.records import report_json

JSON = OutputForm(True, (80, False, False), {})
HEAD = "top(x)>(y)"
SEVERAL = (HEAD, "second(a)>(b)", "beside(a)>(a)")
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

    @property
    def key(self) -> str:
        """As of who writes, so that what is written of one head of several is kept whole."""
        return Writing(self.form).key

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


def test_nothing_is_made_of_what_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "a.f90"
    for text in (TEXT, TEXT.replace("a(i)*b(i)", "b(i)*b(i)"), TEXT):
        path.write_text(text)
        _, use = kept(path, Asked(), tmp_path / "cache")
    assert use.made("Models.together", "Activity.inside", "HeadReport.code") == set()


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
