"""What a program says whichever head it has is remembered once for all heads, and is found anew where it changed."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset
from snapset.analysis.incremental.query_engine import Node
from snapset.analysis.incremental.result_store import TraceStore
from snapset.analysis.procedures.program_facts import SharedFacts
from snapset.cli.main import main
from snapset.frontend.persistence.disk_cache import open_cache
from snapset.library.head_runs import HeadRun

TEXT = """module m
  type holder
    real(8), pointer :: p(:)
  end type
  type(holder) :: h
  real(8), target :: a(4), b(4)
  real(8) :: w(4, 2)
contains
  subroutine lead(x)
    real(8), intent(in) :: x(4)
    h%p => a
    a = x
  end subroutine lead
  subroutine hold(x, y)
    real(8), intent(inout) :: x(4)
    real(8), intent(inout) :: y(4)
    y = y*x
    b = y*y
    x = x*y
  end subroutine hold
  subroutine fill(x)
    real(8), intent(in) :: x(4)
    w(:, 1) = x*x
  end subroutine fill
  subroutine first(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    call lead(x)
    b = b*x
    call hold(a, b)
    y = sum(h%p*b)
  end subroutine first
  subroutine second(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    call fill(x)
    w(:, 2) = w(:, 1)*w(:, 1)
    call fill(w(:, 2))
    y = sum(w(:, 2)*w(:, 1))
  end subroutine second
end module m
"""
HEADS = ("m%first(x)>(y)", "m%second(x)>(y)")
EDITS = [
    ("h%p => a\n", "h%p => b\n"),
    ("real(8), intent(inout) :: y(4)", "real(8), target, intent(inout) :: y(:)"),
    ("w(:, 1) = x*x", "w(:, 2) = x*x"),
    ("w(:, 1) = x*x", "w(1:3, 1) = x(1:3)*x(1:3)"),
    ("    real(8), pointer :: p(:)", "    real(8), allocatable :: p(:)"),
]
SAME = ("y = y*x\n    b", "y = x*y\n    b")


@pytest.mark.parametrize(("old", "new"), EDITS[:4])
def test_an_edit_elsewhere_is_felt(old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, heads = tmp_path / "m.f90", [one for head in HEADS for one in ("--head", head)]

    def report(text: str, *cache: str) -> str:
        file.write_text(text)
        options = ("--distinct-pointers", "--format", "json", "--jobs", "1")
        assert main(["report", str(file), *heads, *options, *cache]) == 0
        return capsys.readouterr().out

    assert TEXT.count(old) == 1
    edited = TEXT.replace(old, new)
    kept = ("--cache-dir", str(tmp_path / "cache"))
    cold = [report(text, "--no-cache") for text in (TEXT, edited)]
    assert cold[0] != cold[1]
    assert [report(text, *kept) for text in (TEXT, edited, TEXT, edited)] == [*cold, *cold]


def found(folder: Path, text: str) -> tuple[list[Node], object]:
    """What is worked out of a program with what was remembered, and the associations in it."""
    file = folder / "m.f90"
    file.write_text(text)
    cache = open_cache(folder / "cache")
    program = snapset.load([str(file)], heads=list(HEADS), cache=cache)
    traces = TraceStore(cache, b"shared")
    facts = SharedFacts(program, traces)
    answers = facts.overlays.associations.pairs, facts.overlays.associations.shared, facts.every_module_reference
    traces.save()
    cache.close()
    return [one for one in facts.engine.computed if one[0] != "SharedFacts.statements"], answers


def test_one_procedure_is_looked_at_again(tmp_path: Path) -> None:
    first, answers = found(tmp_path, TEXT)
    assert {one[1] for one in first if one[0] == "SharedFacts.associated"} == {
        f"m::{name}" for name in ("lead", "hold", "fill", "first", "second")}
    again, same = found(tmp_path, TEXT)
    assert (again, same) == ([("SharedFacts.types",)], answers)
    assert TEXT.count(SAME[0]) == 1
    edited, after = found(tmp_path, TEXT.replace(*SAME))
    assert after == answers
    assert sorted(edited) == [("SharedFacts.associated", "m::hold"), ("SharedFacts.dummies", "m::hold"),
                              ("SharedFacts.module_references", "m::hold"), ("SharedFacts.types",)]


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_what_is_remembered_is_what_is_found(old: str, new: str, tmp_path: Path) -> None:
    edited = TEXT.replace(old, new)
    other = tmp_path / "other"
    other.mkdir()
    _, anew = found(other, edited)
    found(tmp_path, TEXT)
    assert found(tmp_path, edited)[1] == anew


def test_heads_that_an_edit_does_not_reach_are_not_written_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, written = tmp_path / "m.f90", list[bytes]()
    save = TraceStore.save

    def noted(self: TraceStore) -> None:
        if self._changed:
            written.append(self.name)
        save(self)

    keys = dict[str, bytes]()
    name = HeadRun.trace_key
    monkeypatch.setattr(TraceStore, "save", noted)
    monkeypatch.setattr(HeadRun, "trace_key", lambda self, head, phase: name(self, head, phase) if phase else
                        keys.setdefault(head.text, name(self, head, phase)))
    for text in (TEXT, TEXT.replace(*SAME)):
        file.write_text(text)
        written.clear()
        heads = [one for head in HEADS for one in ("--head", head)]
        assert main(["report", str(file), *heads, "--jobs", "1", "--cache-dir", str(tmp_path / "cache")]) == 0
    first, second = keys.values()
    assert first in written
    assert second not in written
    assert len(written) == 2  # the other: what the heads share
