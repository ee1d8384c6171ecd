"""What the analysis says of one program, exactly, in lines to compare: one that is other after a change of the code
shows where it says more or less.

    s: use a, n; out b; kill b              what a call of s reads first, may write, certainly writes
    31: Snp a(2:m-1); Sbk t                 what the part or call in this line saves (``facts`` of the recorded cases)
    40: again t = x(i)*a
    live-code: 9f9b7504                     a sum of all sets that this data-flow problem has, node by node
    19: restart f(:, now); tape u           of loops: what restarts a step, and what its adjoint needs

Where a sum alone is other, sets differ that no line shows: ``python -m tests.analysis.exact.exact_record --show NAME``
prints them, before and after the change, to compare.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dataflow.framework import DataFlowProblem, FixedPoint, observing
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.loops.loop_analysis import analyse_loop, loop_sets
from snapset.analysis.pipeline import prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.interprocedural.marked_loops import mark_loop
from snapset.frontend.load import load_text

from tests.analysis.exact.exact_programs import ExactProgram
from tests.analysis.recording.recorded.recorded_lines import facts

NodeStates: TypeAlias = Sequence[tuple[int, Mapping[str, tuple[str, ...]]]]
Records: TypeAlias = Mapping[str, ProcedureRecord]
_DO = re.compile(r"\s*(\w+\s*:\s*)?do\b(?!\s*concurrent)", re.IGNORECASE)
_END = re.compile(r"\s*end\s*do\b", re.IGNORECASE)


def solved(one: ExactProgram, hear: Callable[[str, NodeStates], None]) -> tuple[Analysis, Records]:
    """A program analysed; ``hear`` is told each data-flow problem that is solved, and what holds before each node."""
    def note(problem: DataFlowProblem[Any], graph: DirectedGraph, solution: FixedPoint[Any]) -> None:
        nodes = sorted(node for node in graph.order if node < len(problem.scope.flow.nodes))
        hear(problem.name, [(node, problem.shown(solution.at_entry(node))) for node in nodes])

    with observing(note):
        analysis = prepare(load_text(one.text, one.file), parse_heads(one.head)[0], one.options)
        return analysis, record_program(analysis.adjoints, analysis.order, LAZY)


def exact_lines(one: ExactProgram) -> list[str]:
    """What is said of a program."""
    if one.name.startswith("loops "):
        return list(_of_loops(one))
    sums: dict[str, int] = {}

    def add(problem: str, states: NodeStates) -> None:
        sums[problem] = zlib.crc32(repr(states).encode(), sums.get(problem, 0))

    analysis, records = solved(one, add)
    return [*_of_calls(analysis), *_of_lines(one, analysis, records),
            *(f"{problem}: {total:08x}" for problem, total in sorted(sums.items()))]


def _of_calls(analysis: Analysis) -> Iterator[str]:
    models = {adjoint.model.procedure.key: adjoint.model for adjoint in analysis.adjoints.by_key.values()}
    for key, model in sorted(models.items()):
        names, summary = model.space.names, model.summary
        yield (f"{key}: use {', '.join(names(summary.use))}; out {', '.join(names(summary.out))}; "
               f"kill {', '.join(names(summary.kill))}")


def _of_lines(one: ExactProgram, analysis: Analysis, records: Records) -> Iterator[str]:
    lines, said = one.text.splitlines(), defaultdict[int, dict[str, None]](dict)
    for key, record in records.items():
        for level in record.levels:
            for line, what in facts(analysis.adjoints.by_key[key], level, lines):
                said[line][what] = None
    for line, every in sorted(said.items()):
        yield f"{line}: {'; '.join(every)}"


def _of_loops(one: ExactProgram) -> Iterator[str]:
    for line in outermost(one.text):
        try:
            marked, place = mark_loop(load_text(one.text, one.file), one.file, line)
            for found in analyse_loop(marked, parse_heads(one.head)[0], place, one.options):
                sets = loop_sets(found)
                restart, tape = (", ".join(held.shown for held in every)
                                 for every in (sets.restart, sets.dependencies))
                yield f"{line}: restart {restart}; tape {tape}; reads {', '.join(sets.parameters)}"
        except InputError as error:
            yield f"{line}: {str(error).partition('error: ')[2].partition(';')[0]}"


def outermost(text: str) -> Iterator[int]:
    """The lines where DO loops begin that are in no other one."""
    depth = 0
    for at, line in enumerate(text.splitlines(), 1):
        if _DO.match(line):
            if depth == 0:
                yield at
            depth += 1
        elif _END.match(line):
            depth -= 1
