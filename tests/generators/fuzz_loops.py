"""The loops of random programs as time loops: every schedule that fits must give the store-all gradient, bit for bit,
and take no more than is predicted; the whole run divided, too.

    python -m tests.generators.fuzz_loops --programs 500          of each kind of fuzz.py, and of many constructs
    python -m tests.generators.fuzz_loops --kind scalars --only 4711     one program: its text, and what is wrong

A program's number decides everything. A failing one belongs, made small, into tests/analysis/replay/timeloop.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
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

from tests.generators import many_programs
from tests.generators.constructs.programs import HEAD, program
from tests.generators.constructs.trial import TWICE
from tests.generators.fuzz import KINDS, Case, case
from tests.generators.fuzz_constructs import kind_of
from tests.generators.many_programs import Tally

CONSTRUCTS = "constructs"
EVERY = (*KINDS, CONSTRUCTS)
NAME = "t.f90"
DO = re.compile(r"\s*(\w+\s*:\s*)?do\b(?!\s*concurrent)", re.IGNORECASE)
MEMORY = (0, 40, 100, 250, 700, 3000, 20_000)
MOST_LOOPS = 3
LIMIT = 300_000  # statements


@dataclass(slots=True)
class Found(Tally):
    """``runs``: adjoints run, by schedule. ``warned``: where a diagnostic says that a step run again does something
    else. ``above``: figures above the prediction."""

    loops: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    warned: Counter[str] = field(default_factory=Counter)
    above: list[str] = field(default_factory=list)
    exact: int = 0
    below: int = 0

    def told(self) -> list[str]:
        return [*self.wrong, *self.above]

    def counted(self) -> str:
        return (f"{self.loops} loops, {sum(self.runs.values())} adjoints, {len(self.wrong)} wrong; "
                f"figures as predicted {self.exact}, below {self.below}, above {len(self.above)}")

    def details(self) -> Iterator[str]:
        yield ", ".join(f"{name} {times}" for name, times in sorted(self.runs.items()))
        for code, times in self.warned.most_common():
            yield f"wrong and announced {times}: {code}"


def source(kind: str, number: int) -> tuple[str, str, Inputs]:
    """A program, its head and its inputs."""
    if kind == CONSTRUCTS:
        one = program(number)
        return one.text, HEAD, Inputs({"n": 5, "m": 3, "x": list(one.x)})
    made: Case = case(Random(number), programs=KINDS[kind])
    return made.text, made.head, Inputs(made.values)


def tried(kind: str, number: int, whole_run: bool = True) -> Found:
    """Some loops of one program under every schedule, with random bytes; and the whole run divided, three quarters
    of the time (fuzz_divide divides the same programs)."""
    text, head, inputs = source(kind, number)
    random, found = Random(f"{kind} {number}"), Found(1)
    lines = [at for at, line in enumerate(text.splitlines(), 1) if DO.match(line)]
    for line in sorted(random.sample(lines, min(MOST_LOOPS, len(lines)))):
        memory, options = random.choice(MEMORY), AnalysisOptions(
            recompute=random.random() < 0.3, dag=random.random() < 0.2, context=random.random() < 0.2)
        label = f"{kind} {number}, line {line}, memory {memory}, {options_text(options)}"
        _noted(found, label, partial(_scheduled, found, label, text, head, inputs, line, memory, options))
    if whole_run:
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


scheduled = partial(many_programs.tally, partial(tried, whole_run=False))

if __name__ == "__main__":
    sys.exit(many_programs.main(__doc__, EVERY, (), source, tried))
