"""How many assignments a second the replay machine runs: whole procedures as Python functions, and node by node.

    python -m benchmarks.replay_speed [--seconds 1]

Each kernel is run both ways in turn; both must leave the same objective, bit for bit. `elements` counts assignments
to scalars and array elements, those of whole-array statements included. The figures depend on the machine, the
ratio hardly does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.replay.experiment.gradient import objective
from snapset.analysis.replay.experiment.inputs import Inputs, start
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.load import load_text


@dataclass(frozen=True)
class Kernel:
    """A subroutine ``p(..., cost)``; ``elements``: the assignments of one run."""

    name: str
    text: str
    given: Mapping[str, object]
    elements: int


BURGERS = """subroutine p(u, n, steps, dt, cost)
  integer :: n, steps, i, k
  real(8) :: u(n), flux(n), dt, nu, cost
  nu = 1d-2
  do k = 1, steps
    do i = 1, n
      flux(i) = 0.5d0*u(i)*u(i)
    end do
    do i = 2, n - 1
      u(i) = u(i) - dt*(flux(i) - flux(i - 1)) + nu*dt*(u(i + 1) - u(i))
    end do
  end do
  cost = sum(u*u)
end subroutine p
"""
SHALLOW = """subroutine p(h, u, v, n, steps, dt, cost)
  integer :: n, steps, i, j, k
  real(8) :: h(n, n), u(n, n), v(n, n), dt, cost
  do k = 1, steps
    do j = 2, n - 1
      do i = 2, n - 1
        u(i, j) = u(i, j) - dt*9.81d0*(h(i + 1, j) - h(i - 1, j))*0.5d0
        v(i, j) = v(i, j) - dt*9.81d0*(h(i, j + 1) - h(i, j - 1))*0.5d0
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        h(i, j) = h(i, j) - dt*0.1d0*(u(i + 1, j) - u(i - 1, j) + v(i, j + 1) - v(i, j - 1))
      end do
    end do
  end do
  cost = sum(h*h)
end subroutine p
"""
MATRIX = """subroutine p(a, b, n, cost)
  integer :: n, i, j, k
  real(8) :: a(n, n), b(n, n), s, cost
  cost = 0
  do j = 1, n
    do i = 1, n
      s = 0
      do k = 1, n
        s = s + a(i, k)*b(k, j)
      end do
      cost = cost + s*s
    end do
  end do
end subroutine p
"""
BRANCHES = """subroutine p(x, n, cost)
  integer :: n, i, k
  real(8) :: x(n), cost
  cost = 0
  k = 1
  do i = 1, n
    k = mod(k*75 + 74, 65537)
    if (mod(k, 3) == 0) cycle
    if (x(i) > 1d0) then
      cost = cost + k*x(i)
    else
      cost = 0.5d0*cost
    end if
  end do
end subroutine p
"""
GATHER = """subroutine p(x, y, ix, n, cost)
  integer :: n, i, ix(n)
  real(8) :: x(n), y(n), cost
  do i = 1, n
    y(ix(i)) = y(ix(i)) + x(n + 1 - ix(i))
  end do
  cost = sum(x*y)
end subroutine p
"""
FUNCTIONS = """subroutine p(x, n, cost)
  integer :: n, i
  real(8) :: x(n), cost
  cost = 0
  do i = 1, n
    x(i) = exp(-x(i))*sin(x(i)) + sqrt(x(i)) + x(i)**2.5d0
    cost = cost + max(x(i), 0.5d0)
  end do
end subroutine p
"""
SINGLE = """subroutine p(x, n, cost)
  integer :: n, i
  real(4) :: x(n), cost
  cost = 0
  do i = 2, n
    x(i) = 0.5*(x(i) + x(i - 1))
    cost = cost + x(i)*x(i)
  end do
end subroutine p
"""
CALLS = """subroutine step(x, y, dt)
  real(8) :: x, y, dt, a
  a = x*y
  x = x + dt*(1 - a)
  y = y + dt*(a - y)
end subroutine step
subroutine p(x, y, n, dt, cost)
  integer :: n, i
  real(8) :: x, y, dt, cost
  do i = 1, n
    call step(x, y, dt)
  end do
  cost = x + y
end subroutine p
"""
WHOLE = """subroutine p(u, n, steps, dt, cost)
  integer :: n, steps, k
  real(8) :: u(n), f(n), dt, cost
  do k = 1, steps
    f = 0.5d0*u*u
    u(2:n) = u(2:n) - dt*(f(2:n) - f(1:n - 1))
  end do
  cost = sum(u*u)
end subroutine p
"""

KERNELS = (
    Kernel("burgers", BURGERS, {"n": 100, "steps": 200, "dt": 1e-3}, 200 * 198 + 2),
    Kernel("shallow water", SHALLOW, {"n": 32, "steps": 15, "dt": 1e-3}, 15 * 3 * 900 + 1),
    Kernel("matrix product", MATRIX, {"n": 32}, 32**3 + 2 * 32**2 + 1),
    Kernel("branches", BRANCHES, {"n": 20000}, 20000 + 2 + 13333),
    Kernel("index array", GATHER, {"n": 20000}, 20001),
    Kernel("functions", FUNCTIONS, {"n": 10000}, 20001),
    Kernel("single precision", SINGLE, {"n": 10000}, 19999),
    Kernel("calls", CALLS, {"n": 5000, "dt": 1e-3}, 15001),
    Kernel("whole arrays", WHOLE, {"n": 1000, "steps": 500, "dt": 1e-3}, 500 * 1999 + 1),
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="to spend on each kernel, each way (default 1)")
    seconds: float = parser.parse_args(arguments).seconds
    print(f"{'kernel':18}{'elements':>10}{'as functions':>16}{'node by node':>16}{'ratio':>8}   (elements a second)")
    slowest = float("inf")
    for kernel in KERNELS:
        fast, one = measured(kernel, True, seconds)
        slow, other = measured(kernel, False, seconds)
        if one != other:
            print(f"{kernel.name}: {one!r} as functions, {other!r} node by node")
            return 1
        slowest = min(slowest, fast)
        print(f"{kernel.name:18}{kernel.elements:10}{fast:16,.0f}{slow:16,.0f}{fast / slow:8.1f}", flush=True)
    print(f"slowest: {slowest:,.0f} elements a second")
    return 0


def measured(kernel: Kernel, direct: bool, seconds: float) -> tuple[float, float]:
    """Elements a second of the fastest run, and the objective. The first run, which compiles, does not count."""
    program = load_text(kernel.text)
    (head,) = parse_heads("p>(cost)")
    machine = Machine(program, find_procedure(program, head).key, direct=direct)
    inputs, best, end, value, runs = Inputs(kernel.given), float("inf"), time.perf_counter() + seconds, 0.0, 0
    while runs < 3 or time.perf_counter() < end:
        with np.errstate(all="ignore"):
            frame = start(machine, inputs)
            began = time.perf_counter()
            machine.run(frame)
            took = time.perf_counter() - began
        value, runs = objective(head, machine, frame), runs + 1
        best = min(best, took) if runs > 1 else best
    return kernel.elements / best, value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
