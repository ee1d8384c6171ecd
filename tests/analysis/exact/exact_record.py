"""The record of exact sets: ``sets/KIND.txt`` has a block for each program, its name, the sum of its text, its lines.

    python -m tests.analysis.exact.exact_record                     analyses them all again; git diff shows what is new
    python -m tests.analysis.exact.exact_record 'small 7' ...       these too: from now on they are in the record
    python -m tests.analysis.exact.exact_record --show 'small 7'    its text, its lines, and the sets behind each sum

What is new is written only where execution agrees: the adjoint with these sets, all else poisoned, gives the store-all
gradient. So a set that became too small is not recorded; that one became larger, or smaller and is still enough on
these inputs, is for the reader of the difference to explain.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.analysis.exact.exact_programs import ExactProgram, exact_program
from tests.analysis.exact.exact_sets import NodeStates, exact_lines, solved
from tests.support.corpus import RUNS_TWICE

SETS = Path(__file__).resolve().parent / "sets"
LIMIT = 2_000_000  # statements
ANNOUNCED = re.compile(rf"{RUNS_TWICE.pattern}|SN304")  # that a second run does something else


@dataclass(frozen=True)
class ExactRecord:
    """One block. ``sum``: of the program's text when it was recorded."""

    name: str
    sum: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join((f"{self.name} ({self.sum})", *(f"  {line}" for line in self.lines)))


def recorded() -> Iterator[ExactRecord]:
    for path in sorted(SETS.glob("*.txt")):
        for block in path.read_text().rstrip("\n").split("\n\n"):
            title, *lines = block.splitlines()
            name, _, total = title.rpartition(" ")
            yield ExactRecord(name, total.strip("()"), tuple(line[2:] for line in lines))


def found(name: str) -> ExactRecord:
    one = exact_program(name)
    return ExactRecord(name, one.sum, tuple(line.rstrip() for line in exact_lines(one)))


def objection(one: ExactProgram) -> str:
    """What execution has against the sets of a program, "" if nothing: it may refuse a program, or a diagnostic may
    say that a second run does something else, and then it has nothing to say."""
    try:
        result = compare(load_text(one.text, one.file), parse_heads(one.head)[0], (LAZY,), one.inputs, one.options,
                         ExperimentOptions(limit=LIMIT, predict=False))
    except InputError:
        return ""
    if any(ANNOUNCED.fullmatch(said.code) for said in result.diagnostics):
        return ""
    return "; ".join(f"{run.name}: {run.error or 'another gradient'}" for run in result.runs if not run.equal)


def renewed(known: Mapping[str, ExactRecord]) -> int:
    """Writes what is found of these; how many are not written, since their sets are wrong."""
    bad, told = 0, dict(known)
    for name, before in known.items():
        told[name] = found(name)
        if told[name] != before:
            wrong = objection(exact_program(name))
            bad += bool(wrong)
            told[name] = before if wrong else told[name]
            print(f"{name}: {wrong or 'written'}", flush=True)
    kinds: dict[str, list[str]] = {}
    for name, one in told.items():
        if one.sum:
            kinds.setdefault(name.partition(" ")[0], []).append(str(one))
    SETS.mkdir(exist_ok=True)
    for kind, blocks in kinds.items():
        (SETS / f"{kind}.txt").write_text("\n\n".join(blocks) + "\n")
    return bad


def shown(one: ExactProgram) -> str:
    sets: list[str] = []

    def note(problem: str, states: NodeStates) -> None:
        sets.extend(f"{problem} at {node}: " + "; ".join(f"{name} {', '.join(held)}".strip()
                                                         for name, held in state.items()) for node, state in states)

    if not one.name.startswith("loops "):
        solved(one, note)
    return "\n".join((one.text, *exact_lines(one), *sets))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PROGRAM")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if given.show:
        for name in given.names:
            print(shown(exact_program(name)))
        return 0
    known = {one.name: one for one in recorded()}
    return int(renewed({**{name: ExactRecord(name, "", ()) for name in given.names}, **known}) > 0)


if __name__ == "__main__":
    sys.exit(main())
