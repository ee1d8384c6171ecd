"""The command: ``python -m benchmarks.mutants sections --sample 100``."""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import pytest

import benchmarks.mutants
from benchmarks.mutants.changes import Mutant, mutants_of
from benchmarks.mutants.equivalent import equivalents, key
from benchmarks.mutants.rooms import CORE, ROOMS, ROOT, Room
from benchmarks.mutants.trials import NOT_LIVE, Trials

LEAST = 0.85


def main() -> int:
    parser = argparse.ArgumentParser(description=(benchmarks.mutants.__doc__ or "").partition("\n\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="mutants of each room, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=8, metavar="SECONDS", help="tests of one mutant may take")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--survey", type=Path, metavar="FILE", help="which tests run what: read, or written")
    parser.add_argument("--kept", type=Path, metavar="FILE", help="what was killed: not tried again, and written")
    parser.add_argument("--cases", type=int, default=0, metavar="N", help="of a test function, at most (0: all)")
    parser.add_argument("--tried", type=int, default=0, metavar="N", help="of the sample, in a run before this one")
    parser.add_argument("--wide", action="store_true", help="ask the tests of make test-wide, too")
    parser.add_argument("--every", action="store_true", help="ask all tests of the rooms, not the nearest alone")
    parser.add_argument("--modules", metavar="REGEX", default="", help="draw from modules whose name matches")
    parser.add_argument("--only", metavar="REGEX", default="", help="of the sample those whose line matches")
    given = parser.parse_args()
    unknown = [name for name in given.rooms if name not in ROOMS]
    if unknown:
        parser.error(f"no room {unknown[0]}; there are {', '.join(ROOMS)}")
    rooms = [ROOMS[name] for name in given.rooms or CORE]
    began, known = time.monotonic(), equivalents()
    drawn = [one for one in sample(rooms, given.sample, given.seed, given.modules)[given.tried:]
             if re.search(given.only, str(one))]
    trials = Trials([one for one in drawn if key(one) not in known], rooms, jobs=given.jobs, budget=given.budget,
                    survey=given.survey, cases=given.cases, wide=given.wide, kept=given.kept,
                    every=given.every)
    ended = run(trials, ROOT)
    bad = report(trials, [one for one in drawn if key(one) in known])
    print(f"{time.monotonic() - began:.0f} s", flush=True)
    return int(bad or ended)


def sample(rooms: Sequence[Room], most: int, seed: int, modules: str = "") -> list[Mutant]:
    """Some mutants of each room, of one after the other."""
    every = [[one for one in mutants_of(room) if re.search(modules, one.module)] for room in rooms]
    drawn = [random.Random(seed).sample(of_one, min(most, len(of_one))) for of_one in every]
    return [one for together in zip_longest(*drawn) for one in together if one is not None]


def run(trials: Trials, root: Path) -> int:
    """All trials; what the tests write, in their places and Hypothesis's, is in a directory that is gone afterwards."""
    tests = dict.fromkeys(str(root / one) for room in trials.rooms for one in room.tests)
    with tempfile.TemporaryDirectory(prefix="mutants") as place:
        for name in ("TMPDIR", "PYTEST_DEBUG_TEMPROOT", "HYPOTHESIS_STORAGE_DIRECTORY"):
            os.environ[name] = place
        tempfile.tempdir = None
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        return int(pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow",
                                "--rootdir", str(root), *tests], plugins=[trials]))


def report(trials: Trials, equivalent: Sequence[Mutant]) -> bool:
    """Prints for each room how many were killed, and how many are known to change nothing; is it too few?"""
    bad = False
    for room in trials.rooms:
        ends = [end for mutant, end in trials.ends.items() if mutant.room == room.name and end != NOT_LIVE]
        killed, known = ends.count("killed"), sum(one.room == room.name for one in equivalent)
        left = sum(one.room == room.name and one not in trials.ends for one in trials.mutants)
        early = sum(mutant.room == room.name for mutant in trials.early)
        bad |= killed < LEAST*len(ends)
        print(f"{room.name}: {killed} of {len(ends)} killed ({killed/max(1, len(ends)):.0%}), "
              f"{early} of them by exact sets and recorded cases, {known} equivalent, "
              f"{f'{left} not tried, ' if left else ''}"
              f"of {sum(1 for _ in mutants_of(room))} in all", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main())
