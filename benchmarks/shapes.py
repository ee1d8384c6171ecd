"""Programs of one shape, N and 2*N large: how much longer the longer one takes, start-up taken off.

    python -m benchmarks.shapes [SHAPE ...] [--n N]

The shapes are those of :mod:`benchmarks.program_shapes`. A row for each: processor seconds of both, and their ratio;
2 is linear. Exit code 1 if a ratio is above ``RATIO``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.program_shapes import SHAPES, Shape

RATIO = 2.5


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--n", type=int, help="the smaller size")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.shapes if name not in SHAPES]
    if unknown:
        parser.error(f"no shape {unknown[0]}: one of {', '.join(SHAPES)}")
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        start = seconds(Path(folder), SHAPES["calls"], 1)
        print(f"{'shape':<10} {'n':>5} {'cpu s':>7} {'n':>5} {'cpu s':>7}  ratio")
        for name in options.shapes or SHAPES:
            shape = SHAPES[name]
            small = options.n or shape.n
            large = shape.twice(small)
            one, two = (seconds(Path(folder), shape, n) for n in (small, large))
            ratio = (two - start) / max(one - start, 0.01)
            worst = max(worst, ratio)
            print(f"{name:<10} {small:>5} {one:7.2f} {large:>5} {two:7.2f}  {ratio:5.2f}", flush=True)
    return 0 if worst <= RATIO else 1


def seconds(folder: Path, shape: Shape, n: int) -> float:
    """Processor time of one report, computed anew."""
    source = folder / "shape.f90"
    source.write_text(shape.text(n))
    command = [sys.executable, "-m", "snapset", "report", str(source), "--head", shape.head, "--no-cache",
               *shape.options]
    before = os.times()
    subprocess.run([*command, "--jobs", "1"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
