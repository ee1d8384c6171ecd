"""The adaptive grid of Siskind & Pearlmutter (their Figs. 8, 29, 30) on the machine: peak and time against l.

    python -m benchmarks.divide.adaptive_grid [--n 100] [--leaf 10000] [--most 401] [--mid binomial]

For each l: the peak of store-all, of the binomial schedule over the outer loop with 40 snapshots, of divide; its CPU
time, store-all's being 1; the distance of the gradient from the closed form (rotations keep the norm, so it is x).
Then least-squares fits of divide's peak and steps against l, and the slope of the loop's peak against max m.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from snapset.analysis.replay.divide.divide_experiment import DivideOptions, divide
from snapset.analysis.replay.divide.divide_results import DivideComparison
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.library import analysis

PROGRAM = Path(__file__).resolve().parents[2] / "corpus" / "adaptive_grid.f"
LENGTHS = (53, 101, 211, 401, 809, 1601, 3203)
PHI, SNAPSHOTS, LOOP_LINE = 3, 40, 11


def grid(length: int) -> list[int]:
    """The inner iterations of each outer one."""
    return [2 ** (length.bit_length() - (1 + 1013 * 3**PHI * i % length).bit_length()) for i in range(1, length + 1)]


def measured(n: int, length: int, leaf: int, mid: str) -> DivideComparison:
    """One length: store-all, the loop's schedule, divide."""
    program = analysis.load([str(PROGRAM)], None, heads=["f(x)>(y)"])
    (head,) = analysis.parse_heads(["f(x)>(y)"])
    inputs = Inputs({"n": n, "l": length, "phi": PHI, "x": [n - k for k in range(n)]})
    return divide(program, head, DivideOptions(mids=(mid,), leaf=leaf, log=True, loop=LOOP_LINE,
                                               loop_snapshots=SNAPSHOTS, limit=10**9, room=10**12), inputs)


def residual(x: Sequence[float], y: Sequence[float], term: Callable[[float], float]) -> float:
    """The root of the mean square that a + b*term(x) leaves of y."""
    matrix = np.array([[1.0, term(one)] for one in x])
    solution = np.linalg.lstsq(matrix, np.array(y), rcond=None)[0]
    return float(np.sqrt(np.mean((matrix @ solution - np.array(y)) ** 2)))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--leaf", type=int, default=10000)
    parser.add_argument("--most", type=int, default=401)
    parser.add_argument("--mid", default="binomial")
    given = parser.parse_args(arguments)
    lengths = [one for one in LENGTHS if one <= given.most]
    print(f"{'l':>5}{'sum m':>8}{'max m':>7}{'store-all':>12}{'loop':>10}{'divide':>10}{'steps':>10}"
          f"{'recomputed':>12}{'loop time':>10}{'time':>7}  equal")
    found = []
    for length in lengths:
        one, m = measured(given.n, length, given.leaf, given.mid), grid(length)
        assert one.reference is not None
        assert one.loop is not None
        (run,) = one.runs
        found.append(one)
        print(f"{length:5}{sum(m):8}{max(m):7}{one.reference.peak_bytes:12}{one.loop.peak_bytes:10}{run.peak_bytes:10}"
              f"{one.steps:10}{run.recomputed_steps:12}{one.loop.slowdown:10.1f}{run.slowdown:7.1f}"
              f"  {'yes' if one.equal else 'NO'}", flush=True)
    if len(found) > 2:
        fits(lengths, found)
    return 0 if all(one.equal for one in found) else 1


def fits(lengths: list[int], found: list[DivideComparison]) -> None:
    """What grows how."""
    x = [float(one) for one in lengths]
    peak = [float(one.runs[0].peak_bytes or 0) for one in found]
    spent = [float(one.steps + (one.runs[0].recomputed_steps or 0)) for one in found]
    store = [float(one.reference.peak_bytes) for one in found if one.reference is not None]
    loop = [float(one.loop.peak_bytes) for one in found if one.loop is not None]
    print(f"store-all, peak against sum m: residual {residual([sum(grid(one)) for one in lengths], store, float):.3g}")
    print(f"divide, peak: residual {residual(x, peak, np.log):.3g} of a + b*log(l), {residual(x, peak, float):.3g} of "
          "a + b*l")
    print(f"divide, steps: residual {residual(x, spent, lambda one: one*np.log(one)):.3g} of a + b*l*log(l), "
          f"{residual(x, spent, lambda one: one*one):.3g} of a + b*l**2")
    late = [(length, one) for length, one in zip(lengths, loop, strict=True) if length >= 211]
    if len(late) > 1:
        slope = np.polyfit(np.log([length for length, _ in late]), np.log([one for _, one in late]), 1)[0]
        print(f"loop, peak against l from 211 on: slope {slope:.2f} (logarithmic)")
    below = [length for length, one, other in zip(lengths, peak, loop, strict=True) if one < other]
    print(f"divide's peak is below the loop's from l = {below[0] if below else '-'} on")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
