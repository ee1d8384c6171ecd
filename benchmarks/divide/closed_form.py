"""The adaptive grid in every mode beside its closed form: for n = 1000, y = sum(k**2)/2 = 166916750, and its gradient
is x itself.

    python -m benchmarks.divide.closed_form --minutes 14   goes on where it was, until the time is up; then the table
    python -m benchmarks.divide.closed_form --minutes 0    the table of what has been found
    python -m benchmarks.divide.closed_form --n 100 --leaf 10000 --modes plain,loop,'binary binomial log'

Behind the table: how the peaks grow with l, where at least three have been run. Modes: the adjoint without checkpoints
(plain), the binomial schedule over the outer loop with 40 snapshots (loop), and divide: binary and treeverse, with
bisection, binomial and optimal splits, each with d = t (log), with four snapshots (space), with three reruns (time),
and within so many bytes (memory). Each is a line of a file (--state), so that it may be cut off at any time. Whoever
gave another gradient than plain, bit for bit, is told.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.pick import pick
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.pipeline import prepare
from snapset.analysis.replay.divide.divide_experiment import DivideOptions, RanDivision, head_machine, plan_for
from snapset.analysis.replay.divide.divide_planner import DividePlanner
from snapset.analysis.replay.divide.divided_run import DividedMachine
from snapset.analysis.replay.divide.loop_units import LoopUnits
from snapset.analysis.replay.experiment.gradient import Dependents, Gradient, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_program

from benchmarks.divide.adaptive_grid import LENGTHS, LOOP_LINE, PHI, PROGRAM, SNAPSHOTS, grid, residual

LEAF, SPACE, TIME, MEMORY = 100_000, 4, 3, 1_500_000
STOPS: dict[str, dict[str, Any]] = {
    "log": {"log": True}, "space": {"space": SPACE}, "time": {"time": TIME}, "memory": {"memory": MEMORY}}
MODES = ("plain", "loop", *(" ".join(one) for one in product(DRIVERS, MIDS, STOPS)))


class Grid:
    """The program for one n and l, ready to run in any mode."""

    def __init__(self, n: int, length: int, leaf: int) -> None:
        self.leaf = leaf
        (head,) = parse_heads("f(x)>(y)")
        self.analysis = prepare(load_program([str(PROGRAM)]), head)
        self.machine = head_machine(self.analysis, DivideOptions(limit=10**10, room=10**13))
        self.inputs = Inputs({"n": n, "l": length, "phi": PHI, "x": [n - k for k in range(n)]})
        self.planner = DividePlanner(self.fresh())  # what one mode has found, the next need not look for

    def fresh(self) -> DividedMachine:
        return DividedMachine(self.analysis.head, self.analysis.models, self.machine, self.inputs)

    def run(self, mode: str) -> dict[str, Any]:
        """What one mode gives."""
        begun = process_time()
        found = self.plain() if mode == "plain" else self.loop() if mode == "loop" else self.division(*mode.split())
        return {**found, "seconds": round(process_time() - begun, 1)}

    def plain(self) -> dict[str, Any]:
        seen = list[Dependents]()
        gradient, run = store_all(self.analysis.head, self.machine, self.inputs, seen.append)
        return {**told(gradient, seen[0]), "peak": run.stack.peak}

    def loop(self) -> dict[str, Any]:
        machine = self.fresh()
        units = LoopUnits(machine, LOOP_LINE)
        rule = pick(units.iterations, 1, d=SNAPSHOTS)
        return _ran(machine, RanDivision(machine, units, units.iterations, rule, "optimal", "binary"))

    def division(self, driver: str, mid: str, stop: str) -> dict[str, Any]:
        leaf = None if stop == "memory" else self.leaf
        wanted = replace(DivideOptions(driver, (mid,), leaf=leaf), **STOPS[stop])
        self.planner.driver = driver
        plan = plan_for(self.planner, mid, wanted)
        machine = self.fresh()
        found = _ran(machine, RanDivision(machine, machine, plan.tree.n, plan.rule, mid, driver))
        return {**found, "steps": plan.tree.n, "d": plan.tree.live, "t": plan.tree.most, "planned": plan.peak_bytes}


def _ran(machine: DividedMachine, ran: RanDivision) -> dict[str, Any]:
    assert machine.dependents is not None
    return {**told(ran.gradient, machine.dependents), "peak": ran.peak, "rerun": machine.spent.plain}


def told(gradient: Gradient, dependents: Dependents) -> dict[str, Any]:
    """How far from the closed form it is."""
    found = gradient.values["x"]
    n = found.size
    return {"y": float(dependents.values["y"]), "y off": abs(float(dependents.values["y"]) - exact(n)),
            "gradient off": float(np.abs(found - np.arange(n, 0, -1)).max()),
            "bits": hashlib.sha256(found.tobytes()).hexdigest()[:16]}


def exact(n: int) -> float:
    """sum(k**2)/2 for k from 1 to n."""
    return n*(n + 1)*(2*n + 1)/12


def left(known: dict[str, Any], n: int, most: int, modes: Sequence[str]) -> Iterator[tuple[int, str]]:
    for length in LENGTHS:
        for mode in modes if length <= most else ():
            if f"{n} {length} {mode}" not in known:
                yield length, mode


def read(path: Path) -> dict[str, Any]:
    lines = path.read_text().splitlines() if path.exists() else []
    return {one["case"]: one for one in map(json.loads, lines)}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--most", type=int, default=LENGTHS[-1], help="no longer l than that")
    parser.add_argument("--minutes", type=float, default=14.0)
    parser.add_argument("--leaf", type=int, default=LEAF, help=f"steps of a leaf (default {LEAF})")
    parser.add_argument("--modes", type=lambda text: text.split(","), default=MODES, help="some of them")
    parser.add_argument("--state", type=Path, default=Path("closed_form.jsonl"))
    given = parser.parse_args(arguments)
    until, known, at = monotonic() + 60*given.minutes, read(given.state), (0, None)
    for length, mode in left(known, given.n, given.most, given.modes):
        if monotonic() >= until:
            break
        print(f"\rl = {length}, {mode}   ", end="", file=sys.stderr, flush=True)
        if at[0] != length:
            at = length, Grid(given.n, length, given.leaf)  # type: ignore[assignment]
        assert at[1] is not None
        row = {"case": f"{given.n} {length} {mode}", **at[1].run(mode)}
        known[row["case"]] = row
        with given.state.open("a") as state:
            state.write(json.dumps(row) + "\n")
    print(file=sys.stderr)
    bad = table(known, given.n, given.most)
    for mode in MODES:
        if "treeverse" in mode or mode.split()[-1] not in ("plain", "loop", "log"):
            continue  # both drivers have the same leaves; with d or t given peak or time grows faster
        growth(mode, {length: known[case] for length in LENGTHS if (case := f"{given.n} {length} {mode}") in known})
    for mode in MODES[2:len(MODES)//2 + 1]:
        below = [length for length in LENGTHS
                 if f"{given.n} {length} loop" in known and f"{given.n} {length} {mode}" in known
                 and known[f"{given.n} {length} {mode}"]["peak"] < known[f"{given.n} {length} loop"]["peak"]]
        if below:
            print(f"{mode}: below the loop's peak from l = {below[0]} on")
    return bad


def growth(mode: str, rows: dict[int, dict[str, Any]]) -> None:
    """What the peak and the steps of one mode fit better; the loop's slope on logarithmic axes from l = 211 on."""
    if len(rows) < 3:
        return
    x, peak = [float(length) for length in rows], [float(row["peak"]) for row in rows.values()]
    said = ", ".join(f"{length}: {row['peak']}" for length, row in rows.items())
    print(f"{mode}, peak: {said}")
    if mode == "plain":
        print(f"  residual {residual([sum(grid(one)) for one in rows], peak, float):.2e} of a + b*(sum m)")
        return
    print(f"  residual {residual(x, peak, np.log):.2e} of a + b*log(l), {residual(x, peak, float):.2e} of a + b*l")
    late = [(length, one) for length, one in zip(rows, peak, strict=True) if length >= 211]
    if mode == "loop" and len(late) > 1:
        slope = np.polyfit(np.log([length for length, _ in late]), np.log([one for _, one in late]), 1)[0]
        print(f"  slope {slope:.2f} from l = 211 on (logarithmic)")
    if mode != "loop":
        spent = [float(row["steps"] + row["rerun"]) for row in rows.values()]
        print(f"  steps: residual {residual(x, spent, lambda one: one*np.log(one)):.2e} of a + b*l*log(l), "
              f"{residual(x, spent, lambda one: one*one):.2e} of a + b*l**2")


