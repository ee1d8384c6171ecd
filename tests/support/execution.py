"""A program's text executed in every way there is: the machine, gfortran, and the adjoint under many plans.

``proved_by_execution`` is the judge of features of the machine: values and gradients against the compiled program
and its differences (nothing of ours), plans against the store-all adjoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from snapset.analysis.activity.differentiation_head import Head, find_procedure, parse_heads
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.replay.experiment.gradient import Gradient, planned, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.interprocedural.procedure_pointers import in_run_of
from snapset.frontend.load import load_text

from tests.oracles.gfortran_driver import compile_driver, drive
from tests.oracles.gfortran_opinion import opinion

STRATEGIES = parse_strategies("lazy,eager,Opt1+=*,Opt2+=*;Sbk+=*,Opt3+=*,Opt1+=*;Opt2+=*;Opt3+=*")
OPTIONS = (AnalysisOptions(), AnalysisOptions(first_run="whole", save_intact=True),
           AnalysisOptions(call_checkpoints=False), AnalysisOptions(recompute=True, context=True, dag=True))
RANDOM = Inputs()


def agrees_with_compiled(text: str, head: str, folder: Path, inputs: Inputs = RANDOM, ways: int = 1) -> None:
    """The machine leaves behind the values that the program compiled by gfortran does, and its store-all gradient gives
    the directional derivatives that differences of the compiled program give, in so many ``ways``."""
    (parsed,) = parse_heads(head)
    program = load_text(text)
    root = find_procedure(program, parsed).key
    machine = Machine(in_run_of(program, root), root)
    (folder / "original.f90").write_text(text)
    (folder / "compiled").mkdir()
    driver = drive(parsed, machine, inputs)
    compiled = compile_driver(driver, (str(folder / "original.f90"),), folder / "compiled")
    found = opinion(parsed, machine, inputs, driver, compiled, ways)
    assert not found.differences, found.differences
    assert found.agrees, found.slopes


def proved_by_execution(text: str, head: str, folder: Path, given: Mapping[str, object] | None = None,
                        ways: int = 2) -> None:
    """Nothing differs: gfortran's values and differences, node by node or directly run, lazy, eager and the other
    corners, calls as checkpoints or split, first runs trimmed or whole, poisoned or not."""
    inputs = Inputs(dict(given or {}))
    agrees_with_compiled(text, head, folder, inputs, ways)
    (parsed,) = parse_heads(head)
    program = load_text(text)
    root = find_procedure(program, parsed).key
    machine = Machine(in_run_of(program, root), root)
    expected, _ = store_all(parsed, machine, inputs)
    assert any((a != 0).any() for a in expected.values.values())
    for options in OPTIONS:
        analysis = prepare(program, parsed, options)
        replayed = Machine(analysis.models.program, root)
        plans_agree(parsed, replayed, analysis, inputs, expected=expected)
        lazy = record_program(analysis.adjoints, analysis.order, STRATEGIES[0])
        gradient, _ = planned(parsed, replayed, analysis, lazy, inputs, poison=False)  # poison only destroys more
        assert gradient.same(expected), options


def plans_agree(head: Head, machine: Machine, analysis: Analysis, inputs: Inputs = RANDOM,
                strategies: Iterable[Strategy] = STRATEGIES, expected: Gradient | None = None) -> Gradient:
    """Every plan gives the store-all gradient, which is returned, and leaves the stack empty."""
    if expected is None:
        expected, _ = store_all(head, machine, inputs)
    for strategy, records in different_records(analysis, strategies):
        gradient, run = planned(head, machine, analysis, records, inputs)
        assert gradient.same(expected), (strategy.name, gradient, expected)
        assert run.stack.height == 0
    return expected


def different_records(analysis: Analysis, strategies: Iterable[Strategy]) -> Iterator[
        tuple[Strategy, Mapping[str, ProcedureRecord]]]:
    """What each strategy records, but what another has recorded before it: its run would be the same."""
    seen: list[Mapping[str, ProcedureRecord]] = []
    for strategy in strategies:
        records = record_program(analysis.adjoints, analysis.order, strategy)
        if records not in seen:
            seen.append(records)
            yield strategy, records
