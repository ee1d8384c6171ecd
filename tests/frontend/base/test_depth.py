"""No depth of a program is too deep: Python's stack ends at a thousand calls, and these go far beyond.

The depths are those at which each shape ended in RecursionError before, times some; ``tests/stress`` has more.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from snapset.cli import main
from snapset.frontend.base.deep_recursion import KEPT, LEVELS, deep
from snapset.frontend.base.diagnostics import InputError
from snapset.library import analysis
from snapset.library.replay import replay

from tests.stress.deep_shapes import DEEP, HEAD
from tests.support.growth import ends

REPORTED = {
    "call chain": 200, "function chain": 300, "internal chain": 300, "ring": 150, "parameters": 3000,
    "parameters backwards": 2000, "real parameters": 1500, "module chain": 1000, "type chain": 1200,
    "long reference": 1200, "linked types": 600, "ifs": 400, "selects": 400, "blocks": 200, "associates": 400,
    "criticals": 400, "wheres": 200, "else ifs": 500, "loops": 100, "ifs in loops": 100, "loops in parts": 30,
    "parts": 80, "statement functions": 400,
}  # fmt: skip


@pytest.mark.sample(12)
@pytest.mark.parametrize("shape", sorted(REPORTED))
def test_a_report_of_what_is_deep(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "f.f90"
    path.write_text(DEEP[shape](REPORTED[shape]))
    with ends():
        result = analysis.report([str(path)], HEAD)
    said = {one.code for one in result.diagnostics}
    assert "SN202" not in said or shape == "statement functions"


@pytest.mark.sample(3)
@pytest.mark.parametrize("shape", ["runs deep", "runs deep functions", "runs deep by turns"])
def test_a_run_that_is_deep(shape: str, tmp_path: Path) -> None:
    """Each call is a checkpoint, so time grows with the square of the depth."""
    path = tmp_path / "f.f90"
    path.write_text(DEEP[shape](150))
    with ends():
        found = replay([str(path)], HEAD)
    assert found.equal


@pytest.mark.sample(2)
@pytest.mark.parametrize("shape", ["call chain", "ring", "function chain", "parts", "loops", "ifs"])
def test_a_run_of_what_is_deep(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "f.f90"
    path.write_text(DEEP[shape](110 if "chain" in shape else 60))
    with ends():
        assert replay([str(path)], HEAD).equal


def test_a_run_without_an_end_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "f.f90"
    path.write_text(DEEP["runs forever"](1))
    line = path.read_text().splitlines().index("  call down(a)", 12) + 1
    with pytest.raises(InputError, match="calls itself without end") as caught:
        replay([str(path)], HEAD)
    assert caught.value.span is not None
    assert caught.value.span.line == line


def test_marked_calls_go_as_deep_as_they_are_asked_to() -> None:
    @deep
    def down(n: int) -> int:
        return 0 if n == 0 else 1 + down(n - 1)

    assert down(5000) == 5000


def test_what_is_raised_far_below_arrives() -> None:
    @deep
    def down(n: int) -> None:
        if n == 0:
            raise KeyError("below")
        down(n - 1)

    with pytest.raises(KeyError, match="below"):
        down(3 * LEVELS)


def _down(n: int) -> int:
    return 0 if n == 0 else 1 + _further(n - 1)


_further = deep(_down)


def test_stacks_serve_again_and_do_not_pile_up() -> None:
    assert _down(KEPT * LEVELS) == KEPT * LEVELS
    before = threading.active_count()
    for _ in range(3):
        assert _down(KEPT * LEVELS) == KEPT * LEVELS
        assert threading.active_count() == before
    assert _down((KEPT + 20) * LEVELS) == (KEPT + 20) * LEVELS
    for _ in range(1000):  # who is not kept may take a moment to end
        if threading.active_count() <= before + KEPT:
            break
        time.sleep(0.01)
    assert threading.active_count() <= before + KEPT


def test_threads_that_go_deep_side_by_side_keep_apart() -> None:
    with ThreadPoolExecutor(4) as pool:
        depths = [LEVELS * k + k for k in (3, 9, 5, 12)] * 5
        assert list(pool.map(_down, depths)) == depths


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_stacks_of_its_own() -> None:
    assert _down(5 * LEVELS) == 5 * LEVELS
    child = multiprocessing.get_context("fork").Process(target=_down, args=(5 * LEVELS,))
    child.start()
    child.join(60)
    code = child.exitcode  # None: it waits for a thread that it has not
    child.kill()
    assert code == 0


def test_an_expression_may_be_too_deep_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.f90"
    path.write_text(DEEP["powers"](300))
    assert main.main(["report", str(path), "--head", HEAD]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:8:3: error: cannot read this statement as Fortran: ")


def test_an_expression_that_python_cannot_take_is_named(tmp_path: Path) -> None:
    """MAX is two calls in Python: ninety of them in each other are over its two hundred parentheses."""
    path = tmp_path / "f.f90"
    path.write_text(DEEP["maxima"](90))
    with pytest.raises(InputError, match="nested too deeply") as caught:
        replay([str(path)], HEAD)
    assert caught.value.span is not None
    assert caught.value.span.line == 8
