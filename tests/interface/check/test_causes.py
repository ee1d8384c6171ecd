"""A cause is the statement that changed, wherever it stands; what follows from it is under it, with its bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.check.causes import saved
from snapset.check.changed_lines import Change, changes
from snapset.check.lock_comparison import Finding
from snapset.cli.main import main
from snapset.frontend.base.diagnostics import Span

from tests.support.interface.revisions import commit, repository

TOP = """\
subroutine run(x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t(n), g(n)
  t = x
  g = x + 1d0
  call outer(t, g, n)
  y = sum(t*g)
end subroutine
"""
INNER = """\
subroutine outer(t, g, n)
  integer, intent(in) :: n
  real(8) :: t(n), g(n)
  call inner(t, g, n)
  t = t*g
end subroutine
subroutine inner(a, b, n)
  integer, intent(in) :: n
  real(8) :: a(n), b(n)
  a = a*a*b
end subroutine
"""
PROJECT = """\
sources = ["*.f90"]
heads = ["run(x)>(y)"]
assume = { n = 100 }
"""
Causes = Callable[..., list[tuple[str, int, str, dict[str, int], int]]]


@pytest.fixture
def causes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Causes:
    """What ``snapset check`` says of changed texts: file, line, title, bytes, and how many parts are under it."""
    monkeypatch.chdir(tmp_path)
    repository(tmp_path, {"top.f90": TOP, "inner.f90": INNER, "snapset.toml": PROJECT})
    main(["check", "--update"])
    commit(tmp_path)

    def found(committed: bool = False, **texts: str) -> list[tuple[str, int, str, dict[str, int], int]]:
        for name, text in texts.items():
            (tmp_path / f"{name}.f90").write_text(text)
        if committed:
            commit(tmp_path)
        capsys.readouterr()
        main(["check", "--format", "json"])
        document = json.loads(capsys.readouterr().out)
        shown = []
        for one in document["causes"]:
            parts = {document["findings"][place]["part"] for place in one["findings"]}
            shown.append((one["file"], one["line"], one["title"], one["bytes"], len(parts)))
        return shown

    return found


@pytest.mark.parametrize("committed", [False, True])
def test_one_statement_in_a_callee_of_a_callee(causes: Causes, committed: bool) -> None:
    """inner now overwrites b: both calls keep it, 800 bytes each, under lazy; and the tape of its second run."""
    larger = INNER.replace("  a = a*a*b\n", "  a = a*a*b\n  b = b*a\n")
    ((file, line, title, size, parts),) = causes(committed, inner=larger)
    assert (file, line, title, parts) == ("inner.f90", 11, "b = b*a", 2)
    assert size["lazy"] >= 1600


def test_a_statement_that_is_gone(causes: Causes) -> None:
    (one,) = causes(inner=INNER.replace("  a = a*a*b\n", ""))
    assert one == ("inner.f90", 10, "removed before it: a = a*a*b", {}, 2)  # the inner call needs no checkpoint now


def test_two_changes_are_two_causes(causes: Causes) -> None:
    """Each location has its own: b in inner, t in outer's caller."""
    larger = INNER.replace("  a = a*a*b\n", "  a = a*a*b\n  b = b*a\n")
    found = causes(inner=larger, top=TOP.replace("  y = sum", "  t = t*t\n  y = sum"))
    assert {(file, title) for file, _, title, *_ in found} >= {("inner.f90", "b = b*a")}
    assert len(found) >= 2


def test_what_reads_the_same_is_no_change(causes: Causes) -> None:
    swapped = TOP.replace("t(n), g(n)", "g(n), t(n)")
    assert causes(inner="! more\n" + INNER.upper().replace("*", " * "), top=swapped) == []


def test_changed_lines_leave_comments_blanks_and_case_out() -> None:
    before = "a = 1\nb = 2 ! two\nc = 'x!y'\n!$omp parallel\nd = 4\n"
    assert [*changes("a.f90", before, "A=1\n\n! new\nb = 2\nc='x!y' ! why\n!$omp parallel\nd = 4\n")] == []
    assert [*changes("a.f90", before, before.replace("'x!y'", "'x!z'"))] == [Change("a.f90", 3, 3)]
    assert [*changes("a.f90", before, before.replace("!$omp parallel", "!$omp single"))] == [Change("a.f90", 4, 4)]
    assert [*changes("a.f90", before, before.replace("b = 2 ! two\n", ""))] == [Change("a.f90", 2, 2, "b = 2 ! two")]
    assert [*changes("a.f", "c old\n      x = 1\n", "* new\n      x = 1\n")] == []
    assert [*changes("a.f90", "c = 1\n", "c = 2\n")] == [Change("a.f90", 1, 1)]  # no comment in free form


def test_neighbours_are_two_causes_each_with_what_it_does(causes: Causes) -> None:
    """Two statements that are new in one place: t is saved for one of them, g for the other."""
    new = INNER.replace("  a = a*a*b\n", "  a = a*a*b\n  b = b*b\n  print *, a\n")
    assert [(file, line) for file, line, *_ in causes(inner=new)] == [("inner.f90", 11), ("inner.f90", 12)]


def test_continuation_lines_are_one_statement() -> None:
    one = "a = b + c\nd = 1\n"
    assert not list(changes("x.f90", one, "a = b & ! more\n\n  & + c\nd = 1\n"))
    assert not list(changes("x.f", "      a = b + c\n", "      a = b\n     &  + c\n"))
    found = list(changes("x.f90", one, "a = b &\n  + e\nd = 1\nf = 2\n"))
    assert found == [Change("x.f90", 1, 2), Change("x.f90", 4, 4)]


def test_what_is_in_snp_and_sbk_counts_once() -> None:
    def finding(name: str, location: str, before: int | str | None, after: int | str | None) -> Finding:
        return Finding(Span("a.f90", 1, 1), "p, part 1", "", "larger", "h", "lazy", name, location, "", before, after)

    every = [finding("snp", "a", None, "8*n"), finding("sbk", "a", None, "8*n"), finding("tape_d", "a", None, 8),
             finding("snp", "b", 24, None), finding("peak_bytes", "", 0, 99), finding("req_d", "c", None, "")]
    (size,) = saved(every).values()
    assert str(size) == "8*n - 16"
    assert saved([*every, finding("snp", "d", None, "unknown size")]) == {"lazy": None}


def test_less_in_formulas_is_said_as_less(causes: Causes, capsys: pytest.CaptureFixture[str]) -> None:
    """``-8*n bytes more to save`` was said."""
    Path("snapset.toml").write_text(PROJECT.replace("assume = { n = 100 }\n", ""))
    main(["check", "--update"])
    Path("inner.f90").write_text(INNER.replace("a = a*a*b", "a = a + b"))
    capsys.readouterr()
    assert main(["check"]) == 1
    out = capsys.readouterr().out
    assert re.search(r", 8\*n bytes less to save \(", out), out
    assert "-8*n" not in out
