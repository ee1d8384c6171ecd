"""Random programs for analysis and machine: every plan must give the store-all gradient, bit for bit.

    make fuzz N=1000                      programs 0 to 999, on all cores
    python -m tests.generators.fuzz --only 4711      one program: its text, and what is wrong with it
    python -m tests.generators.fuzz --shrink 4711    the same, made as small as it still fails
    python -m tests.generators.fuzz --kind stretches   parts that write stretches of arrays; regions: columns, windows;
                                                       workspaces: runs of vectors;
                                                       rewrites: elements written again; covers: work arrays;
                                                       pairs: several elements of one array in a call;
                                                       recurrences: elements computed from others before them;
                                                       openings: elements read again, limits changing between;
                                                       called: loops of calls that write arrays by element;
                                                       masks: WHERE; logs: lists that nobody needs, mostly;
                                                       privates: what is nobody else's, in ASSOCIATE and BLOCK,
                                                       allocated, overlaid, pointed to, in loops left early;
                                                       names: halves, values and elements of what is changed by
                                                       another name;
                                                       rows: parts that read scalars made of elements of rows;
                                                       indices: elements by integers that are made on the way;
                                                       lists: links of lists and trees, and what nodes
                                                       point to, that change in parts;
                                                       nests: marked parts in each other, round objects, in loops
                                                       that are left;
                                                       commons: of other kinds, the arrays in COMMON under
                                                       several names;
                                                       edits: the realistic programs and the corpus, edited;
                                                       scalars: what is computed again; pointers, recursion; all:
                                                       one kind after the other

A program's number decides everything. A failing program belongs into the corpus, made small.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import repeat
from math import isnan
from random import Random
from types import ModuleType
from typing import Any

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.generators import random_fortran, random_pointers
from tests.generators.calls import random_called, random_callees, random_logs, random_recursion, random_small
from tests.generators.dag import random_scalars
from tests.generators.edits import random_edits
from tests.generators.elements import (
    random_indices,
    random_lists,
    random_masks,
    random_names,
    random_openings,
    random_pairs,
    random_privates,
    random_recurrences,
    random_rewrites,
    random_rotations,
)
from tests.generators.sections import (
    random_commons,
    random_covers,
    random_nests,
    random_regions,
    random_rows,
    random_stretches,
    random_workspaces,
)
from tests.generators.shrink import shrink

NAMED = parse_strategies("lazy,eager,Opt1+=*,Opt2+=*;Sbk+=*,Opt3+=*,Opt1+=*;Opt3+=*,Opt1+=*;Opt2+=*;Opt3+=*")
KINDS = {"general": random_fortran, "stretches": random_stretches, "scalars": random_scalars,
         "pointers": random_pointers, "recursion": random_recursion, "regions": random_regions,
         "callees": random_callees, "workspaces": random_workspaces, "rewrites": random_rewrites,
         "covers": random_covers, "pairs": random_pairs, "recurrences": random_recurrences, "openings": random_openings,
         "rotations": random_rotations, "privates": random_privates, "small": random_small, "called": random_called,
         "masks": random_masks, "logs": random_logs, "names": random_names, "rows": random_rows,
         "indices": random_indices, "lists": random_lists, "nests": random_nests, "commons": random_commons,
         "edits": random_edits}
CHUNK = 50
CALLS = re.compile(r"\s*(call s_|call turned|[\w%(): ,+-]+ = .*\bf\()")
ASSIGNED = re.compile(r"^ *(\w+(?:%\w+)*) *(?:\(.*?\))? *=[^=>]", re.MULTILINE)
ANNOUNCED = frozenset(("SN104", "SN105", "SN304"))  # a second run finds other memory, memory has two names
BRIEF = 100_000  # statements: shrinking may make a loop endless


@dataclass(frozen=True, slots=True)
class Case:
    """A program, its inputs, and the strategies to try: the named ones and a random partition. ``calls``: are calls
    checkpoints, but those behind NOCHECKPOINT? ``context``: has each calling pattern a code of its own?
    ``recompute``: is what can be computed again neither taped nor saved? ``dag``: does the tape go by values?
    ``faulty``: may the program stop, read what is undefined, or do what the report
    warns of (give memory two names, associate what has no size in a part)? Then it shows nothing.
    """

    text: str
    values: Mapping[str, int]
    strategies: tuple[Strategy, ...]
    calls: bool = True
    context: bool = False
    recompute: bool = False
    dag: bool = False
    head: str = random_fortran.HEAD
    others: Mapping[str, Any] = field(default_factory=dict)  # options that say what is recorded, and what runs first
    faulty: bool = False

    def wrong(self, text: str | None = None, limit: int = 5_000_000) -> dict[str, str]:
        """What is wrong, by strategy; for another program text if one is given. ``limit``: of statements."""
        (head,) = parse_heads(self.head)
        inputs = Inputs(self.values)
        options = AnalysisOptions(call_checkpoints=self.calls, context=self.context, recompute=self.recompute,
                                  dag=self.dag, **self.others)
        try:
            found = compare(load_text(text or self.text), head, self.strategies, inputs, options,
                            ExperimentOptions(limit=limit, predict=False))
        except InputError:
            if self.faulty:
                return {}
            raise
        if self.faulty and (any(isnan(x) for one in found.reference.gradient.values() for x in one.elements)
                            or any(said.code in ANNOUNCED for said in found.diagnostics)):
            return {}
        return {run.name: run.error or "another gradient" for run in found.runs if not run.equal}


def case(random: Random, named: tuple[Strategy, ...] = NAMED, programs: ModuleType = random_fortran) -> Case:
    """The case a source of choices leads to. Its calls are all checkpoints, or none is, or some are.

    ``programs``: what makes them, with ``HEAD``, ``program``, ``numbers`` and ``LOCATIONS``.
    """
    text, values = programs.program(random), programs.numbers(random)
    partition = random_partition(random, programs.LOCATIONS or written(text))
    mode = random.randrange(3)
    return Case(text if mode < 2 else with_splits(text, random), values, (*named, partition), mode != 1,
                random.randrange(2) == 1, random.randrange(2) == 1, random.randrange(2) == 1,
                programs.HEAD or head_of(text), other_options(random), programs is random_edits)


def head_of(text: str) -> str:
    """The head that a program's first line gives: ``! head: f(x)>(y)``."""
    return text.partition("\n")[0].partition(": ")[2]


