"""``snapset schedule``: text, JSON by its schema, and what is unusable in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import snapset
from jsonschema import Draft202012Validator
from snapset.documents.json_schema import json_schema

from tests.support.command import run
from tests.support.paths import ROOT
from tests.support.time_loops import LOOPS, file_of

BURG = file_of("loop_burgers_ab2")


def test_the_page_shows_what_the_docs_show() -> None:
    done = run("schedule", "corpus/loop_burgers_ab2.f90", "--head", "burg(u,nu)>(cost)", "--loop",
               "loop_burgers_ab2.f90:12", "--assume", "n=1000", "--assume", "nt=100", cwd=ROOT,
               PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    docs = (ROOT / "docs" / "loops.md").read_text()
    for line in done.stdout.splitlines():
        assert line.strip() in docs


def test_the_document_is_as_its_schema_says() -> None:
    texts = [run("schedule", file_of(name), "--head", LOOPS[name].head, "--loop", f"{file_of(name)}:{LOOPS[name].line}",
                 "--format", "json").stdout for name in ("loop_ab3", "loop_while")]
    for text in texts:
        Draft202012Validator(json_schema("schedule")).validate(json.loads(text))
    ab3, adaptive = map(json.loads, texts)
    assert [one["location"] for one in ab3["restart"]] == ["f0", "f1", "psi", "zeta"]
    assert adaptive["steps"] is None


@pytest.mark.parametrize(("arguments", "message"), [
    (("--loop", f"{BURG}:13"), ""),
    (("--loop", f"{BURG}:14"), "no DO loop begins in line 14; DO begins in line 12, line 13"),
    (("--loop", "burg"), "not FILE:LINE"),
    (("--loop", "other.f90:3"), "is none of the files read"),
    ((), "no loop given: say which with --loop FILE:LINE"),
    (("--loop", f"{BURG}:12", "--period", "0"), "not a number of iterations, 1 or more"),
    (("--loop", f"{BURG}:12", "--no-call-checkpoints", "--split", "f"), ""),
])  # fmt: skip
def test_what_is_unusable_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = run("schedule", BURG, "--head", "burg(u,nu)>(cost)", *arguments)
    if not message:
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_return_out_of_the_loop_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.f90"
    path.write_text("subroutine p(x, y)\n  real(8) :: x, y\n  integer :: k\n  y = x\n  do k = 1, 3\n    y = y*y\n"
                    "    if (y > 9) return\n  end do\nend subroutine\n")
    done = run("schedule", path, "--head", "p(x)>(y)", "--loop", f"{path}:5")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{path}:7:")
    assert done.stderr.count("\n") == 1


def test_the_pragma_and_the_project_file_name_loops(tmp_path: Path) -> None:
    (tmp_path / "t.f90").write_text(Path(BURG).read_text().replace("  do k", "  !$AD BINOMIAL-CKP 9 3 1\n  do k", 1))
    by_pragma = run("schedule", "t.f90", "--head", "burg(u,nu)>(cost)", cwd=tmp_path)
    assert "t.f90:13, nt steps" in by_pragma.stdout
    (tmp_path / "snapset.toml").write_text('sources = ["t.f90"]\nheads = ["burg(u,nu)>(cost)"]\nloops = ["t.f90:14"]\n')
    by_project = run("schedule", cwd=tmp_path)
    assert "t.f90:14, n - 2 steps" in by_project.stdout


def test_the_library_gives_the_same() -> None:
    (found,) = snapset.schedule([BURG], "burg(u,nu)>(cost)", f"{BURG}:12")
    assert str(found.restart_bytes) == "16*n - 32"
    with pytest.raises(snapset.InputError, match="no loop given"):
        snapset.schedule([BURG], "burg(u,nu)>(cost)")
