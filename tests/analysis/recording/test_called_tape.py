"""What a called procedure tapes in C's second run stands with the part: with its own file and line, in all outputs.

Its scalar t would be computed again (test_private_scalars.py), so that is asked not to be done.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import snapset
from snapset.analysis.results import Part
from snapset.check.lock_comparison import compare, places_in
from snapset.check.lock_file import load, lock_of, save
from snapset.render.layout.byte_figures import Figures
from snapset.render.pages.report_text import render

STEP = """\
subroutine step(m, a)
  integer :: m, i
  real(8) :: a(m), t
  do i = 1, m
    t = a(i)*a(i)
    a(i) = sin(t)*a(i)
  end do
end subroutine
"""
CALLED = """\
subroutine top(x, y, n)
  integer :: n, k
  real(8) :: x(n), y
  do k = 1, 3
    call step(n, x)
  end do
  y = sum(x*x)
end subroutine
"""
MARKED = """\
subroutine top(x, y, n)
  integer :: n, k, i
  real(8) :: x(n), y, t
  do k = 1, 3
    !$AD CHECKPOINT-START
    do i = 1, n
      t = x(i)*x(i)
      x(i) = sin(t)*x(i)
    end do
    !$AD CHECKPOINT-END
  end do
  y = sum(x*x)
end subroutine
"""
HEAD = "top(x)>(y)"
TAPED = snapset.Choices(tape_scalars=True)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("step.f90").write_text(STEP)
    Path("top.f90").write_text(CALLED)
    Path("marked.f90").write_text(MARKED)
    return tmp_path


def part(*files: str) -> Part:
    (found,) = snapset.report(files, HEAD, TAPED).parts
    return found


def test_a_call_tapes_what_a_marked_part_of_the_same_lines_does(here: Path) -> None:
    figures = Figures()
    (call,), (marked,) = (part(*files).solutions["lazy"].tape for files in (("top.f90", "step.f90"), ("marked.f90",)))
    assert (call.file, call.line, call.location, call.part, call.callee) == ("step.f90", 5, "step::t", "C", "step")
    assert (marked.file, marked.line, marked.location, marked.callee) == ("marked.f90", 7, "t", None)
    assert figures(call.bytes) == figures(marked.bytes) == "8*n"  # in the caller's names


def test_the_machine_tapes_as_much_there(here: Path) -> None:
    choices = snapset.Choices("lazy", tape_scalars=True)
    run = snapset.replay(["top.f90", "step.f90"], HEAD, choices, values={"n": 6}).runs[0]
    found = {(one.file, one.line, one.location): one.bytes for one in run.spent if one.kind == "tape"}
    assert run.equal
    assert found == {("step.f90", 5, "t"): 3*8*6}


def test_text_and_json(here: Path) -> None:
    result = snapset.report(["top.f90", "step.f90"], HEAD, TAPED)
    page = [line.split() for line in render(result).splitlines()]
    assert ["tape", "bytes,", "C", "8*n", "8*n"] in page
    assert ["step.f90:5", "C", "step::t", "8*n", "8*n"] in page
    (entry,) = snapset.to_json(result)["regions"][0]["solutions"]["lazy"]["tape"]
    assert entry == {"file": "step.f90", "line": 5, "location": "step::t", "part": "C", "callee": "step",
                     "bytes": "8*n", "counted_bytes": None}  # fmt: skip
    assert json.dumps(entry)


def test_its_control_too(here: Path) -> None:
    Path("step.f90").write_text(STEP.replace("    t = a(i)*a(i)\n", "    t = a(i)*a(i)\n    if (t > 1) t = t*t\n"))
    solution = part("top.f90", "step.f90").solutions["lazy"]
    assert [(one.file, one.line, one.what, one.part, one.callee) for one in solution.control] == [
        ("step.f90", 6, "branch", "C", "step")]  # fmt: skip


def test_check_names_the_callees_line(here: Path) -> None:
    lock = Path("snapset.lock")
    save(lock, lock_of([snapset.report(["top.f90", "step.f90"], HEAD, TAPED)], Figures(), lock.parent))
    assert 'lazy.tape_c = { "step::t" = "8*n" }' in lock.read_text()
    Path("step.f90").write_text(STEP.replace("a(m), t\n", "a(m), t, s\n").replace(
        "    t = a(i)*a(i)\n", "    t = a(i)*a(i)\n    s = t*t\n").replace("sin(t)", "sin(t)*sin(s)"))
    program = snapset.load(["top.f90", "step.f90"], heads=[HEAD])
    results = [snapset.analyse(program, HEAD, TAPED)]
    now = lock_of(results, Figures(), lock.parent)
    found = [str(one) for one in compare(load(lock), results, now, program, places_in(lock), True)]
    assert any(one.startswith("step.f90:6: top, call of step 1: lazy: the tape of C gains step::s, 8*n bytes")
               for one in found)  # fmt: skip


def test_several_calls_each_in_their_callers_names(here: Path) -> None:
    Path("top.f90").write_text(CALLED.replace("  y = ", "  call step(2*n, x)\n  y = "))
    first, second = snapset.report(["top.f90", "step.f90"], HEAD, TAPED).parts
    assert [Figures()(one.solutions["lazy"].tape[0].bytes) for one in (first, second)] == ["8*n", "16*n"]
