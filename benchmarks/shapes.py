"""Programs of one shape, N and 2*N large: how much longer the longer one takes, start-up taken off.

    python benchmarks/shapes.py [SHAPE ...] [--n N]

Shapes: ``calls`` (each procedure calls the next one twice), ``loops`` (twice in loops of sizes of its own), ``halves``
(twice, for n/2 and (n+1)/2), ``constants`` (each PARAMETER is the one before and the one before), ``terms`` (an
expression of 2**N terms, against 2**(N+1)). A row for each: processor seconds of both, and their ratio; 2 is linear.
Exit code 1 if a ratio is above ``RATIO``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RATIO = 2.5


@dataclass(frozen=True)
class Shape:
    """``text``: the program of size n. ``n``: where the smaller one is measured. ``twice``: the size doubled."""

    text: Callable[[int], str]
    head: str
    n: int
    twice: Callable[[int], int] = lambda n: 2 * n


def calls(n: int) -> str:
    def procedure(k: int) -> str:
        inner = f"  call p{k + 1}(n, x)\n  x = x*w\n  call p{k + 1}(n, x)\n" if k + 1 < n else ""
        return (f"subroutine p{k}(n, x)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: x(n)\n"
                f"  real(8) :: w(n)\n  w = x*x\n{inner}  x = x*w\nend subroutine\n")

    return "".join(map(procedure, range(n)))


def loops(n: int) -> str:
    sizes = "module sizes\n" + "".join(f"  integer :: n{k}, m{k}\n" for k in range(n)) + "end module\n"

    def procedure(k: int) -> str:
        inner = (f"  do i = 1, n{k}\n    x = x*x\n    call p{k + 1}(x)\n  end do\n"
                 f"  do i = 1, m{k}\n    call p{k + 1}(x)\n  end do\n") if k + 1 < n else ""
        return (f"subroutine p{k}(x)\n  use sizes\n  real(8), intent(inout) :: x\n  integer :: i\n  x = x*x\n"
                f"{inner}  x = sin(x)*x\nend subroutine\n")

    return sizes + "".join(map(procedure, range(n)))


def halves(n: int) -> str:
    def procedure(k: int) -> str:
        inner = f"  call p{k + 1}(n/2, x)\n  x = x*w\n  call p{k + 1}((n + 1)/2, x)\n" if k + 1 < n else ""
        return (f"subroutine p{k}(n, x)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: x(n)\n"
                f"  real(8) :: w(n)\n  w = x*x\n  x = sin(x)*w\n{inner}  x = x*w*x\nend subroutine\n")

    return "".join(map(procedure, range(n)))


def constants(n: int) -> str:
    given = "".join(f"  integer, parameter :: a{k} = a{k - 1} + a{k - 1}\n" for k in range(1, n + 1))
    return (f"subroutine p0(x)\n  integer, parameter :: a0 = 1\n{given}  real(8), intent(inout) :: x\n"
            f"  real(8) :: w(a{n})\n  w(1) = x*x\n  x = w(1)*x\nend subroutine\n")


def terms(n: int) -> str:
    every = [f"x({k})" for k in range(1, 2**n + 1)]
    lines = (" + ".join(every[i:i + 8]) for i in range(0, len(every), 8))
    return ("subroutine p0(x, y, n)\n  integer :: n\n  real(8) :: x(n), y\n  y = "
            + " + &\n      ".join(lines) + "\nend subroutine\n")


SHAPES = {
    "calls": Shape(calls, "p0(x)>(x)", 40),
    "loops": Shape(loops, "p0(x)>(x)", 40),
    "halves": Shape(halves, "p0(x)>(x)", 40),
    "constants": Shape(constants, "p0(x)>(x)", 100),
    "terms": Shape(terms, "p0(x)>(y)", 14, lambda n: n + 1),
}


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
        start = seconds(Path(folder), Shape(calls, "p0(x)>(x)", 1), 1)
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
    command = [sys.executable, "-m", "snapset", "report", str(source), "--head", shape.head, "--no-cache"]
    before = os.times()
    subprocess.run([*command, "--jobs", "1"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
