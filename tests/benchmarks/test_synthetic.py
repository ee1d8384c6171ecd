"""The programs that are measured with are what they say, and answers do not depend on chance."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from snapset.library.analysis import load, report

from benchmarks import scaling, synthetic

CODE = """
import sys
from snapset.library.analysis import report, Choices
from snapset.render.records.report_json import to_json
print(to_json(report(sys.argv[1:-1], sys.argv[-1], Choices(strategies="all"))))
"""


def written(tmp_path: Path, lines: int, **more: float) -> list[str]:
    for name, text in synthetic.program(lines, **more).items():  # type: ignore[arg-type]
        (tmp_path / name).write_text(text)
    return [str(path) for path in sorted(tmp_path.glob("*.f90"))]


@pytest.mark.parametrize("lines", [1_000, pytest.param(3_000, marks=pytest.mark.wide)])
def test_length_and_parts(lines: int, tmp_path: Path) -> None:
    files = written(tmp_path, lines)
    assert 0.6 * lines < sum(Path(file).read_text().count("\n") for file in files) <= lines
    found = report(files, synthetic.HEAD)
    procedures = load(files).procedures
    assert len(procedures) == (len(files) - 2) * synthetic.PER_MODULE + 1
    assert {part.procedure for part in found.parts if part.kind == "region"} == {
        one.name for one in procedures.values()} - {"model"}  # fmt: skip
    assert not found.diagnostics


def test_it_is_fortran(tmp_path: Path) -> None:
    files = sorted(written(tmp_path, 1_000), key=lambda file: ("shared" not in file, "model" in file, file))
    done = subprocess.run(["gfortran", "-fsyntax-only", "-Wall", "-Wno-unused", "-Wno-conversion",
                           "-Wno-unused-dummy-argument", *files], cwd=tmp_path, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_some_procedures_are_called_by_nobody(tmp_path: Path) -> None:
    files = written(tmp_path, 3_000, unreached=0.8)
    near, whole = load(files, heads=[synthetic.HEAD]), load(files)
    assert len(near.procedures) < 0.5 * len(whole.procedures)


def test_the_same_seed_is_the_same_program() -> None:
    assert synthetic.program(2_000) == synthetic.program(2_000)
    assert synthetic.program(2_000) != synthetic.program(2_000, seed=2)


@pytest.mark.wide
def test_no_answer_depends_on_the_order_of_sets(tmp_path: Path) -> None:
    """Python orders its sets differently in every run."""
    given = [*written(tmp_path, 1_000), synthetic.HEAD]
    answers = {
        subprocess.run([sys.executable, "-c", CODE, *given], env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(answers) == 1


def test_the_exponent() -> None:
    start = scaling.Row(0, 0, 1, 0)
    assert scaling.exponent(scaling.Row(100, 0, 2, 0), scaling.Row(10_000, 0, 101, 0), start) == pytest.approx(1)
    assert scaling.exponent(scaling.Row(100, 0, 2, 0), scaling.Row(1_000, 0, 101, 0), start) == pytest.approx(2)
