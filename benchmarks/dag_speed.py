"""Time of `snapset dag` against size: procedures of n straight-line assignments, from reading to S and U.

    python -m benchmarks.dag_speed [--sizes 50,100,200,500,1000,2000,4000] [--method biclique] [--kinds chain,mixed]

Each program is one procedure: read, analysed, flattened, preaccumulated and decided by the biclique heuristic.
Seconds are those of one processor; they depend on the machine, how they grow does not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from random import Random

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dag.fortran.level_problem import level_problem
from snapset.analysis.dag.solvers.solve import METHODS, Options, solve
from snapset.analysis.pipeline import prepare
from snapset.frontend.load import load_text

SIZES = "50,100,200,500,1000,2000,4000"


def chain(n: int, random: Random) -> list[str]:
    """One variable, overwritten by a nonlinear function of itself."""
    return [f"x = {random.choice(('sin', 'cos', 'exp', 'atan'))}(x)" for _ in range(n)]


def elements(n: int, random: Random) -> list[str]:
    """The same over elements of an array, each assigned once, and a sum that is overwritten."""
    lines = []
    for k in range(n):
        a, b = (f"t({max(1, k - random.randint(0, 8))})" for _ in range(2))
        form = random.choice(("{a}*{b} + x", "sin({a}) - {b}", "{a}/(1 + {b}**2)", "exp(-{a})*c + {b}"))
        lines.append(f"t({k + 1}) = {form.format(a=a, b=b)}")
        if k % 50 == 49:
            lines[-1] = f"x = x + t({max(1, k - 1)})*c"
    return lines


def mixed(n: int, random: Random) -> list[str]:
    """Twenty scalars, in and out, that overwrite each other."""
    names = [f"v{k}" for k in range(20)]
    lines = []
    for _ in range(n):
        out, a, b = random.choice(names), random.choice(names), random.choice(names)
        lines.append(f"{out} = " + random.choice(("{a}*{b}", "{a} + c*{b}", "sin({a})", "{a}*{a} - {b}/c", "{b} + c"))
                     .format(a=a, b=b))
    return lines


KINDS: dict[str, Callable[[int, Random], list[str]]] = {"chain": chain, "elements": elements, "mixed": mixed}


SCALARS = ",".join(f"v{k}" for k in range(20))
HEADS = {"chain": "s(x)>(x)", "elements": "s(x)>(y)", "mixed": f"s({SCALARS})>({SCALARS},y)"}


def program(kind: str, n: int) -> str:
    """A procedure s(x, c, y, v0, v1, ...) with n assignments."""
    body = KINDS[kind](n, Random(n))
    end = {"chain": "x", "elements": f"x + t({n - 1})", "mixed": "v0*v1 + v2"}[kind]
    return "\n".join([f"subroutine s(x, c, y, {SCALARS})", "  implicit none",
                      f"  real(8) :: x, c, y, t({n + 2}), {SCALARS}", "  t(1) = x",
                      *(f"  {line}" for line in body), f"  y = {end}", "end subroutine s", ""])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--sizes", default=SIZES, help=f"numbers of assignments (default {SIZES})")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"of programs: {', '.join(KINDS)}")
    parser.add_argument("--method", choices=METHODS, default="biclique")
    parsed = parser.parse_args(arguments)
    print(f"{'kind':9}{'n':>6}{'read':>8}{'analyse':>9}{'graphs':>8}{'decide':>8}{'all':>8}   "
          f"{'vertices':>8}{'edges':>9}{'places':>7}{'cost':>6}{'U = ∅':>7}{'S = ∅':>7}{'by statement':>13}")
    for kind in parsed.kinds.split(","):
        for n in map(int, parsed.sizes.split(",")):
            print(measured(kind, n, Options(method=parsed.method)), flush=True)
    return 0


def measured(kind: str, n: int, options: Options) -> str:
    text = program(kind, n)
    times = [time.process_time()]
    loaded = load_text(text, name=f"{kind}.f90")
    times.append(time.process_time())
    (head,) = parse_heads(HEADS[kind])
    analysis = prepare(loaded, head)
    times.append(time.process_time())
    problem = level_problem(analysis.adjoints.by_key[analysis.order[0]], 0).problem
    times.append(time.process_time())
    answer = solve(problem, options)
    times.append(time.process_time())
    steps = [b - a for a, b in pairwise(times)]
    vertices, edges = sum(len(g.vertices) for g in problem.graphs), sum(len(g.edges) for g in problem.graphs)
    places = len(frozenset().union(*problem.overwrites.values()))
    bounds = answer.bounds
    statements = bounds.statements.cost if bounds.statements is not None else 0
    return (f"{kind:9}{n:6}{steps[0]:8.1f}{steps[1]:9.1f}{steps[2]:8.1f}{steps[3]:8.1f}{times[-1] - times[0]:8.1f}   "
            f"{vertices:8}{edges:9}{places:7}{answer.choice.cost:6}{bounds.tbr.cost:7}{bounds.required.cost:7}"
            f"{statements:13}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
