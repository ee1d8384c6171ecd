"""What the counting of steps costs beside a plain run, and what a capsule does (asked: at most 10 %; 1 ms a megabyte).

    python -m benchmarks.divide.counting_cost [--rounds 5]

CPU seconds, the least of some rounds, in turn. *count*: PRIMOPS, in elements; *walk*: the run as one that may be
interrupted at any step. Then capsules of a megabyte, with the sections of arrays told and without (*whole*), beside
what it takes to copy as many bytes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.pipeline import prepare
from snapset.analysis.replay.divide.divided_run import DividedMachine
from snapset.analysis.replay.experiment.gradient import entered
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import ROOM, Limits, Machine
from snapset.frontend.load import load_program

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
CASES = (
    ("burgers_region.f90", "burgers(u)>(cost)", {"n": 20000}),
    ("loop_burgers_ab2.f90", "burg(u,nu)>(cost)", {"n": 200, "nt": 300}),
    ("adaptive_grid.f", "f(x)>(y)", {"n": 10, "l": 401, "phi": 3}),
    ("adaptive_grid.f", "f(x)>(y)", {"n": 1000, "l": 101, "phi": 3}),
    ("loop_nested_call.f90", "twice(x)>(y)", {"n": 50, "nt": 500}),
    ("loop_while.f90", "adaptive(u)>(cost)", {"n": 20000}),
    ("goto_machine.f90", "automaton(x)>(y)", {"n": 3000}),
    ("recursive_tree.f90", "grow(x)>(y)", {"depth": 10}),
)
MEGABYTE = (
    ("burgers_region.f90", "burgers(u)>(cost)", {"n": 87500}),
    ("loop_while.f90", "adaptive(u)>(cost)", {"n": 125000}),
    ("adaptive_grid.f", "f(x)>(y)", {"n": 130000, "l": 11, "phi": 3}),
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args(arguments).rounds
    costs(rounds)
    megabytes(rounds)
    return 0


def costs(rounds: int) -> None:
    print(f"{'program':<24}{'steps':>10}{'plain, s':>10}{'count':>8}{'walk':>8}{'capsule, bytes':>16}{'taken, ms':>11}")
    for name, head, values in CASES:
        machine = machine_for(name, head, values)
        plain, count, walk = least([lambda m=machine: run_plainly(m), machine.steps,  # type: ignore[misc]
                                    lambda m=machine: walked(m)], rounds)  # type: ignore[misc]
        steps, (size, taken) = machine.steps(), capsule(machine, rounds)
        print(f"{name:<24}{steps:>10}{plain:>10.4f}{count/plain:>8.2f}{walk/plain:>8.2f}{size:>16}{1000*taken:>11.3f}",
              flush=True)


def megabytes(rounds: int) -> None:
    print(f"\n{'capsules, ms':<24}{'bytes':>10}{'copied':>10}{'whole':>8}{'taken':>8}{'resumed':>10}")
    for case in MEGABYTE:
        told, whole = machine_for(*case), machine_for(*case, sections=False)
        walker = told.begun()
        told.go(walker, told.steps()//2)
        held = told.take(walker, None)
        data = np.zeros(held.data_bytes, np.uint8)
        found = least([data.copy, lambda w=walker, m=whole: m.take(w, None),  # type: ignore[misc]
                       lambda w=walker, m=told: m.take(w, None),  # type: ignore[misc]
                       lambda h=held, m=told: m.walker(h)], 4*rounds)  # type: ignore[misc]
        print(f"{case[0]:<24}{held.bytes:>10}{1000*found[0]:>10.3f}{1000*found[1]:>8.3f}{1000*found[2]:>8.3f}"
              f"{1000*found[3]:>10.3f}", flush=True)


def machine_for(name: str, head: str, values: dict[str, int], sections: bool = True) -> DividedMachine:
    program = load_program([str(CORPUS / name)])
    (parsed,) = parse_heads(head)
    analysis = prepare(program, parsed)
    machine = Machine(analysis.models.program, find_procedure(analysis.models.program, parsed).key)
    machine.limits = Limits(10**10, ROOM)
    return DividedMachine(parsed, analysis.models, machine, Inputs(values), sections=sections)


def run_plainly(machine: DividedMachine) -> None:
    with np.errstate(all="ignore"):
        machine.machine.run(entered(machine.machine, machine.inputs))


def walked(machine: DividedMachine) -> None:
    machine.go(machine.begun(), None)


def capsule(machine: DividedMachine, rounds: int) -> tuple[int, float]:
    """The bytes of a capsule in the middle of the run, and the time that taking it takes."""
    walker = machine.begun()
    machine.go(walker, machine.steps()//2)
    return machine.take(walker, None).bytes, least([lambda: machine.take(walker, None)], rounds)[0]


def least(functions: list[Callable[[], object]], rounds: int) -> list[float]:
    """The CPU seconds of each, the least of some rounds; one before them warms what is compiled on the way."""
    found = [float("inf")]*len(functions)
    for number in range(rounds + 1):
        for at, function in enumerate(functions):
            begun = process_time()
            function()
            found[at] = min(found[at], process_time() - begun) if number else found[at]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