def table(known: dict[str, Any], n: int, most: int) -> int:
    """By l: the modes that have run, how far they are from the closed form at most; who differs from plain."""
    bad = 0
    print(f"{'l':>5}{'modes':>7}{'y off':>9}{'gradient off':>14}{'as plain':>10}{'steps':>11}{'CPU s':>8}")
    for length in LENGTHS:
        rows = {mode: known[case] for mode in MODES if (case := f"{n} {length} {mode}") in known}
        if not rows or length > most:
            continue
        bits = rows["plain"]["bits"] if "plain" in rows else ""
        others = [mode for mode, row in rows.items() if row["bits"] != bits]
        off = max(row["y off"] for row in rows.values()), max(row["gradient off"] for row in rows.values())
        steps = max((row.get("steps", 0) for row in rows.values()), default=0)
        print(f"{length:5}{len(rows):4}/{len(MODES)}{off[0]:9.1e}{off[1]:14.1e}{len(rows) - len(others):7}/{len(rows)}"
              f"{steps:11}{sum(row['seconds'] for row in rows.values()):8.1f}")
        over = [mode for mode, row in rows.items() if "memory" in mode and row["peak"] > MEMORY]
        unplanned = [mode for mode, row in rows.items() if row.get("planned", row["peak"]) != row["peak"]]
        for what, modes in (("another gradient than plain", others), ("over the memory given", over),
                            ("not the peak that was planned", unplanned)):
            if modes:
                print(f"      {what}: {', '.join(modes)}")
        bad += bool(others or over or unplanned or off[0] > 1e-5 or off[1] > 1e-4)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
