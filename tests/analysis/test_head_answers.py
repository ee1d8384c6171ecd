"""What was made of a head is kept whole, and found where nothing that it was made from has changed, and only there."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.analysis.incremental.query_engine import Node, Trace
from snapset.analysis.incremental.result_store import TraceStore
from snapset.analysis.pipeline import HeadAnalysis
from snapset.cli.main import main

TEXT = """module shared
  integer, parameter :: n = 4
  real(8) :: w(n)
  real(8), allocatable :: grown(:)
end module shared
module m
  use shared
contains
  subroutine beside(x)
    real(8), intent(inout) :: x(n)
    x = x*x
  end subroutine beside
  subroutine below(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    y = y*x
  end subroutine below
  subroutine start()
    allocate(grown(n))
  end subroutine start
  subroutine first(x, y)
    real(8), intent(inout) :: x(n)
    real(8), intent(out) :: y
    call below(x, w)
    call beside(x)
    x = x*w
    y = sum(x)
  end subroutine first
  subroutine second(x, y)
    real(8), intent(inout) :: x(n)
    real(8), intent(out) :: y
    call below(x, x)
    grown = x*x
    x = sin(grown)
    call beside(x)
    y = sum(x)
  end subroutine second
end module m
program all
  use m
  real(8) :: x(n), y
  call start
  call first(x, y)
  call second(x, y)
end program all
"""
HEADS = ("m%first(x)>(y)", "m%second(x)>(y)", "m%first(w)>(y)", "m%beside(x)>(x)")
EDITS = {  # of each, which heads are gone through again: the first asks who allocates, so all of the program's text
    "nothing that counts": ("call start\n", "call start\n  y = 0\n", (0,)),
    "a procedure's own": ("x = sin(grown)", "x = cos(grown)", (0, 1)),
    "what is below two": ("y = y*x", "y = y + x*y", (0, 1, 2)),
    "what is below all": ("    x = x*x", "    x = x*x + x", (0, 1, 2, 3)),
    "a line below which two stand": ("  subroutine start()", "\n  subroutine start()", (0, 1, 2)),
    "who allocates": ("allocate(grown(n))", "allocate(grown(2*n))", (0,)),
    "another call": ("call below(x, w)", "call beside(w)", (0, 2)),
    "a constant of all": ("n = 4", "n = 5", (0, 1, 2, 3)),
    "a module's variable": ("real(8) :: w(n)", "real(8) :: w(n), v(n)", (0, 1, 2, 3)),
    "a dummy argument": ("real(8), intent(inout) :: y(n)", "real(8), intent(inout) :: y(:)", (0, 1, 2)),
    "what is not understood elsewhere": ("call start\n", "call start\n  call nobody(x)\n", (0,)),
    "who calls": ("  call second(x, y)\n", "", (0,)),
}  # fmt: skip


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """The heads that were analysed since this was asked for last."""
    heads: list[str] = []
    init = HeadAnalysis.__init__

    def noted(self: HeadAnalysis, program: object, head: object, *rest: object, **more: object) -> None:
        heads.append(getattr(head, "text"))  # noqa: B009
        init(self, program, head, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(HeadAnalysis, "__init__", noted)

    def done() -> list[str]:
        found = [*heads]
        heads.clear()
        return found

    return done


class Reporter:
    """Reports of one file with four heads."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> None:
        self.folder = folder
        self.capsys = capsys
        heads = [one for head in HEADS for one in ("--head", head)]
        self.options = ("--distinct-pointers", "--jobs", "1", *options, *heads)

    def __call__(self, text: str, *cache: str) -> tuple[int, str]:
        file = self.folder / "m.f90"
        file.write_text(text)
        code = main(["report", str(file), *self.options, *cache])
        return code, self.capsys.readouterr().out

    def kept(self, text: str) -> tuple[int, str]:
        return self(text, "--cache-dir", str(self.folder / "cache"))


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_costs_the_heads_that_it_reaches(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], analysed: Callable[[], list[str]],
) -> None:  # fmt: skip
    old, new, again = EDITS[name]
    report = Reporter(tmp_path, capsys, "--format", "json")
    assert TEXT.count(old) == 1
    edited = TEXT.replace(old, new)
    expected = [report(text, "--no-cache") for text in (TEXT, edited)]
    assert report.kept(TEXT) == expected[0]
    analysed()
    assert report.kept(edited) == expected[1]
    assert analysed() == [HEADS[at] for at in again]
    assert report.kept(TEXT) == expected[0]
    assert report.kept(edited) == expected[1]


