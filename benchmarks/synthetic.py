"""Writes Fortran programs of any length to measure with: procedures with loops, branches, calls and a marked part each.

    python -m benchmarks.synthetic LINES DIRECTORY [--seed N] [--unreached SHARE]

Modules of ten procedures, a file each. The first procedure of a module calls the others, and those of two modules
before it, so that calls are a logarithm deep; the head, `model(x)>(cost)`, calls the last half of the modules. What a
procedure can touch does not grow with the program: its arguments, and the variables of one shared module.
``--unreached``: this share of the procedures is called by nobody.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

PER_MODULE = 10
HEAD = "model(x)>(cost)"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("lines", type=int)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unreached", type=float, default=0.0, metavar="SHARE")
    options = parser.parse_args(arguments)
    options.directory.mkdir(parents=True, exist_ok=True)
    for name, text in program(options.lines, options.seed, options.unreached).items():
        (options.directory / name).write_text(text, encoding="utf-8")
    print(f"head: {HEAD}")
    return 0


def program(lines: int, seed: int = 1, unreached: float = 0.0) -> dict[str, str]:
    """Files by name, of ``lines`` lines together, give or take a procedure."""
    draw = random.Random(seed)
    files: dict[str, str] = {"shared.f90": SHARED}
    written = SHARED.count("\n")
    modules = 0
    while True:
        text = "\n".join(module(modules, draw, unreached)) + "\n"
        roots = "\n".join(head(modules + 1)) + "\n"
        if modules and written + text.count("\n") + roots.count("\n") > lines:
            files["model.f90"] = "\n".join(head(modules)) + "\n"
            return files
        files[f"m{modules:04d}.f90"] = text
        written += text.count("\n")
        modules += 1


SHARED = """\
module shared
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: state
    real(dp) :: energy, heat
  end type state
  real(dp) :: gravity = 9.81d0
end module shared
"""


def module(number: int, draw: random.Random, unreached: float) -> Iterator[str]:
    """A module of procedures, the first of which calls the others that anybody calls."""
    yield f"module m{number:04d}"
    yield "  use shared, only: dp, state, gravity"
    below = sorted({draw.randrange(number // 2, number) for _ in range(2)} if number else ())
    for other in below:
        yield f"  use m{other:04d}, only: p{other:04d}_0"
    yield "  implicit none"
    yield f"  real(dp), parameter :: coefficient{number:04d} = {draw.uniform(0.1, 0.9):.4f}_dp"
    yield "contains"
    for index in range(PER_MODULE):
        if index:
            calls = []
        else:
            calls = [f"p{number:04d}_{one}" for one in range(1, PER_MODULE) if draw.random() >= unreached]
            calls += [f"p{other:04d}_0" for other in below]
        yield from procedure(number, index, calls, draw)
    yield f"end module m{number:04d}"


def procedure(number: int, index: int, calls: list[str], draw: random.Random) -> Iterator[str]:
    """One procedure: a marked part with a loop and a branch in it, a loop nest, calls."""
    name, c = f"p{number:04d}_{index}", f"coefficient{number:04d}"
    yield f"  ! {name}: a step of some scheme"
    yield f"  subroutine {name}(n, s, u, v, a, w)"
    yield "    integer, intent(in) :: n"
    yield "    type(state), intent(inout) :: s"
    yield "    real(dp), intent(inout) :: u(n), v(n), a(n)"
    yield "    real(dp), intent(in) :: w"
    yield "    integer :: i, k"
    yield "    real(dp) :: t, old(n)"
    yield "    old = a"
    yield "    t = 0"
    yield "    !$ad checkpoint-start"
    yield "    do i = 2, n - 1"
    yield f"      if (u(i) > {draw.uniform(-1, 1):.3f}_dp) then"
    yield f"        u(i) = u(i) + {c} * (u(i+1) - 2 * u(i) + u(i-1))"
    yield "      else"
    yield f"        u(i) = u(i) * {draw.choice(('cos', 'sin', 'exp'))}(w * v(i))"
    yield "      end if"
    yield "      t = t + u(i) ** 2"
    yield "    end do"
    yield "    !$ad checkpoint-end"
    yield f"    do k = 1, {draw.randrange(2, 6)}"
    yield "      do i = 1, n"
    yield f"        a(i) = a(i) + gravity * {draw.choice(('u(i)', 'v(i)', 'old(i)', 'u(i) * v(i)'))}"
    yield f"        v(i) = {draw.uniform(0.5, 1):.3f}_dp * v(i) + w * a(i) * old(i)"
    yield "      end do"
    yield "      if (t > 1) exit"
    yield "    end do"
    for one in calls:
        yield f"    call {one}(n, s, u, v, a, {draw.choice(('w', 't', '0.5_dp * w'))})"
    yield "    s%energy = s%energy + t"
    yield "    s%heat = s%heat + w * s%energy"
    yield f"  end subroutine {name}"
    yield ""


def head(modules: int) -> Iterator[str]:
    """The head: as many calls as it takes for every module to be reached."""
    first = modules // 2
    yield "subroutine model(n, x, cost)"
    yield "  use shared, only: dp, state"
    for number in range(first, modules):
        yield f"  use m{number:04d}, only: p{number:04d}_0"
    yield "  implicit none"
    yield "  integer, intent(in) :: n"
    yield "  real(dp), intent(in) :: x(n)"
    yield "  real(dp), intent(out) :: cost"
    yield "  type(state) :: s"
    yield "  real(dp) :: u(n), v(n), a(n)"
    yield "  s%energy = 0"
    yield "  s%heat = 0"
    yield "  u = x"
    yield "  v = 1"
    yield "  a = x"
    for number in range(first, modules):
        yield f"  call p{number:04d}_0(n, s, u, v, a, x({number % 7 + 1}))"
    yield "  cost = sum(u ** 2) + s%energy + s%heat + sum(a)"
    yield "end subroutine model"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
