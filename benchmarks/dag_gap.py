"""How far the biclique heuristic and the search are from the exact optimum: random instances, and the corpus.

    python -m benchmarks.dag_gap [--instances 80] [--seconds 60] [--programs]

Random instances are those of tests/generators/dag/dag_cases.py, larger ones too: arbitrary graphs, with weights and
prices, and straight-line code. Of the corpus every region of every program. The optimum is HiGHS's; ratios are to
it, or to its lower bound where it was not proved in time (the column says how many were).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dag.fortran.head_problems import head_regions
from snapset.analysis.dag.fortran.solved_levels import Wanted
from snapset.analysis.dag.problem.graphs import Problem, prepare
from snapset.analysis.dag.solvers.algorithm2_descent import algorithm2
from snapset.analysis.dag.solvers.annealing import search
from snapset.analysis.dag.solvers.integer_program import optimum
from snapset.analysis.dag.solvers.solve import Options
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.load import load_program

from tests.generators.dag.dag_cases import random_code, random_problem

ROOT = Path(__file__).resolve().parent.parent

FAMILIES: dict[str, Callable[[int], Problem]] = {
    "graphs": lambda seed: random_problem(seed, graphs=5, vertices=9, places=8),
    "graphs, weighted": lambda seed: random_problem(seed, graphs=12, vertices=14, places=14, priced=True),
    "more graphs": lambda seed: random_problem(seed, graphs=12, vertices=14, places=14),
    "large": lambda seed: random_problem(seed, graphs=40, vertices=20, places=40),
    "code": lambda seed: random_code(seed, sections=8, statements=12),
}


@dataclass(frozen=True)
class Case:
    """Costs of one instance. ``lower``: its optimum where ``proved``."""

    name: str
    heuristic: int
    search: int
    lower: int
    proved: bool


def measured(name: str, problem: Problem, seconds: float) -> Case:
    """One instance by all means."""
    ready = prepare(problem)
    heuristic, found = algorithm2(ready).choice, search(ready)
    exact = optimum(ready, seconds, found)
    return Case(name, heuristic.cost, found.cost, exact.lower, exact.proved)


def corpus(seconds: float, refused: list[str]) -> Iterator[Case]:
    """A case for each region that costs anything, or could."""
    for path in sorted((ROOT / "corpus").iterdir()):
        if path.suffix not in (".f", ".f90"):
            continue
        head = path.with_suffix(".expected").read_text(encoding="utf-8").partition("\n")[0].removeprefix("head: ")
        try:
            program = load_program((str(path),), ReadOptions())
            (one,) = parse_heads(head)
            found = head_regions(program, one, Wanted(Options(method="biclique")))
        except InputError as error:
            refused.append(f"{path.name}: {error.message}")
            continue
        for region in found.regions:
            yield measured(f"{path.stem} {region.id}", region.level.problem, seconds)


def row(name: str, cases: Sequence[Case]) -> str:
    """Mean and worst ratios, optima met, and how much of the heuristic's gap the search closes."""
    ratios = [[(cost / c.lower) if c.lower else 1.0 if not cost else float("inf")
               for c, cost in ((c, getattr(c, way)) for c in cases)] for way in ("heuristic", "search")]
    lost = sum(c.heuristic - c.lower for c in cases)
    left = sum(c.search - c.lower for c in cases)
    closed = f"{100 * (lost - left) / lost:.0f} %" if lost else "-"
    met = [sum(getattr(c, way) == c.lower for c in cases) for way in ("heuristic", "search")]
    figures = "".join(f"{sum(r) / len(r):8.3f}{max(r):8.3f}{m:6}" for r, m in zip(ratios, met, strict=True))
    return f"{name:20}{len(cases):5}{sum(c.proved for c in cases):8}{figures}{lost:7}{left:6}{closed:>8}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--instances", type=int, default=80,
                        help="of each random family (default 80; 0: only the corpus)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for the integer program (default 60)")
    parser.add_argument("--programs", action="store_true", help="a row for each region of the corpus, too")
    parsed = parser.parse_args(arguments)
    print(f"{'':20}{'':5}{'':8}{'heuristic':>22}{'search':>22}{'gap':>13}")
    print(f"{'instances':20}{'':5}{'proved':>8}{'mean':>8}{'worst':>8}{'met':>6}{'mean':>8}{'worst':>8}{'met':>6}"
          f"{'before':>7}{'left':>6}{'closed':>8}")
    every: list[Case] = []
    for name, make in FAMILIES.items() if parsed.instances else ():
        cases = [measured(name, make(seed), parsed.seconds) for seed in range(parsed.instances)]
        every += cases
        print(row(name, cases), flush=True)
    if every:
        print(row("all random", every))
    refused: list[str] = []
    found = list(corpus(parsed.seconds, refused))
    print(row("corpus, regions", found))
    for case in found if parsed.programs else ():
        print(f"  {case.name:40} heuristic {case.heuristic:4}  search {case.search:4}  optimum {case.lower:4}"
              f"{'' if case.proved else ' (a bound)'}")
    if refused:
        print("not analysed:", *refused, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
