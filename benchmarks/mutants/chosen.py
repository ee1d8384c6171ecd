"""Chooses programs for the exact sets: each small change that has another value somewhere gets up to six of them.

    python -m benchmarks.mutants.chosen --programs 40 --most 60      of 40 programs of each kind, at most 60

What the recorded programs reach already is not asked for again. Prints the names, as ``python -m
tests.analysis.exact.exact_record`` takes them, cheap ones first for what they add, and how much is reached then. The
programs are chosen by what they run, not by mutants that survived: so a sample of mutants still says something.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat

from benchmarks.mutants.rooms import ROOMS
from benchmarks.mutants.weak import observed
from tests.analysis.exact.exact_programs import exact_program
from tests.analysis.exact.exact_record import recorded
from tests.analysis.exact.exact_sets import exact_lines
from tests.analysis.recording.recorded.recorded_lines import WAYS
from tests.generators.fuzz import KINDS
from tests.support.corpus import CORPUS

ENOUGH = 6
DEAR = 1.5  # seconds: a program that takes longer is not for every run of the tests


@dataclass(frozen=True)
class Ran:
    """What a program reaches, and how long it takes."""

    name: str
    seconds: float
    reached: frozenset[str]


def pool(programs: int) -> Iterator[str]:
    """Names of programs of all kinds; those of many constructs and the corpus analysed in one way after the other."""
    ways = list(WAYS)
    for at, path in enumerate(sorted(CORPUS.glob("*.expected"))):
        yield f"corpus {path.stem} {ways[at % len(ways)]}"
    for number in range(programs):
        yield f"constructs {number} {ways[number % len(ways)]}"
        yield f"further {number} {ways[number % len(ways)]}"
        for kind in KINDS:
            yield f"{kind} {number}"


def ran(names: Iterable[str], rooms: Iterable[str]) -> list[Ran]:
    """The programs that can be analysed."""
    reached, found = observed(ROOMS[one] for one in rooms), []
    for name in names:
        reached.clear()
        began = time.process_time()
        try:
            exact_lines(exact_program(name))
        except Exception as error:  # a kind whose programs are refused, at times
            print(f"{name}: {error}"[:120], file=sys.stderr)
            continue
        found.append(Ran(name, time.process_time() - began, frozenset(reached)))
    return found


def chosen(known: Iterable[Ran], others: Iterable[Ran], most: int) -> tuple[list[Ran], Mapping[str, int]]:
    """Of others those that add most for their time, one after the other; how many reach each change then."""
    counts = Counter(place for one in known for place in one.reached)
    left, found = [one for one in others if one.seconds < DEAR], list[Ran]()

    def worth(one: Ran) -> float:
        return sum(2.0**-counts[place] for place in one.reached if counts[place] < ENOUGH)/(0.05 + one.seconds)

    while left and len(found) < most:
        best = max(left, key=worth)
        if not worth(best):
            break
        left.remove(best)
        found.append(best)
        counts.update(best.reached)
    return found, counts


def reached_by(programs: Iterable[Ran]) -> int:
    return len({place for one in programs for place in one.reached})


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="all, where none is named")
    parser.add_argument("--programs", type=int, default=40, metavar="N", help="of each kind")
    parser.add_argument("--most", type=int, default=60, metavar="N", help="how many are chosen at most")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    rooms, jobs = given.rooms or list(ROOMS), given.jobs
    known = [one.name for one in recorded()]
    names = [*known, *(name for name in pool(given.programs) if name not in known)]
    with ProcessPoolExecutor(jobs) as workers:
        every = [one for part in workers.map(ran, (names[at::jobs] for at in range(jobs)), repeat(rooms))
                 for one in part]
    before = [one for one in every if one.name in known]
    found, counts = chosen(before, [one for one in every if one.name not in known], given.most)
    for one in found:
        print(f"{one.name}  # {one.seconds:.2f} s")
    print(f"reached by the record: {reached_by(before)}, with these {len(counts)}, by all {len(every)} programs: "
          f"{reached_by(every)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
