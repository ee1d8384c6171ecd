"""The programs of docs/table1.md: against their compiled originals, and the document against the script."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.load import load_program

from benchmarks.table1 import run
from tests.oracles.gfortran_driver import compile_driver, drive
from tests.oracles.gfortran_opinion import opinion
from tests.oracles.gfortran_programs import gfortran
from tests.support.paths import ROOT

FOLDER = ROOT / "benchmarks" / "table1"
PROGRAMS: Mapping[str, Mapping[str, Any]] = tomllib.loads((FOLDER / "programs.toml").read_text())
DRIVEN = sorted(PROGRAMS) if shutil.which("gfortran") else []


def test_gfortran_is_there() -> None:
    gfortran()


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", DRIVEN)
def test_the_compiled_original_agrees(name: str, tmp_path: Path) -> None:
    chosen = PROGRAMS[name]
    file = str(FOLDER / chosen["file"])
    program = load_program([file])
    (head,) = parse_heads(chosen["head"])
    machine = Machine(program, find_procedure(program, head).key)
    inputs = Inputs(chosen["set"])
    driver = drive(head, machine, inputs)
    found = opinion(head, machine, inputs, driver, compile_driver(driver, (file,), tmp_path), ways=2)
    assert not found.differences
    assert found.agrees, found.slopes


def test_every_source_is_in_the_table() -> None:
    sources = {path.name for path in FOLDER.iterdir() if path.suffix in (".f", ".f90")}
    assert sources == {program["file"] for program in PROGRAMS.values()}
    assert len(sources) >= 9
    assert all(50 <= len((FOLDER / name).read_text().splitlines()) <= 400 for name in sources)


@pytest.mark.parametrize("name", ["contrived", "crop"])
def test_the_document_has_the_figures_of_today(name: str) -> None:
    """Two programs that take no time; `python -m benchmarks.table1.run --check` compares all."""
    line = run._table([run.measured(name, PROGRAMS[name])])[-1]
    assert line in (ROOT / "docs" / "table1.md").read_text().splitlines()


def test_a_finding_that_turns_needs_a_reason() -> None:
    """What the paper does not lead one to expect is explained, and nothing else is."""
    peaks = {"eager": 10, "lazy": 10, "optimal": 9}
    row = run.Row("a", "b", 60, 100, 200, 300, 5000, 800, 90, peaks, peaks, None)
    contrived = replace(row, name="contrived", peaks={"eager": 5, "lazy": 9, "optimal": 6})
    assert "goes the other way: yes" in run.page([row, contrived])
    assert "below both others in a, above the better of them in contrived." in run.page([row, contrived])
    assert "goes the other way: no" in run.page([row, replace(contrived, peaks=peaks)])
    worse = replace(row, peaks={"eager": 10, "lazy": 12, "optimal": 10})
    with pytest.raises(SystemExit, match="a: lazy 12, eager 10"):
        run.page([worse, contrived])
    assert "- a, by 2 bytes of 12: so it is" in run.page([replace(worse, why="so it is"), contrived])
