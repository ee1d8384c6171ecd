"""fparser as the second reader, and as the judge of the first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.load import load_text
from snapset.frontend.lowering import procedure
from snapset.frontend.parsing import fparser_wall, statement_classifier
from snapset.frontend.parsing.fparser_wall import second_opinion, statement_class

from benchmarks.fparser_judge import theirs
from benchmarks.fparser_judge.judge import Verdict
from tests.support.corpus import CORPUS

PROGRAM = """\
subroutine f(x, y)
  real(8) :: x, y
  y = x
  {statement}
  y = x*y
end subroutine f
"""


@pytest.mark.parametrize(("text", "found"), [
    ("wait (10)", "Wait_Stmt"), ("error stop 1", "Error_Stop_Stmt"), ("if (x) 10, 20, 30", "Arithmetic_If_Stmt"),
    ("y = a .cross. b", "Assignment_Stmt"), ("integer :: i", "Type_Declaration_Stmt"), ("sync all", None),
    ("accept *, x", None), ("foo bar baz", None), ("end subroutine", None), ("y = 1\nz = 2", None),
])  # fmt: skip
def test_what_fparser_makes_of_a_statement(text: str, found: str | None) -> None:
    assert statement_class(text) == found


def test_it_is_not_asked_for_what_takes_it_exponential_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fparser.common.readfortran", None)  # importing it fails
    for text in ("y = " + "f(" * 30 + "x" + ")" * 30, "call s(" + "x, " * 500 + "x)"):
        assert (statement_class(text), second_opinion(text)) == (None, "")


def said(statement: str) -> list[str]:
    program = load_text(PROGRAM.format(statement=statement))
    return [one.message for one in program.diagnostics if one.code == "SN202"]


def test_an_opaque_statement_says_what_fparser_made_of_it() -> None:
    everything = "taken to read and write everything it can reach"
    assert said("sync all") == [f"not understood: `sync all` (nor does fparser read it); {everything}"]
    assert said("accept *, x") == [f"not understood: `accept *, x` (nor does fparser read it); {everything}"]


def test_what_only_fparser_knows_is_opaque_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our classifier made to forget WAIT."""
    monkeypatch.setattr(procedure, "IO_ACTIONS", ("read", "write"))
    program = load_text(PROGRAM.format(statement="wait (10)"))
    (one,) = (one for one in program.diagnostics if one.code == "SN202")
    assert one.message.startswith("not understood: `wait (10)` (fparser: Wait_Stmt); taken")
    body = program.procedures["f"].body
    assert [type(stmt) for stmt in body] == [ir.Assign, ir.Opaque, ir.Assign]


def test_the_corpus_needs_no_fparser() -> None:
    code = (
        "import sys, snapset\n"
        "for file in sys.argv[1:]: snapset.load([file])\n"
        "assert 'fparser' not in sys.modules\n"
    )
    files = [str(file) for file in CORPUS.iterdir() if file.suffix in (".f", ".f90")]
    assert len(files) > 100
    done = subprocess.run([sys.executable, "-c", code, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------- the judge


@pytest.mark.wide
def test_the_readers_agree_on_every_statement_of_the_corpus() -> None:
    verdict = Verdict()
    for file in sorted(CORPUS.iterdir()):
        if file.suffix in (".f", ".f90"):
            verdict.judge(file)
    assert verdict.unread == {}
    assert verdict.differences == []
    assert verdict.files > 100
    assert verdict.statements > 2500
    assert verdict.expressions > 3500


@pytest.mark.parametrize(("ours", "fparser", "what"), [
    ("y = a - b - c", "y = a - (b - c)", "tree"), ("y = -x**2", "y = (-x)**2", "tree"),
    ("y = x(1)%b(2)", "y = x(1)%b(3)", "tree"), ("y = f(x)", "y = f((x))", "tree"), ("y = 1.0d0", "y = 1.0", "tree"),
    ("call s(x, k=1)", "call s(x, 1)", "tree"), ("c(1:2) = c", "c(1:) = c", "tree"), ("y = 'a''b'", "y = 'ab'", "tree"),
    ("do i = 1, n", "do i = 1, n, 2", "tree"), ("if (x > 0) y = 1", "if (x > 0) y = 2", "tree"),
    ("where (x > 0) y = 1", "if (x > 0) y = 1", "class"), ("stop", "return", "class"),
    ("allocate (a(n))", "allocate (a(0:n))", "tree"), ("real :: a(n, 2)", "real :: a(n, 3)", "tree"),
    ("print *, (a(i), i = 1, 3)", "print *, (a(i), i = 1, 4)", "tree"),
])  # fmt: skip
def test_the_judge_sees_a_difference(ours: str, fparser: str, what: str, tmp_path: Path,
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reader is given another statement."""
    def unit(statement: str) -> str:
        return f"subroutine s\n{statement}\n{'end do' if statement.startswith('do ') else 'continue'}\nend\n"

    file = tmp_path / "a.f90"
    file.write_text(unit(ours))
    same, other = Verdict(), Verdict()
    same.judge(file)
    assert (same.differences, same.unread) == ([], {})
    read = theirs.statements
    monkeypatch.setattr(theirs, "statements", lambda text, free: read(unit(fparser), free))
    other.judge(file)
    assert [one.what for one in other.differences] == [what]
    assert other.differences[0].line == 2


def test_a_second_opinion_is_asked_for_nothing_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(fparser_wall, "statement_class", lambda text: asked.append(text))
    for statement in ("x = sin(y)", "call g(x)", "if (x > y) y = x", "write (*, *) x"):
        assert statement_classifier.classify(statement).kind != "unknown"
        load_text(PROGRAM.format(statement=statement))
    assert asked == []
