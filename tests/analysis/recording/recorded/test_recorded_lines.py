"""What is taped, saved and computed again, line by line: cases by hand, and each executed under what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.replay.experiment.gradient import by_plans, planned, store_all
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.load import load_text

from tests.analysis.recording.recorded.recorded_lines import CASES, WAYS, RecordedCase, analysed, found, read
from tests.support.execution import plans_agree

EVERY = [(path.stem, way) for path in sorted(CASES.glob("*.f90")) for way in read(path).expected]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "way"), EVERY)
def test_what_is_recorded(name: str, way: str) -> None:
    case = read(CASES / f"{name}.f90")
    assert found(case, way) == case.expected[way]


LAZILY = [one for one in EVERY if not one[1].endswith(" eager")]


def prepared(name: str, way: str) -> tuple[RecordedCase, Analysis, Machine]:
    case = read(CASES / f"{name}.f90")
    analysis = analysed(case, way)
    return case, analysis, Machine(analysis.models.program, find_procedure(analysis.models.program, case.head).key)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "way"), LAZILY)
def test_that_suffices(name: str, way: str) -> None:
    """All strategies give the store-all gradient, bit for bit."""
    case, analysis, machine = prepared(name, way)
    expected = plans_agree(case.head, machine, analysis, case.inputs)
    assert all(np.isfinite(a).all() and a.any() for a in expected.values.values())


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "way"), LAZILY)
def test_nothing_of_it_is_too_much(name: str, way: str) -> None:
    """Without any one of the values that are taped or saved the gradient is another one, or the run stops."""
    case, analysis, machine = prepared(name, way)
    expected, _ = store_all(case.head, machine, case.inputs)
    plans = make_plans(machine, analysis, record_program(analysis.adjoints, analysis.order, LAZY))
    in_vain = set()
    for at, row in enumerate(plans.rows):
        with suppress(ReplayError):
            if row.kind != "control" and by_plans(case.head, machine, plans.without(at), case.inputs)[0].same(expected):
                in_vain.add(row.location)
    assert plans.rows
    assert in_vain <= case.spare


@pytest.mark.parametrize("name", ["loop_scalars", "branches_and_exits", "part_in_part"])
def test_where_all_is_taped_nothing_is_computed_again(name: str) -> None:
    """``tape_all``: with ``--recompute`` as with ``--tape-scalars``."""
    case = read(CASES / f"{name}.f90")
    again, taped = (prepare(load_text(case.text), case.head, WAYS[way]) for way in ("recompute", "taped"))
    mine = record_program(again.adjoints, again.order, LAZY, tape_all=True)
    theirs = record_program(taped.adjoints, taped.order, LAZY)
    assert not [level for record in mine.values() for level in record.levels if level.read_again()]
    for key, record in mine.items():
        assert [level.taped for level in record.levels] == [level.taped for level in theirs[key].levels]


def with_less(records: Mapping[str, ProcedureRecord]) -> Iterator[tuple[str, Mapping[str, ProcedureRecord]]]:
    """The records with one statement less that runs again, each in turn."""
    for key, record in records.items():
        for at, level in enumerate(record.levels):
            for place in ("at", "behind"):
                for node, rerun in getattr(level.again, place).items():
                    for less in range(len(rerun.steps)):
                        kept = rerun.steps[:less] + rerun.steps[less + 1:]
                        runs = {**getattr(level.again, place), node: replace(rerun, steps=kept)}
                        other = replace(level, again=replace(level.again, **{place: runs}))
                        levels = (*record.levels[:at], other, *record.levels[at + 1:])
                        fewer = {**records, key: replace(record, levels=levels)}
                        yield f"{key} {place} {node}: {rerun.steps[less]}", fewer


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "way"), [one for one in LAZILY if one[1] == "plain"])
def test_nothing_runs_again_in_vain(name: str, way: str) -> None:
    """Without any one of the statements that run again under every strategy the gradient is another one, or the run
    stops."""
    case, analysis, machine = prepared(name, way)
    expected, _ = store_all(case.head, machine, case.inputs)
    records = record_program(analysis.adjoints, analysis.order, LAZY)
    in_vain = []
    for what, fewer in with_less(records):
        with suppress(ReplayError):
            if planned(case.head, machine, analysis, fewer, case.inputs)[0].same(expected):
                in_vain.append(what)
    assert in_vain == []
