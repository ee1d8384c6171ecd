"""What capsules hold at random points of the corpus's runs: with liveness and without, to the end of the program and to
that of an interval, whole arrays and sections.

    python -m benchmarks.divide.capsule_sizes [--points 40] [--seed 0] [--programs NAME,NAME] [--all]

Bytes of data, without control. *all memory*: without liveness, every variable of an active procedure and every global
of the head's call tree. A point's interval ends at a random later point. ``--all`` prints each program; without it the
programs whose median capsule is the smallest part of all memory. Ends with 1 where liveness, an interval or sections
take more anywhere.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

from snapset.analysis.replay.divide.capsule import control_of, live_bytes
from snapset.analysis.replay.divide.memory_image import image_of

from tests.support.divided import PROGRAMS, Divisible, from_corpus

WAYS = ("all memory", "to the end", "- sections", "interval", "- sections")
ROWS = 12


@dataclass(frozen=True)
class Sizes:
    """``points``: at each point what a capsule holds, in the order of ``WAYS``."""

    name: str
    points: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(*self.points, strict=True)))

    def part(self, way: int) -> float:
        """The median over the points, as a part of all memory."""
        return median(one[way]/one[0] if one[0] else 1.0 for one in self.points)

    @property
    def more(self) -> int:
        """The points where liveness holds more than there is, an interval more than what is live to the end, or
        sections more than whole arrays."""
        return sum(end > state or part > end or interval > end or cut > interval or cut > part
                   for state, end, part, interval, cut in self.points)


def sizes(one: Divisible, name: str, points: int, random: Random) -> Sizes:
    """Of one program, at random points of its run. A point where nothing has memory is left out."""
    told, whole = one.divided("elements"), one.divided("elements", sections=False)
    steps = told.steps()
    at = sorted(random.sample(range(steps), min(steps, points)))
    ends = [random.randint(begin + 1, steps) for begin in at]
    controls, walker = {}, told.begun()
    for point in sorted(set(ends)):
        told.go(walker, point)
        controls[point] = None if walker.finished else (walker.at, control_of(walker.stack))
    walker, found = told.begun(), []
    for point, end in zip(at, ends, strict=True):
        told.go(walker, point)
        if walker.finished:
            break
        known, control = controls[end], control_of(walker.stack)
        until = known[1] if known is not None and known[0] > walker.at else None
        found.append((image_of(walker.stack)[0].state_bytes,
                      *(live_bytes(walker, *machine.alive(walker, control, stop))
                        for stop in (None, until) for machine in (whole, told))))
    return Sizes(name, tuple(one for one in found if one[0]))


def shown(every: Sequence[Sizes], rows: int) -> None:
    print(f"{'program':<26}{'points':>7}" + "".join(f"{way:>12}" for way in WAYS)
          + f"{'median, %':>11}{'interval, %':>13}")
    for one in sorted(every, key=lambda one: one.part(2))[:rows]:
        print(f"{one.name:<26}{len(one.points):>7}" + "".join(f"{size:>12}" for size in one.total)
              + f"{100*one.part(2):>11.1f}{100*one.part(4):>13.1f}")
    total = map(sum, zip(*(one.total for one in every), strict=True))
    print(f"{len(every):>4} {'programs':<21}{sum(len(one.points) for one in every):>7}"
          + "".join(f"{size:>12}" for size in total))
    for way, what in ((1, "liveness to the end"), (2, "with sections"), (3, "to an interval's"), (4, "with sections")):
        print(f"  {what}: median capsule at most half of all memory in {sum(one.part(way) <= 0.5 for one in every)}")
    print(f"  fewer bytes with sections in {sum(one.total[2] < one.total[1] for one in every)} programs, to an "
          f"interval's end in {sum(one.total[4] < one.total[2] for one in every)}; more at "
          f"{sum(one.more for one in every)} points")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=lambda text: text.split(","), default=PROGRAMS)
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args(arguments)
    found = [sizes(from_corpus(name), name, given.points, Random(f"{name} {given.seed}")) for name in given.programs]
    every = [one for one in found if one.points]
    shown(every, len(every) if given.all else ROWS)
    return int(any(one.more for one in every))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
