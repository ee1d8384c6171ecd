"""Programs by kind and number, many of them on all cores: what fuzz_loops and fuzz_divide share.

``tried("scalars", 4711)`` is what became of one program, a :class:`Tally`; those of many add up.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import repeat
from typing import Any, Self, TypeVar

CHUNK = 10


@dataclass(slots=True)
class Tally:
    """``wrong``: what is, by program; ``refused``: why a program, or a loop of one, is not run."""

    programs: int = 0
    wrong: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def plus(self, other: Self) -> None:
        for one in fields(self):
            mine, more = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, Counter):
                mine.update(more)
            else:
                setattr(self, one.name, mine + more)

    def told(self) -> Sequence[str]:
        """What is printed at once."""
        return self.wrong

    def counted(self) -> str:
        """What was run, in a few words."""
        raise NotImplementedError

    def details(self) -> Iterator[str]:
        """Lines beneath them."""
        yield from ()


AnyTally = TypeVar("AnyTally", bound=Tally)


def tally(tried: Callable[[str, int], AnyTally], kind: str, numbers: range) -> AnyTally:
    """What became of some programs, at least one."""
    total, *others = (tried(kind, number) for number in numbers)
    for one in others:
        total.plus(one)
    return total


def chunks(first: int, count: int) -> Iterator[range]:
    for at in range(first, first + count, CHUNK):
        yield range(at, min(at + CHUNK, first + count))


def run(tried: Callable[[str, int], Tally], kind: str, first: int, count: int, jobs: int) -> int:
    """Try ``count`` programs of a kind; how much is wrong."""
    began, total = time.monotonic(), None
    with ProcessPoolExecutor(jobs) as pool:
        for one in pool.map(partial(tally, tried), repeat(kind), chunks(first, count)):
            for text in one.told():
                print(f"\n{text}", flush=True)
            if total is None:
                total = one
            else:
                total.plus(one)
            print(f"\r{total.programs} of {count} programs, {len(total.wrong)} wrong, {time.monotonic() - began:.0f} s",
                  end="", file=sys.stderr, flush=True)
    if total is None:
        return 0
    print(f"\n{kind}: programs from {first} on: {total.programs}; {total.counted()}")
    for line in total.details():
        print(f"  {line}")
    for why, times in total.refused.most_common(8):
        print(f"  refused {times}: {why}")
    return len(total.wrong)


def main(doc: str | None, kinds: tuple[str, ...], others: tuple[str, ...],
         source: Callable[[str, int], tuple[Any, ...]], tried: Callable[[str, int], Tally]) -> int:
    """The command line. ``kinds``: what ``all`` stands for; ``others``: kinds that are tried by name alone; ``source``:
    a program's text and more."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kind", choices=(*kinds, *others, "all"), default="all")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    given = parser.parse_args()
    chosen = kinds if given.kind == "all" else (given.kind,)
    if given.only is not None:
        print(source(chosen[0], given.only)[0])
        found = tried(chosen[0], given.only)
        print("\n".join(found.told()), found.counted(), found.refused)
        return int(bool(found.wrong))
    return int(sum(run(tried, kind, given.first, given.programs, given.jobs) for kind in chosen) > 0)
