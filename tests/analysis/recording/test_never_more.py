"""An option that is to save bytes never takes more: predicted and executed, on programs of every kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.costs.evaluation import predicted
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.placement.decisions_explained import resolve
from snapset.analysis.placement.proved_partition import prove
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, assumed
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import Program
from snapset.frontend.load import load_program, load_text

from tests.generators.fuzz import KINDS, case
from tests.support.corpus import CORPUS, parse_expected
from tests.support.execution import UnderOptions
from tests.support.paths import ROOT

OPTIONS = {"": (False, False), "recompute": (True, False), "dag": (False, True), "both": (True, True)}
PAIRS = (("", "recompute"), ("", "dag"), ("recompute", "both"), ("dag", "both"))
EVERY = parse_strategies("lazy,eager,optimal")
REALISTIC = ROOT / "benchmarks" / "realistic"
UNLIKE = frozenset(("random", "timer"))  # their parts do not run alike twice
DEAR = pytest.mark.wide  # two seconds and more
# more was pushed of all but weno and rivers
SHOWN = (pytest.param("newton", marks=DEAR), "stiff", "weno", "rivers", pytest.param("splash", marks=DEAR),
         "infiltration", pytest.param("bicgilu", marks=DEAR))
# more was pushed: by lazy by value, by eager computing again the index of a piece, by optimal by value at equal peak
NUMBERS = (("pointers", 1030011), pytest.param("pointers", 1030034, marks=DEAR), ("regions", 1030035),
           ("stretches", 1030020), pytest.param("scalars", 1030012, marks=DEAR))


def runs(program: Program, head: str, values: dict[str, float], calls: bool = True,
         context: bool = False) -> dict[str, dict[str, StrategyRun]]:
    result, replayed = {}, UnderOptions(program, *parse_heads(head), Inputs(values), ExperimentOptions(limit=5_000_000))
    for name, (recompute, dag) in OPTIONS.items():
        options = AnalysisOptions(recompute=recompute, dag=dag, call_checkpoints=calls, context=context)
        result[name] = {run.name: of_the_model(run, replayed, options) if run.chosen is not None else run
                        for run in replayed.compared(EVERY, options).runs}
    return result


def of_the_model(run: StrategyRun, replayed: UnderOptions, options: AnalysisOptions) -> StrategyRun:
    """With the figures predicted for what the model says is best: another choice takes less on this run, and is what
    ran."""
    analysis, ran = replayed.prepared(options)
    best, = resolve(analysis.adjoints, analysis.order, [EVERY[-1]], assumed(ran.used), prove).strategies
    found = predicted(analysis.adjoints, analysis.order, record_program(analysis.adjoints, analysis.order, best),
                      assumed(ran.used))
    return replace(run, predicted_peak_bytes=found.peak, predicted_traffic_bytes=found.traffic)


def check(found: dict[str, dict[str, StrategyRun]], proved: bool = True) -> None:
    """optimal takes the least peak first, and its choice without an option is among what it compares with one."""
    for less, more in PAIRS:
        for strategy, run in found[more].items():
            other = found[less][strategy]
            assert not proved or (run.equal and other.equal), (strategy, more, run.error, other.error)
            assert run.traffic_bytes is not None
            assert other.traffic_bytes is not None
            if strategy == "optimal":
                continue
            assert run.traffic_bytes <= other.traffic_bytes, (strategy, less, more)
            if run.predicted_traffic_bytes is not None and other.predicted_traffic_bytes is not None:
                assert run.predicted_traffic_bytes <= other.predicted_traffic_bytes, (strategy, less, more)
        mine, theirs = (found[one]["optimal"] for one in (more, less))
        if mine.predicted_peak_bytes is not None and theirs.predicted_peak_bytes is not None and not less:
            assert ((mine.predicted_peak_bytes, mine.predicted_traffic_bytes)
                    <= (theirs.predicted_peak_bytes, theirs.predicted_traffic_bytes)), (less, more)


def in_folder(path: Path) -> None:
    beside = path.with_suffix(".head")
    head = (beside.read_text().strip() if beside.exists()
            else parse_expected(path.with_suffix(".expected").read_text()).head)
    values: dict[str, float] = {"dt": 1e-3} if path.stem == "calls" else {}
    try:
        found = runs(load_program([str(path)]), head, values)
    except InputError:
        pytest.skip("not executed")
    check(found, path.stem not in UNLIKE)


def of_number(kind: str, number: int) -> None:
    one = case(Random(number), (), KINDS[kind])
    try:
        found = runs(load_text(one.text), one.head, dict(one.values), one.calls, one.context)
    except InputError:
        pytest.skip("its own error")
    check(found)


@pytest.mark.parametrize("name", SHOWN)
def test_realistic_programs(name: str) -> None:
    in_folder(REALISTIC / f"{name}.f90")


def test_pointers_of_particles() -> None:
    in_folder(CORPUS / "particles.f90")


@pytest.mark.parametrize(("kind", "number"), NUMBERS)
def test_random_programs(kind: str, number: int) -> None:
    of_number(kind, number)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(p for folder in (CORPUS, REALISTIC) for p in folder.iterdir()
                                        if p.suffix in (".f", ".f90")), ids=lambda p: p.name)
def test_every_program(path: Path) -> None:
    in_folder(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs_of_every_kind(kind: str) -> None:
    for number in range(1_032_000, 1_032_100):
        of_number(kind, number)