def test_each_form_has_answers_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                          analysed: Callable[[], list[str]]) -> None:
    forms: list[tuple[str, ...]] = [(), ("--sets",), ("--format", "json"), ("--assume", "n=3"), ("--width", "60")]
    edited = TEXT.replace("x = sin(grown)", "x = cos(grown)")
    reports = [Reporter(tmp_path, capsys, *form) for form in forms]
    expected = [report(edited, "--no-cache") for report in reports]
    for report in reports:
        report.kept(TEXT)
    analysed()
    assert [report.kept(edited) for report in reports] == expected
    assert set(analysed()) == {HEADS[0], HEADS[1]}


def test_models_of_another_head_are_read_as_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """Two heads of one procedure: the second is given the first's model, and remembers what that was made from."""
    reads: dict[bytes, set[Node]] = {}
    keep, model = TraceStore.keep, ("Models.together", ("m::first",))

    def noted(self: TraceStore, node: Node, trace: Trace) -> None:
        if node == model:
            reads[self.name] = {one for one, _ in trace.reads}
        keep(self, node, trace)

    monkeypatch.setattr(TraceStore, "keep", noted)
    Reporter(tmp_path, capsys).kept(TEXT)
    one, other = reads.values()
    assert one == other
    assert {("Models.shown", "m::below"), ("Models.shown", "m::beside")} <= one


MESSAGES = TEXT.replace("    x = x*w\n", "    call mpi_bcast(w, n, mpi_double_precision, 0, mpi_comm_world, ierror)\n"
                        "    x = x*w\n").replace("  use shared\ncontains", "  use shared\n  use mpi\n"
                                                 "  integer :: ierror\ncontains")
POINTING = TEXT.replace("    call beside(x)\n    x = x*w\n", "    procedure(beside), pointer :: p\n    p => beside\n"
                        "    call p(x)\n    x = x*w\n").replace(
    "    call below(x, w)\n    procedure(beside), pointer :: p\n", "    procedure(beside), pointer :: p\n"
    "    call below(x, w)\n")
SPLIT = TEXT.replace("    call below(x, x)", "    !$AD NOCHECKPOINT\n    call below(x, x)")


@pytest.mark.parametrize("text", [TEXT, MESSAGES, POINTING, SPLIT], ids=["as it is", "messages", "pointers", "split"])
def test_random_edits(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line less, twice, empty before another, or a name for another: what is said is what is said without."""
    report, draw, done, versions = Reporter(tmp_path, capsys, "--format", "json"), random.Random(text), 0, [text]
    names = sorted(set(re.findall(r"\b[a-z]\w*\b", text)))
    for _ in range(12):
        lines = draw.choice(versions).splitlines()
        at = draw.randrange(len(lines))
        match draw.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[at])
            case 2:
                lines.insert(at, "")
            case _:
                words = re.findall(r"\b[a-z]\w*\b", lines[at]) or ["x"]
                lines[at] = re.sub(rf"\b{draw.choice(words)}\b", draw.choice(names), lines[at], count=1)
        edited = "\n".join(lines) + "\n"
        expected = report(edited, "--no-cache")
        assert report.kept(edited) == expected, edited
        if expected[0] != 2:
            versions.append(edited)
            done += 1
    assert done > 3
