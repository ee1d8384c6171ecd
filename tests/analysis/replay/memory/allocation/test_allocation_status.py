"""What is allocated, as a location: programs whose parts allocate, deallocate and reallocate what outlives them.

Each against gfortran's values, differences of the compiled program, and all plans against store-all.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.gradient import by_plans, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.symbolic.polynomials import Quantity, number
from snapset.frontend.load import load_text

from tests.analysis.replay.memory.allocation.allocating_cases import GIVEN, PROGRAMS
from tests.support.execution import plans_agree, proved_by_execution


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_parts_allocate_comes_back(name: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAMS[name], "s(x)>(y)", tmp_path, GIVEN, ways=1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_announced_and_split_calls_agree(name: str) -> None:
    (head,) = parse_heads("s(x)>(y)")
    program = load_text(PROGRAMS[name])
    called = frozenset(key.rpartition("::")[2] for key in program.procedures) - {"s"}
    analysis = prepare(program, head, AnalysisOptions(split=called, recompute=True))
    assert not [one for part in analyse(program, head).parts for one in part.diagnostics if one.code == "SN104"]
    key = next(key for key in program.procedures if key.rpartition("::")[2] == "s")
    plans_agree(head, Machine(analysis.models.program, key), analysis, Inputs(GIVEN))


NEEDED = [("a growing mesh", "u[]"), ("a growing mesh", "h[]"), ("an adaptive grid", "g%v[]"),
          ("a work array that the first call allocates", "work::w[]"), ("a list of allocatable components", "c%q[]"),
          ("growing by MOVE_ALLOC", "a[]"), ("a CLASS object that gets another type", "one[]")]


@pytest.mark.parametrize(("name", "saved"), NEEDED)
def test_a_saved_allocation_is_needed(name: str, saved: str) -> None:
    """Without it the run stops, or its gradient is another one."""
    (head,) = parse_heads("s(x)>(y)")
    analysis = prepare(load_text(PROGRAMS[name]), head)
    key = next(key for key in analysis.models.program.procedures if key.rpartition("::")[2] == "s")
    machine, inputs = Machine(analysis.models.program, key), Inputs(GIVEN)
    expected, _ = store_all(head, machine, inputs)
    plans = make_plans(machine, analysis, record_program(analysis.adjoints, analysis.order, LAZY))
    rows = [at for at, row in enumerate(plans.rows) if row.kind == "snp" and row.location in (
        saved, saved.rpartition("::")[2])]
    assert rows
    lost = 0
    for row in rows:
        try:
            lost += not by_plans(head, machine, plans.without(row), inputs)[0].same(expected)
        except ReplayError:
            lost += 1
    assert lost


def test_the_bytes_of_an_allocation() -> None:
    """A byte, and two bounds for each dimension; the type of an object of CLASS."""
    sizes: dict[tuple[str, str], Quantity | None] = {}
    for name in PROGRAMS:
        for part in analyse(load_text(PROGRAMS[name]), parse_heads("s(x)>(y)")[0]).parts:
            sizes |= {(name, saved): size for saved, size in part.solutions["lazy"].sizes.items()}
    assert sizes["a growing mesh", "u[]"] == number(9)
    assert sizes["a work array that the first call allocates", "z[]"] == number(17)
    assert sizes["a CLASS object that gets another type", "one[]"] == number(5)
    assert sizes["a list of allocatable components", "c%q[]"] == number(27)
