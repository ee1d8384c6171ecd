"""Cases of what is recorded: Fortran with, beneath each line, what its adjoint tapes, saves and computes again there.

    t = x(i)*a
    !> plain: again behind t = x(i)*a        the backward sweep runs the line once more before it gives t back
    !> taped: tape t

The words before the colon are ways to analyse (``WAYS``; ``all`` that the case names), with ``eager`` behind one where
the strategy is not lazy. A part or call says at its first line ``Snp``, ``Sbk``, ``Req_D``, ``Req_C``, and ``Snp
again`` what is computed when the snapshot is restored. The first lines of a case are its head and inputs, and the ways
that it is analysed in::

    ! head: p(x)>(y)
    ! given: n=5
    ! ways: plain, taped, plain eager
    ! spare: a, b; why the gradient is right without these on this input
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from snapset.analysis.activity.differentiation_head import Head, parse_heads
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.adjoint.repeatable_groups import flat
from snapset.analysis.adjoint.reruns import Rerun
from snapset.analysis.dataflow.bitsets import EMPTY, members
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import EAGER, LAZY
from snapset.analysis.recording.to_be_recorded import LevelRecord, PartRecord
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.symbolic.fortran_text import source
from snapset.frontend.load import load_text

CASES = Path(__file__).resolve().parent / "cases"
WAYS = {
    "plain": AnalysisOptions(),
    "taped": AnalysisOptions(tape_scalars=True),
    "recompute": AnalysisOptions(recompute=True),
    "values": AnalysisOptions(dag=True),
    "values recompute": AnalysisOptions(dag=True, recompute=True),
    "intact": AnalysisOptions(save_intact=True),
    "split": AnalysisOptions(call_checkpoints=False),
    "split values": AnalysisOptions(call_checkpoints=False, dag=True),
    "split recompute": AnalysisOptions(call_checkpoints=False, recompute=True),
}
_SAID = re.compile(r"^ *!> ([\w, ]+): (.*)$")


@dataclass(frozen=True)
class RecordedCase:
    """A case file. ``expected``: by way and line what stands beneath it. ``spare``: what is saved and not needed."""

    text: str
    head: Head
    inputs: Inputs
    expected: dict[str, dict[int, str]]
    spare: frozenset[str] = frozenset()


def read(path: Path) -> RecordedCase:
    text = path.read_text()
    given = dict(re.findall(r"^! (\w+): (.+)$", text, re.MULTILINE))
    inputs = {name: literal_eval(value)
              for name, _, value in (one.partition("=") for one in given["given"].split("; "))}
    ways = tuple(given["ways"].split(", "))
    expected: dict[str, dict[int, str]] = {way: {} for way in ways}
    statement = 0
    for number, line in enumerate(text.splitlines(), 1):
        if (said := _SAID.match(line)) is None:
            statement = number
            continue
        for way in ways if said[1] == "all" else said[1].split(", "):
            assert statement not in expected[way], f"{path.name}:{number}: said twice of {way}"
            expected[way][statement] = said[2].strip()
    (head,) = parse_heads(given["head"])
    spare = given.get("spare", "").partition(";")[0].split(", ")
    return RecordedCase(text, head, Inputs(inputs), expected, frozenset(spare))


def analysed(case: RecordedCase, way: str) -> Analysis:
    return prepare(load_text(case.text, name="case.f90"), case.head, WAYS[way.removesuffix(" eager")])


def found(case: RecordedCase, way: str) -> dict[int, str]:
    """By line what is recorded there."""
    analysis, lines = analysed(case, way), case.text.splitlines()
    said: dict[int, list[str]] = {}
    for key, record in record_program(analysis.adjoints, analysis.order,
                                      EAGER if way.endswith(" eager") else LAZY).items():
        adjoint = analysis.adjoints.by_key[key]
        for level in record.levels:
            for line, what in facts(adjoint, level, lines):
                if what not in said.setdefault(line, []):
                    said[line].append(what)
    return {line: re.sub(r"@\d+", "", "; ".join(every)) for line, every in said.items()}


def facts(adjoint: ProcedureAdjoint, record: LevelRecord, lines: list[str]) -> Iterator[tuple[int, str]]:
    nodes, space = adjoint.model.flow.nodes, adjoint.model.space

    def texts(rerun: Rerun) -> str:
        return ", ".join(lines[nodes[n].span.line - 1].strip() for n in flat(rerun.steps))

    for node in sorted(record.taped.keys() | record.solved.keys() | record.again.at.keys()
                       | record.again.behind.keys()):
        line = nodes[node].span.line
        if node in record.again.at:
            yield line, f"again {texts(record.again.at[node])}"
        if node in record.again.behind:
            yield line, f"again behind {texts(record.again.behind[node])}"
        if node in record.solved:
            yield line, part(adjoint, record.solved[node])
            if record.solved[node].again.assignments:
                yield line, f"Snp again {texts(record.solved[node].again)}"
        if taped := space.names(record.taped.get(node, EMPTY)):
            yield line, f"tape {', '.join(taped)}"


def part(adjoint: ProcedureAdjoint, solved: PartRecord) -> str:
    """``Snp u(2:n-1); Req_D nu``"""
    space, choice = adjoint.model.space, solved.choice

    def texts(bits: int, pieces: bool) -> Iterator[str]:
        for i in members(bits):
            if pieces and i in solved.pieces:
                yield from (source(ref) or "?" for ref in solved.pieces[i])
            else:
                yield from space.names(1 << i)

    sets = (("Sbk", choice.sbk, True), ("Snp", choice.snp, True), ("Req_D", choice.req_d, False),
            ("Req_C", choice.req_c, False))
    return "; ".join(f"{name} {', '.join(dict.fromkeys(texts(bits, pieces)))}" for name, bits, pieces in sets
                     if space.names(bits)) or "nothing"
