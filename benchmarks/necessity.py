"""Precision over the corpus: of all that the adjoints save, how much does the gradient really need?

    python -m benchmarks.necessity [--strategy lazy,eager] [NAME ...]

Every program of corpus/ that the replay machine executes, under each strategy, on several inputs: each saved location
is lost in turn. What some input needs is needed. Prints a row for each program that saves something, the locations
that no input tried needs, and the share of all.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import snapset
from snapset.analysis.replay.experiment.inputs import Uniform
from snapset.analysis.replay.experiment.measurements import Lost
from snapset.render.pages.replay_text import what

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
VALUES = {"calls": {"dt": 1e-3}}  # forty coupled steps need calm water
INTEGERS = (5, 0, 1, 2, 3, 4, -1)
RANGES = ((0.5, 1.5), (-2.0, 2.0), (-20.0, 20.0))
SEEDS = range(2, 8)


@dataclass
class Tally:
    """What one strategy saved in one program: by row, whether some input needs it, and the last remark on it."""

    first: str = ""
    needed: set[int] = field(default_factory=set)
    remarks: dict[int, Lost] = field(default_factory=dict)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--strategy", default="lazy,eager")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args(arguments)
    sources = [path for path in sorted(CORPUS.iterdir()) if path.suffix in (".f", ".f90")]
    tallies: dict[tuple[str, str], Tally] = {}
    refused = []
    for path in sources:
        if not options.names or path.stem in options.names:
            try:
                for name, tally in tallied(path, options.strategy).items():
                    tallies[path.name, name] = tally
            except snapset.InputError as error:
                refused.append(str(error).replace(f"{path.parent}/", ""))
    show(tallies)
    print("\nnot executed:", *refused, sep="\n  ")
    return 0


def show(tallies: Mapping[tuple[str, str], Tally]) -> None:
    """The table, the superfluous locations, the shares."""
    print(f"{'program':<24}{'strategy':<12}{'saved':>6}{'needed':>8}{'  of those saved on the first input':>34}")
    for (program, strategy), tally in tallies.items():
        if tally.remarks:
            print(f"{program:<24}{strategy:<12}{len(tally.remarks):>6}{len(tally.needed):>8}{tally.first:>34}")
    print("\nsaved, but no input tried needs it:")
    for (program, strategy), tally in tallies.items():
        for row, one in sorted(tally.remarks.items()):
            if row not in tally.needed:
                place = one.saved
                print(f"  {program}:{place.line}  {strategy:<8} {place.part or '-':<16} {what(place):<14} "
                      f"{one.superfluous}")
    print()
    for strategy in dict.fromkeys(strategy for _, strategy in tallies):
        every = [tally for (_, one), tally in tallies.items() if one == strategy]
        saved, needed = sum(len(t.remarks) for t in every), sum(len(t.needed) for t in every)
        print(f"{strategy}: {needed} of {saved} needed, {100 * needed / max(1, saved):.1f} %")


def tallied(path: Path, strategies: str) -> dict[str, Tally]:
    """By strategy, over all inputs. Raises InputError where not even the first can be executed."""
    found: dict[str, Tally] = {}
    for place, (values, seed) in enumerate(inputs(path)):
        try:
            result = replay(path, strategies, values, seed)
        except snapset.InputError:
            if place == 0:
                raise
            continue
        for run in result.runs:
            if run.necessity is None:
                continue
            tally = found.setdefault(run.name, Tally())
            if place == 0:
                superfluous = len(run.necessity.superfluous)
                tally.first = f"{run.necessity.saved - superfluous} of {run.necessity.saved}"
            for one in run.necessity.lost:
                if one.superfluous is None:
                    tally.needed.add(one.row)
                tally.remarks[one.row] = one
    return found


def inputs(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Values and seed. Random reals and fives first; then other reals, and other integers together and in turn."""
    fixed = VALUES.get(path.stem, {})
    yield fixed, 1
    used = replay(path, "lazy", fixed, 1).inputs
    integers = [one.name for one in used if isinstance(one.value, int) and not isinstance(one.value, bool)]
    logicals = [one.name for one in used if isinstance(one.value, bool)]
    reals = [one.name for one in used if one.name not in (*integers, *logicals, *fixed)]
    for low, high in RANGES:
        random = {**{name: Uniform(low, high) for name in reals}, **fixed}
        yield from ((random, seed) for seed in SEEDS)
        yield from (({**random, **dict.fromkeys(integers, value)}, 1) for value in INTEGERS if integers)
    for name in (*integers, *logicals):
        for value in INTEGERS if name in integers else (False,):
            yield {name: value, **fixed}, 1


def replay(path: Path, strategies: str, values: Mapping[str, Any], seed: int) -> snapset.Comparison:
    """Raises InputError for what the machine does not execute."""
    expected = path.with_suffix(".expected").read_text()
    head = re.search(r"^head:\s*(.+?)\s*(#|$)", expected, re.MULTILINE)
    assert head is not None, f"{path.name}: no head"
    choices = snapset.Choices(strategies=strategies)
    return snapset.replay([str(path)], head[1], choices, values=values, seed=seed, necessity=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
