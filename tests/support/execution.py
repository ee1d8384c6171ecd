"""A program's text executed in every way there is: the machine, gfortran, and the adjoint under many plans.

``proved_by_execution`` is the judge of features of the machine: values and gradients against the compiled program
and its differences (nothing of ours), plans against the store-all adjoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from snapset.analysis.activity.differentiation_head import Head, find_procedure, parse_heads
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, Standard, compared, standard
from snapset.analysis.replay.experiment.gradient import Gradient, planned, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import Comparison
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.interprocedural.procedure_pointers import in_run_of
from snapset.frontend.ir import Program
from snapset.frontend.load import load_text

from tests.oracles.gfortran_driver import compile_driver, drive
from tests.oracles.gfortran_opinion import opinion

STRATEGIES = parse_strategies("lazy,eager,Opt1+=*,Opt2+=*;Sbk+=*,Opt3+=*,Opt1+=*;Opt2+=*;Opt3+=*")
OPTIONS = (AnalysisOptions(), AnalysisOptions(first_run="whole", save_intact=True),
           AnalysisOptions(call_checkpoints=False), AnalysisOptions(recompute=True, context=True, dag=True))
FURTHER = (AnalysisOptions(first_run="whole"), AnalysisOptions(record_branches=True, keep_operands=True),
           AnalysisOptions(tape_scalars=True), AnalysisOptions(save_intact=True, recompute=True),
           AnalysisOptions(call_checkpoints=False, recompute=True, dag=True),
           AnalysisOptions(first_run="whole", context=True, record_branches=True))
RANDOM = Inputs()


@dataclass(frozen=True)
class Executed:
    """A program and its head, read once, and the machine that has run its store-all adjoint: one for all judges."""

    head: Head
    program: Program
    machine: Machine
    expected: Gradient

    def machine_of(self, analysis: Analysis) -> Machine:
        """What runs plans of an analysis of the program, which may be of one that was changed for it."""
        program = analysis.models.program
        return self.machine if program is self.machine.program else Machine(program, self.machine.root)


def with_one_further(options: Sequence[AnalysisOptions], text: str) -> tuple[AnalysisOptions, ...]:
    """And one of the other sets of options, always the same for a text: each program is not run under all."""
    return (*options, FURTHER[crc32(text.encode()) % len(FURTHER)])


def executed(program: Program, head: Head, inputs: Inputs = RANDOM) -> Executed:
    root = find_procedure(program, head).key
    machine = Machine(in_run_of(program, root), root)
    return Executed(head, program, machine, store_all(head, machine, inputs)[0])


def agrees_with_compiled(text: str, head: str, folder: Path, inputs: Inputs = RANDOM, ways: int = 1) -> None:
    """The machine leaves behind the values that the program compiled by gfortran does, and its store-all gradient gives
    the directional derivatives that differences of the compiled program give, in so many ``ways``."""
    compiled_agrees(text, executed(load_text(text), *parse_heads(head), inputs), folder, inputs, ways)


def compiled_agrees(text: str, one: Executed, folder: Path, inputs: Inputs, ways: int) -> None:
    """Of a text that was executed: as :func:`agrees_with_compiled`."""
    (folder / "original.f90").write_text(text)
    (folder / "compiled").mkdir()
    driver = drive(one.head, one.machine, inputs)
    compiled = compile_driver(driver, (str(folder / "original.f90"),), folder / "compiled")
    found = opinion(one.head, one.machine, inputs, driver, compiled, ways, one.expected)
    assert not found.differences, found.differences
    assert found.agrees, found.slopes


def proved_by_execution(text: str, head: str, folder: Path, given: Mapping[str, object] | None = None,
                        ways: int = 2, compiled: str = "") -> None:
    """Nothing differs: gfortran's values and differences, node by node or directly run, lazy, eager and the other
    corners, calls as checkpoints or split, first runs trimmed or whole, poisoned or not. ``compiled``: the same program
    written otherwise, where gfortran compiles this one wrongly."""
    inputs = Inputs(dict(given or {}))
    one = executed(load_text(text), *parse_heads(head), inputs)
    compiled_agrees(compiled or text, one, folder, inputs, ways)
    assert any((a != 0).any() for a in one.expected.values.values())
    models = None
    for options in with_one_further(OPTIONS, text):
        analysis = prepare(one.program, one.head, options, models)
        models = models or analysis.models
        replayed = one.machine_of(analysis)
        plans_agree(one.head, replayed, analysis, inputs, expected=one.expected)
        lazy = record_program(analysis.adjoints, analysis.order, STRATEGIES[0])
        # Poison only destroys more.
        gradient, _ = planned(one.head, replayed, analysis, lazy, inputs, poison=False)
        assert gradient.same(one.expected), options


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


class UnderOptions:
    """``compare(program, head, ...)`` for several options: modelled once, and its store-all adjoint run once."""

    def __init__(self, program: Program, head: Head, inputs: Inputs, wanted: ExperimentOptions) -> None:
        self.program = program
        self.head = head
        self.inputs = inputs
        self.wanted = wanted
        self.known: tuple[Models, Standard] | None = None  # of the program as it is

    def prepared(self, options: AnalysisOptions) -> tuple[Analysis, Standard]:
        """The analysis, and the store-all run of what it analyses: split mode adds variables to the program."""
        analysis = prepare(self.program, self.head, options, None if self.known is None else self.known[0])
        if self.known is not None and analysis.models.program is self.program:
            return analysis, self.known[1]
        ran = standard(analysis, self.inputs, self.wanted)
        if self.known is None and analysis.models.program is self.program:
            self.known = analysis.models, ran
        return analysis, ran

    def compared(self, strategies: Sequence[Strategy], options: AnalysisOptions) -> Comparison:
        analysis, ran = self.prepared(options)
        return compared(analysis, strategies, options, self.wanted, ran)
