"""The loops of random programs as time loops: every schedule that fits must give the store-all gradient, bit for bit,
and take no more than is predicted; the whole run divided, too.

    python -m tests.generators.fuzz_loops --programs 500          of each kind of fuzz.py, and of many constructs
    python -m tests.generators.fuzz_loops --kind scalars --only 4711     one program: its text, and what is wrong

A program's number decides everything. A failing one belongs, made small, into tests/analysis/replay/timeloop.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from random import Random

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.loops.loop_analysis import LoopAnalysis, analyse_loop
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.replay.divide.divide_experiment import DivideOptions, divide
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, standard
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.analysis.replay.timeloop.schedule_results import LoopReplay
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.interprocedural.marked_loops import mark_loop
from snapset.frontend.load import load_text

from tests.generators.constructs.programs import HEAD, program
from tests.generators.constructs.trial import TWICE
from tests.generators.fuzz import KINDS, Case, case
from tests.generators.fuzz_constructs import kind_of

CONSTRUCTS = "constructs"
EVERY = (*KINDS, CONSTRUCTS)
NAME = "t.f90"
DO = re.compile(r"\s*(\w+\s*:\s*)?do\b(?!\s*concurrent)", re.IGNORECASE)
MEMORY = (0, 40, 100, 250, 700, 3000, 20_000)
MOST_LOOPS = 3
LIMIT = 300_000  # statements
CHUNK = 10


@dataclass(slots=True)
class Found:
    """``runs``: adjoints run, by schedule. ``wrong``: what is, by program; ``warned``: where a diagnostic says that a
    step run again does something else. ``above``: figures above the prediction. ``refused``: why a loop is not
    scheduled."""

    programs: int = 0
    loops: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    warned: Counter[str] = field(default_factory=Counter)
    above: list[str] = field(default_factory=list)
    exact: int = 0
    below: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def plus(self, other: Found) -> None:
        for name in self.__slots__:
            mine, more = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(more)
            else:
                setattr(self, name, mine + more)


def source(kind: str, number: int) -> tuple[str, str, Inputs]:
    """A program, its head and its inputs."""
    if kind == CONSTRUCTS:
        one = program(number)
        return one.text, HEAD, Inputs({"n": 5, "m": 3, "x": list(one.x)})
    made: Case = case(Random(number), programs=KINDS[kind])
    return made.text, made.head, Inputs(made.values)


def tried(kind: str, number: int) -> Found:
    """Some loops of one program under every schedule, with random bytes; and the run divided."""
    text, head, inputs = source(kind, number)
    random, found = Random(f"{kind} {number}"), Found(1)
    lines = [at for at, line in enumerate(text.splitlines(), 1) if DO.match(line)]
    for line in sorted(random.sample(lines, min(MOST_LOOPS, len(lines)))):
        memory, options = random.choice(MEMORY), AnalysisOptions(
            recompute=random.random() < 0.3, dag=random.random() < 0.2, context=random.random() < 0.2)
        label = f"{kind} {number}, line {line}, memory {memory}, {options_text(options)}"
        _noted(found, label, partial(_scheduled, found, label, text, head, inputs, line, memory, options))
    label = f"{kind} {number}, divided"
    _noted(found, label, partial(_divided, found, label, text, head, inputs, random))
    return found


def options_text(options: AnalysisOptions) -> str:
    return " ".join(name for name in ("recompute", "dag", "context") if getattr(options, name)) or "plain"


def _noted(found: Found, label: str, run: Callable[[], None]) -> None:
    try:
        run()
    except InputError as error:
        found.refused[kind_of(str(error))] += 1
    except Exception:
        found.wrong.append(f"{label}: {traceback.format_exc()}")


def _scheduled(found: Found, label: str, text: str, head: str, inputs: Inputs, line: int, memory: int,
               options: AnalysisOptions) -> None:
    marked, place = mark_loop(load_text(text, NAME), NAME, line)
    for one in analyse_loop(marked, parse_heads(head)[0], place, options):
        found.loops += 1
        result = _replayed(one, inputs, memory)
        said = " ".join(sorted({said.code for said in result.diagnostics if TWICE.fullmatch(said.code)}))
        for run in result.runs:
            found.runs[run.name] += 1
            if not run.equal and said:
                found.warned[said] += 1
            elif not run.equal:
                found.wrong.append(f"{label}, {run.name}: {run.error or 'another gradient'}")
            elif run.as_predicted == "more":
                found.above.append(f"{label}, {run.name}: {run.measured} above {run.predicted}")
            else:
                found.exact += run.as_predicted == "same"
                found.below += run.as_predicted == "less"


def _replayed(one: LoopAnalysis, inputs: Inputs, memory: int) -> LoopReplay:
    with_ = standard(one.analysis.prepared(), inputs, ExperimentOptions(limit=LIMIT, predict=False))
    return compare_schedules(one, with_, SchedulesWanted(memory, ("all",)))


def _divided(found: Found, label: str, text: str, head: str, inputs: Inputs, random: Random) -> None:
    wanted = DivideOptions(leaf=random.choice((1, 3, 10)))
    result = divide(load_text(text, NAME), parse_heads(head)[0], wanted, inputs)
    for run in result.runs:
        found.runs["divided"] += 1
        if not run.equal:
            found.wrong.append(f"{label}, {wanted}: {run}")


def tally(kind: str, numbers: range) -> Found:
    total = Found()
    for number in numbers:
        total.plus(tried(kind, number))
    return total


def chunks(first: int, count: int) -> Iterator[range]:
    for at in range(first, first + count, CHUNK):
        yield range(at, min(at + CHUNK, first + count))


def run(kind: str, first: int, count: int, jobs: int) -> int:
    """Try ``count`` programs of a kind; how many adjoints are wrong."""
    began, total, every = time.monotonic(), Found(), [*chunks(first, count)]
    with ProcessPoolExecutor(jobs) as pool:
        for one in pool.map(tally, repeat(kind), every):
            total.plus(one)
            for text in (*one.wrong, *one.above):
                print(f"\n{text}", flush=True)
            print(f"\r{total.programs} of {count} programs, {len(total.wrong)} wrong, {time.monotonic() - began:.0f} s",
                  end="", file=sys.stderr, flush=True)
    print(f"\n{kind}: programs from {first} on: {total.programs}; {total.loops} loops, {sum(total.runs.values())} "
          f"adjoints, {len(total.wrong)} wrong; figures as predicted {total.exact}, below {total.below}, above "
          f"{len(total.above)}")
    print("  " + ", ".join(f"{name} {times}" for name, times in sorted(total.runs.items())))
    for code, times in total.warned.most_common():
        print(f"  wrong and announced {times}: {code}")
    for why, times in total.refused.most_common(8):
        print(f"  refused {times}: {why}")
    return len(total.wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kind", choices=(*EVERY, "all"), default="all")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    given = parser.parse_args()
    kinds = EVERY if given.kind == "all" else (given.kind,)
    if given.only is not None:
        print(source(kinds[0], given.only)[0])
        found = tried(kinds[0], given.only)
        print("\n".join((*found.wrong, *found.above)), found.runs, found.refused)
        return int(bool(found.wrong))
    return int(sum(run(kind, given.first, given.programs, given.jobs) for kind in kinds) > 0)


if __name__ == "__main__":
    sys.exit(main())
