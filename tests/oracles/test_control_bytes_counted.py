"""Control bytes: what the machine pushes under its plans against a count of the way it took, on many programs."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import Head, parse_heads
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import EAGER, LAZY, Strategy
from snapset.analysis.replay.experiment.gradient import entered, seed
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend import ir
from snapset.frontend.load import load_text

from tests.analysis.replay.machine.test_replay import ANEW, PROGRAMS, inputs_for, loaded
from tests.generators import random_fortran
from tests.generators.sections import random_stretches
from tests.oracles.control_counter import Counted, WayRun, control_bytes

RECORDED = AnalysisOptions(record_branches=True)


def both(program: ir.Program, head: Head, root: str, inputs: Inputs, strategy: Strategy) -> tuple[Counted, Counted]:
    """What is pushed of control, and what the way asks for; by code, level and test."""
    analysis: Analysis = prepare(program, head, RECORDED)
    machine = Machine(analysis.models.program, root)
    records = record_program(analysis.adjoints, analysis.order, strategy)
    plans = make_plans(machine, analysis, records)
    with np.errstate(all="ignore"):
        frame = entered(machine, inputs)
        run = WayRun(machine, plans, True, None)
        run.adjoint(frame, plans.procedures[root], 0, lambda: seed(head, machine, frame))
    assert run.stack.height == 0
    pushed: Counted = Counter()
    for row, size in zip(plans.rows, run.stack.bytes, strict=True):
        if row.kind == "control" and row.location != "side" and size:  # sides are of statements, not of tests
            pushed[row.procedure, row.level, row.node] += size
    adjoints = {key: analysis.adjoints.by_key[key] for key in analysis.order}
    return pushed, control_bytes(run.ways, adjoints, {key: records[key].levels for key in analysis.order})


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - ANEW))
def test_the_corpus_pushes_what_its_way_asks_for(name: str) -> None:
    head, machine, analysis = loaded(name)
    pushed, asked = both(analysis.models.program, head, machine.root, inputs_for(name), LAZY)
    assert pushed == asked


@pytest.mark.sample(2)
@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(20, 400, 20))])
@pytest.mark.parametrize("kind", [random_fortran, random_stretches], ids=["general", "stretches"])
def test_random_programs_push_what_their_way_asks_for(kind: object, first: int) -> None:
    (head,) = parse_heads(random_fortran.HEAD)
    total = 0
    for number in range(first, first + 20):
        random = Random(number)
        program = load_text(kind.program(random))  # type: ignore[attr-defined]
        inputs = Inputs(random_fortran.numbers(random))
        pushed, asked = both(program, head, head.procedure, inputs, (LAZY, EAGER)[number % 2])
        assert pushed == asked, number
        total += sum(pushed.values())
    assert total