def written(text: str) -> tuple[str, ...]:
    """The names of what is assigned."""
    return tuple(sorted({found[1].lower() for found in ASSIGNED.finditer(text)}))


def other_options(random: Random) -> Mapping[str, Any]:
    """None of them for half of the programs."""
    if random.randrange(2):
        return {}
    chosen = {name: True for name in ("save_intact", "tape_scalars", "keep_operands", "record_branches")
              if random.randrange(3) == 0}
    return {**chosen, **({"first_run": "whole"} if random.randrange(3) == 0 else {})}


def with_splits(text: str, random: Random) -> str:
    """``!$AD NOCHECKPOINT`` before some of the calls."""
    lines: list[str] = []
    for line in text.splitlines():
        if CALLS.match(line) and random.randrange(2):
            lines.append("!$AD NOCHECKPOINT")
        lines.append(line)
    return "\n".join(lines) + "\n"


class AnyNames(Strategy):
    """A partition that, unlike a user's, may name what is not optional anywhere."""

    def named_pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset()


def random_partition(random: Random, locations: tuple[str, ...] = random_fortran.LOCATIONS) -> Strategy:
    """Each location on a random side of each Opt set, and half of them kept by Sbk alone where that is valid."""
    sides = {f"{opt}+": frozenset(name for name in locations if random.randrange(2)) for opt in "123"}
    own = Random(" ".join(sorted(sides["1+"])))
    sides["s+"] = frozenset(name for name in locations if own.randrange(2))
    return AnyNames("random partition", "partition", sides)


def failures(first: int, count: int, named: tuple[Strategy, ...] = NAMED,
             kind: str = "general") -> list[tuple[int, dict[str, str]]]:
    """The programs of a range that go wrong."""
    found = []
    for number in range(first, first + count):
        try:
            wrong = case(Random(number), named, KINDS[kind]).wrong()
        except InputError as error:
            wrong = {"the program": str(error)}
        if wrong:
            found.append((number, wrong))
    return found


def run(first: int, count: int, jobs: int, named: tuple[Strategy, ...], kind: str) -> int:
    """Try ``count`` programs; how many failed."""
    began, done, failed = time.monotonic(), 0, 0
    starts = range(first, first + count, CHUNK)
    sizes = [min(CHUNK, first + count - start) for start in starts]
    with ProcessPoolExecutor(jobs, initializer=gc.set_threshold, initargs=(100_000,)) as pool:
        for size, wrong in zip(sizes, pool.map(failures, starts, sizes, repeat(named), repeat(kind)),
                               strict=True):
            done += size
            failed += len(wrong)
            for number, what in wrong:
                print(f"\nprogram {number}: {what}", flush=True)
            print(f"\r{done} of {count} programs, {failed} wrong, {time.monotonic() - began:.0f} s", end="",
                  file=sys.stderr, flush=True)
    print(f"\n{kind}: programs {first} to {first + count - 1}, each under {', '.join(s.name for s in named)} and a "
          f"random partition: {failed} wrong")
    return failed


def smallest(one: Case) -> str:
    """A smaller program that fails under the same strategy."""
    strategy = next(iter(one.wrong()))
    narrow = replace(one, strategies=tuple(s for s in one.strategies if s.name == strategy))

    def fails(text: str) -> bool:
        try:
            return bool(narrow.wrong(text, BRIEF))
        except InputError:
            return False

    return shrink(one.text, fails)


def show(number: int, small: bool, kind: str) -> int:
    """Print one program and what is wrong with it."""
    one = case(Random(number), programs=KINDS[kind])
    wrong = one.wrong()
    print(smallest(one) if small and wrong else one.text)
    calls = ("" if one.calls else ", no call a checkpoint") + (", by context" if one.context else "") + (
        ", recomputing" if one.recompute else "") + (", tape by values" if one.dag else "") + "".join(
        f", {name}" for name in one.others)
    print(f"! {one.head} with {dict(one.values)}{calls}: {wrong or 'nothing wrong'}")
    return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--strategies", type=parse_strategies, default=NAMED, metavar="TEXT",
                        help="as for snapset; a random partition always comes on top")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    parser.add_argument("--shrink", type=int, metavar="NUMBER")
    parser.add_argument("--kind", choices=(*KINDS, "all"), default="general", help="what the programs are made for")
    given = parser.parse_args()
    if given.shrink is not None:
        return int(show(given.shrink, True, given.kind) > 0)
    if given.only is not None:
        return int(show(given.only, False, given.kind) > 0)
    kinds = tuple(KINDS) if given.kind == "all" else (given.kind,)
    return int(sum(run(given.first, given.programs, given.jobs, given.strategies, kind) for kind in kinds) > 0)


if __name__ == "__main__":
    sys.exit(main())
