"""Random programs of many constructs under all options, with the compiled original as third opinion.

    make fuzz N=1000                            programs 0 to 999 (and those of fuzz.py and fuzz_dag.py), on all cores
    python -m tests.generators.fuzz_constructs --only 4711      one program: its text, and what is wrong with it
    python -m tests.generators.fuzz_constructs --shrink 4711    the same, made as small as it still fails
    python -m tests.generators.fuzz_constructs --without pointer,linked_list

A program's number and the constructs decide everything. A failing one belongs, made small, into test_constructs.py.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path

from tests.generators.constructs.native import judge as judge_natively
from tests.generators.constructs.programs import FEATURES, Generated, program
from tests.generators.constructs.trial import LIMIT, Verdict, judge
from tests.generators.constructs.writing import Feature
from tests.generators.further import ALL_FEATURES
from tests.generators.shrink import shrink

CHUNK = 10
BRIEF = 50_000  # statements: shrinking may make a loop endless


@dataclass(slots=True)
class Tally:
    """What a range of programs came to. ``written``, ``executed``: programs with a construct; ``hits``: how often."""

    programs: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    written: Counter[str] = field(default_factory=Counter)
    executed: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    native: Counter[str] = field(default_factory=Counter)
    warned: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    example: dict[str, int] = field(default_factory=dict)
    bad: list[Verdict] = field(default_factory=list)

    def plus(self, other: Tally) -> None:
        self.programs += other.programs
        for name in ("runs", "written", "executed", "hits", "native", "warned", "refused"):
            getattr(self, name).update(getattr(other, name))
        self.example = {**other.example, **self.example}
        self.bad += other.bad


def tally(numbers: Sequence[int], features: Sequence[Feature] = FEATURES, native: bool = True) -> Tally:
    """The programs of these numbers, compiled together, judged one by one."""
    programs = [program(number, features) for number in numbers]
    with tempfile.TemporaryDirectory() as folder:
        opinions = judge_natively(programs, Path(folder)) if native else {}
    found = Tally(len(programs))
    for one in programs:
        opinion = opinions.get(one.number)
        verdict = judge(one, opinion)
        found.runs.update(verdict.runs)
        found.native[verdict.native.partition(":")[0] or "none"] += 1
        found.written.update({line[2:] for line in one.text.splitlines() if line.startswith("!@")})
        if opinion is not None and opinion.hits and not verdict.refused:
            ran = {name: count for name, count in opinion.hits.items() if count}
            found.executed.update(ran.keys())
            found.hits.update(ran)
        for what in verdict.warned.values():
            found.warned[kind_of(what)] += 1
        if verdict.refused:
            found.refused[kind_of(verdict.refused)] += 1
            found.example.setdefault(kind_of(verdict.refused), one.number)
        if verdict.bad:
            found.bad.append(verdict)
    return found


def kind_of(message: str) -> str:
    """A message without names and numbers, so that the same ones are counted together."""
    return re.sub(r"\d+", "N", re.sub(r"`[^`]*`|'[^']*'|[\w./]*:\d+:(\d+:)?", "*", message))[:150]


def run(first: int, count: int, jobs: int, features: Sequence[Feature], native: bool, seconds: float) -> int:
    """Judge ``count`` programs, or as many as ``seconds`` allow; how many are bad."""
    began, total = time.monotonic(), Tally()
    chunks = [range(at, min(at + CHUNK, first + count)) for at in range(first, first + count, CHUNK)]
    with ProcessPoolExecutor(jobs, initializer=gc.set_threshold, initargs=(100_000,)) as pool:
        waiting = iter(chunks)
        for start in range(0, len(chunks), 4*jobs):
            some = [next(waiting) for _ in range(min(4*jobs, len(chunks) - start))]
            for one in pool.map(tally, some, repeat(features), repeat(native)):
                total.plus(one)
                for verdict in one.bad:
                    print(f"\n{described(verdict)}", flush=True)
                print(f"\r{total.programs} of {count} programs, {len(total.bad)} bad, {time.monotonic() - began:.0f} s",
                      end="", file=sys.stderr, flush=True)
            if time.monotonic() - began > seconds:
                break
    print(summary(total, first))
    return len(total.bad)


def described(verdict: Verdict) -> str:
    what = verdict.broken or verdict.wrong or verdict.native
    return f"program {verdict.number}: {what}\n  python -m tests.generators.fuzz_constructs --shrink {verdict.number}"


def summary(total: Tally, first: int) -> str:
    lines = [f"\nprograms from {first} on: {total.programs}; {sum(total.runs.values())} adjoints run",
             "  " + ", ".join(f"{name} {count}" for name, count in sorted(total.runs.items())),
             "compiled original: " + ", ".join(f"{name} {count}" for name, count in total.native.most_common()),
             f"bad: {len(total.bad)} programs; wrong and announced (SN10x): {sum(total.warned.values())} adjoints",
             *(f"  warned {count}: {what}" for what, count in total.warned.most_common()),
             f"refused: {sum(total.refused.values())} programs",
             *(f"  {count}: {what} (program {total.example[what]})" for what, count in total.refused.most_common()),
             f"{'construct':24}{'written in':>11}{'executed in':>12}{'times':>9}  programs"]
    lines += [f"{name:24}{count:11}{total.executed[name]:12}{total.hits[name]:9}"
              for name, count in sorted(total.written.items())]
    return "\n".join(lines)


def verdict_of(one: Generated, limit: int = LIMIT, only: str = "") -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        return judge(one, judge_natively([one], Path(folder))[one.number], limit, only)


def kind(verdict: Verdict) -> str:
    """What is wrong with a program, told from other ways to be wrong."""
    if verdict.broken:
        return verdict.broken.strip().splitlines()[-1][:40]
    if verdict.wrong:
        what = next(iter(verdict.wrong.values()))
        return "another gradient" if what.startswith("another") else kind_of(what)
    undefined = " of what is not defined" if "nan" in verdict.native else ""
    return verdict.native.partition(":")[0] + undefined


def runs_compiled(one: Generated) -> bool:
    """Does gfortran take it, and does it come to its end: no subscript outside, nothing undefined read (but of what is
    allocated, which has some value)?"""
    with tempfile.TemporaryDirectory() as folder:
        return not judge_natively([one], Path(folder))[one.number].failure


def smallest(one: Generated) -> str:
    """A smaller program that is bad in the same way, under the same options, and runs if this one does: what makes it
    bad must not be that a statement is gone which defined something."""
    first, running = verdict_of(one), runs_compiled(one)
    wanted = kind(first)
    only = next(iter(first.wrong), "plain lazy")

    def fails(text: str) -> bool:
        whole = f"module m{one.number}" in text.splitlines()
        if not whole or text.count("implicit none") < one.text.count("implicit none"):
            return False  # names that are not declared mean something else
        changed = replace(one, text=text)
        if first.broken or first.wrong:
            found = judge(changed, None, BRIEF, only)
        else:
            found = verdict_of(changed, BRIEF, "nothing but the compiled program's opinion")
        return found.bad and kind(found) == wanted and (not running or runs_compiled(changed))

    return shrink(one.text, fails)


def show(number: int, small: bool, features: Sequence[Feature]) -> int:
    one = program(number, features)
    verdict = verdict_of(one)
    print(smallest(one) if small and verdict.bad else one.text)
    what = verdict.broken or verdict.wrong or verdict.refused or verdict.native
    print(f"! p(x)>(y) with n=5, m=3, x={','.join(map(str, one.x))}: {what}; warned: {verdict.warned}")
    return int(verdict.bad)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no more programs after this time")
    parser.add_argument("--without", default="", metavar="NAME,...", help="constructs that are not written")
    parser.add_argument("--with", dest="only_with", default="", metavar="NAME,...",
                        help="constructs that alone are written")
    parser.add_argument("--no-native", action="store_true", help="do not compile")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    parser.add_argument("--shrink", type=int, metavar="NUMBER")
    given = parser.parse_args()
    without, alone = given.without.split(","), given.only_with.split(",") if given.only_with else []
    features = [one for one in ALL_FEATURES if one.name not in without and (not alone or one.name in alone)]
    if given.shrink is not None or given.only is not None:
        return show(given.only if given.shrink is None else given.shrink, given.shrink is not None, features)
    return int(run(given.first, given.programs, given.jobs, features, not given.no_native, given.seconds) > 0)


if __name__ == "__main__":
    sys.exit(main())
