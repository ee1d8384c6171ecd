"""Random programs divided at random, interrupted at random and resumed in fresh memory: bit for bit what one run gives.

    python -m tests.generators.fuzz_divide --programs 500 --first 1000      of each kind of fuzz_loops.py, and sections
    python -m tests.generators.fuzz_divide --kind corpus --programs 1250    5,000 divisions of the corpus, other inputs
    python -m tests.generators.fuzz_divide --kind scalars --only 4711       one program: its text, and what is wrong

A program's number decides everything: driver, split points, stopping rule, what a step is, where it is interrupted.
A failing one belongs, made small, into tests/analysis/replay/divide.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import MappingProxyType

from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.pick import HALVES, StoppingRule, pick
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.replay.divide.capsule import control_of
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_program, load_text

from tests.generators import fuzz_loops, many_programs
from tests.generators.fuzz_constructs import kind_of
from tests.generators.many_programs import Tally
from tests.generators.sections import random_sections
from tests.support.corpus import CORPUS, parse_expected
from tests.support.divided import PROGRAMS, SOURCES, Divisible, from_corpus, outside, ready

SECTIONS, STORED = "sections", "corpus"
EVERY = (*fuzz_loops.EVERY, SECTIONS)
UNITS = ("statements", "elements")
DIVISIONS, INTERRUPTIONS, DEEP = 4, 6, 3


@dataclass(slots=True)
class Found(Tally):
    divisions: int = 0
    planned: int = 0
    leaves: int = 0
    resumed: int = 0
    ways: Counter[str] = field(default_factory=Counter)

    def counted(self) -> str:
        return (f"{self.divisions} divisions ({self.planned} with leaves by plan) of {self.leaves} leaves, "
                f"{self.resumed} capsules resumed, {len(self.wrong)} wrong")

    def details(self) -> Iterator[str]:
        """Drivers, split points and stopping rules that were tried together."""
        if self.ways:
            every = len(DRIVERS)*len(MIDS)*len(RULES)
            yield (f"{len(self.ways)} of {every} combinations of driver, split points and stopping rule, each "
                   f"{min(self.ways.values())} to {max(self.ways.values())} times")


def source(kind: str, number: int) -> tuple[str, str, Inputs]:
    """A program, its head and its inputs."""
    if kind == STORED:
        return SOURCES[_name(number)].read_text(), _head(number), from_corpus(_name(number)).inputs
    if kind == SECTIONS:
        return random_sections.program(Random(number)), random_sections.HEAD, Inputs({"n": 3})
    return fuzz_loops.source(kind, number)


def made(kind: str, number: int, random: Random) -> Divisible:
    """A program, ready to be divided. Raises InputError or ReplayError where the machine does not run it."""
    if kind == STORED:
        return _stored(number, random)
    text, head, inputs = source(kind, number)
    return ready(load_text(text), head, inputs)


def _stored(number: int, random: Random) -> Divisible:
    """A program of the corpus in turn, on other numbers; where it cannot be run on those, on its own."""
    name, own = _name(number), from_corpus(_name(number))
    procedure = own.analysis.models.program.procedures[own.machine.root]
    integers = [one for one in procedure.formals if one in procedure.variables
                and procedure.variables[one].type.kind == "integer" and not procedure.variables[one].shape.dims]
    given = {one: random.randint(1, 7) for one in integers if random.random() < 0.7}
    other = Inputs({**given, **own.inputs.given}, seed=random.randint(1, 1000))
    try:
        return ready(load_program([str(SOURCES[name])]), _head(number), other)
    except (InputError, ReplayError):
        return own


def _name(number: int) -> str:
    return PROGRAMS[number % len(PROGRAMS)]


def _head(number: int) -> str:
    return parse_expected((CORPUS / f"{_name(number)}.expected").read_text()).head


def tried(kind: str, number: int) -> Found:
    """One program, divided and interrupted."""
    random, found = Random(f"{kind} {number}"), Found(1)
    try:
        one = made(kind, number, random)
    except (InputError, ReplayError) as error:
        found.refused[kind_of(str(error))] += 1
        return found
    for _ in range(DIVISIONS):
        _noted(found, f"{kind} {number}", one, lambda: divided(one, random, found))
    for _ in range(INTERRUPTIONS):
        _noted(found, f"{kind} {number}", one, lambda: resumed(one, random, found))
    return found


def _noted(found: Found, label: str, one: Divisible, trial: Callable[[], str]) -> None:
    try:
        wrong = trial()
    except Exception:
        wrong = traceback.format_exc()
    if wrong:
        found.wrong.append(f"{label}: {wrong}")


RULES: Mapping[str, Callable[[int, int, int, int, bool], StoppingRule]] = MappingProxyType({
    "log": lambda n, alpha, d, t, halved: pick(n, alpha, log=True, halved=halved),
    "space": lambda n, alpha, d, t, halved: pick(n, alpha, d=d),
    "time": lambda n, alpha, d, t, halved: pick(n, alpha, t=t),
    "space and time": lambda n, alpha, d, t, halved: pick(n, d=d, t=t),
    "leaf": lambda n, alpha, d, t, halved: pick(n, alpha),
})


def rule_of(n: int, mid: str, random: Random) -> tuple[str, StoppingRule]:
    """Any stopping rule, with its kind. Leaves of one step in a long run would be too many."""
    alpha = random.randint(max(1, n // 150), max(1, n // random.choice((2, 5, 20))))
    d, t = random.randint(1, 6), random.randint(1, 4)
    kind = random.choice(list(RULES))
    return kind, RULES[kind](n, alpha, d, t, mid == HALVES)


def divided(one: Divisible, random: Random, found: Found) -> str:
    """What is wrong with one division; nothing, if it gives the gradient of store-all."""
    unit, mid, driver = random.choice(UNITS), random.choice(list(MIDS)), random.choice(list(DRIVERS))
    planned = random.random() < 0.4 and not isinstance(one.by_plan, str)
    n = (one.planned(unit) if planned else one.divided(unit)).steps()
    kind, rule = rule_of(n, mid, random)
    found.divisions += 1
    found.ways[f"{driver} {mid} {kind}"] += 1
    found.planned += planned
    gradient, log, _ = one.gradient(rule, mid, driver, unit, planned, shrinking=random.random() < 0.8)
    tree = log.tree(n)
    found.leaves += len(tree.leaves)
    if gradient is None or not gradient.same(one.expected):
        return f"another gradient: {unit}, {mid}, {driver}, {rule}{', leaves by plan' if planned else ''}"
    if sum(leaf.steps for leaf in tree.leaves) != n or tree.live > rule.d or tree.most > rule.t:
        return f"the tree is not what {rule} allows: {unit}, {mid}, {driver}"
    return ""


def resumed(one: Divisible, random: Random, found: Found) -> str:
    """What is wrong with a run that is interrupted and resumed some times within itself."""
    machine = one.divided(random.choice(UNITS), whole=True)
    walker = machine.begun()
    machine.go(walker, None)
    n, expected = walker.at, outside(one, walker.stack[0].frame)
    if machine.steps() != n:
        return f"PRIMOPS is {machine.steps()}, a walk takes {n} steps"
    walker, points = machine.begun(), []
    for _ in range(random.randint(1, DEEP)):
        machine.go(walker, random.randint(walker.at, n))
        points.append(walker.at)
        before, walker = walker, machine.walker(machine.take(walker, None))
        found.resumed += 1
        if control_of(before.stack) != control_of(walker.stack):
            return f"another control stack at {points}"
        if walker.at == n:
            break
    machine.go(walker, None)
    if walker.at != n:
        return f"{walker.at} steps instead of {n}, interrupted at {points}"
    return "" if outside(one, walker.stack[0].frame) == expected else f"another end, interrupted at {points}"


tally = partial(many_programs.tally, tried)

if __name__ == "__main__":
    sys.exit(many_programs.main(__doc__, EVERY, (STORED,), source, tried))
