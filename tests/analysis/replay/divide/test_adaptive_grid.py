"""The paper's example: inner iterations by its table, the gradient in closed form, what grows and what does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.replay.divide.divide_experiment import DivideOptions, divide
from snapset.analysis.replay.divide.divide_results import DivideComparison
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.base.diagnostics import InputError

from benchmarks.divide.adaptive_grid import grid, measured
from tests.support.divided import from_corpus

TABLE = Path(__file__).with_name("adaptive_grid.tsv")
NUMBERS = {int(row.split()[0]): (int(row.split()[1]), int(row.split()[2]))
           for row in TABLE.read_text().splitlines() if row[0].isdecimal()}


def inputs(n: int, length: int) -> Inputs:
    return Inputs({"n": n, "l": length, "phi": 3, "x": [n - k for k in range(n)]})


def divided(n: int, length: int, **more: int) -> DivideComparison:
    one = from_corpus("adaptive_grid")
    return divide(one.analysis.models.program, one.head, DivideOptions(**more), inputs(n, length))  # type: ignore[arg-type]


def test_the_table_s_inner_iterations() -> None:
    assert len(NUMBERS) == 7
    assert {length: (sum(grid(length)), max(grid(length))) for length in NUMBERS} == NUMBERS


@pytest.mark.parametrize("length", [13, 53])
def test_the_program_s_inner_iterations(length: int) -> None:
    """Steps of square: 2*m + 1 sums over n elements; the rest of an inner iteration is known too."""
    one = from_corpus("adaptive_grid")
    machine = one.divided()
    machine.inputs = inputs(4, length)
    walker = machine.begun()
    seen = []

    class Rows:
        def statement(self, frame: object, node: int) -> None:
            pass

        def call(self, frame, node):  # type: ignore[no-untyped-def]
            found = frame.code.binds[node](frame.s, frame)
            seen.append(found.to.key)
            return found

    walker.run(None, Rows())
    assert seen.count("square") - 1 == sum(grid(length)) == seen.count("rotate") // 2


def test_the_gradient_in_closed_form() -> None:
    """Rotations keep the norm: y = sum(k**2)/2, and its gradient is x."""
    one = from_corpus("adaptive_grid")
    given = inputs(1000, 53)
    assert primal(one.head, one.machine, given) == pytest.approx(166916750, abs=1e-5)
    reference = standard(one.analysis, given)
    assert np.abs(reference.gradient.values["x"] - np.arange(1000, 0, -1)).max() < 1e-4
    found = divided(1000, 53, leaf=400_000)
    assert found.equal
    assert len(found.runs) == 3


def test_the_loop_s_peak_grows_and_divide_s_does_not() -> None:
    """A step of the outer loop tapes max m rows; the leaves of divide are as long as they are."""
    short, long = (measured(8, length, 1500, "binomial") for length in (26, 101))
    assert short.equal
    assert long.equal
    assert short.loop is not None
    assert long.loop is not None
    assert long.loop.tape_bytes > 3.5*short.loop.tape_bytes  # 64 rows, 16 rows
    assert max(one.runs[0].tape_bytes or 0 for one in (short, long)) < 1500*8
    assert (long.runs[0].peak_bytes or 0) < long.loop.peak_bytes / 2
    assert long.loop.iterations == 101
    assert long.loop.capsules <= 40


def test_a_line_without_a_loop_is_told() -> None:
    with pytest.raises(InputError, match="such begin at f: 11, 14"):
        divided(4, 5, leaf=100, loop=12)
