"""The third opinion itself: values after a run and slopes of the compiled original, beside the machine's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.replay.experiment.gradient import Gradient, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine

from tests.oracles.gfortran_driver import Driver, Values, moved, objective, run_from_each, typed


@dataclass(frozen=True)
class Opinion:
    """``differences``: variables whose values after the run are others than the machine's.

    ``slopes``: directional derivatives, by the machine's store-all gradient and by differences of the original.
    ``tolerance``: how far those may be apart, as a share of the slope and of the objective.
    """

    differences: tuple[str, ...]
    slopes: tuple[tuple[float, float], ...]
    objective: float
    tolerance: float

    @property
    def agrees(self) -> bool:
        """Nothing differs."""
        return not self.differences and all(
            abs(a - b) <= self.tolerance * max(abs(a), abs(b), abs(self.objective)) for a, b in self.slopes)


def opinion(head: Head, machine: Machine, inputs: Inputs, driver: Driver, program: Path, ways: int = 3,
            known: Gradient | None = None) -> Opinion:
    """Compare a compiled driver with the machine. ``known``: its store-all gradient, where that is there.

    Differences are central with Richardson's extrapolation: steps of 1e-4 leave a truncation error of the order
    1e-16 times the fifth derivative and a rounding error of some 1e-12 times the objective; 1e-7 lets a program
    that amplifies either 100,000 times pass, while a lost term of a derivative would be of order one. Single
    precision rounds at 1e-7, so steps of 1e-2 and one per cent.
    """
    single = any(a.dtype in (np.float32, np.complex64) for _, a in typed(driver, driver.before))
    step, tolerance = (1e-2, 1e-2) if single else (1e-4, 1e-7)
    random, gradient = np.random.default_rng(7), (known or store_all(head, machine, inputs)[0]).values
    along = [{name: random.uniform(-1, 1, a.shape) for name, a in gradient.items()} for _ in range(ways)]
    ends = [(way, h) for way in along for h in (step, -step, 2*step, -2*step)]
    found, *others = run_from_each(program, driver, [driver.before, *(moved(head, machine, driver, way, h)
                                                                      for way, h in ends)])
    values, slopes = iter([objective(head, machine, driver, one) for one in others]), []
    for way in along:
        ours = sum(float(np.sum(way[name] * a)) for name, a in gradient.items())
        up, down, further_up, further_down = (next(values) for _ in range(4))
        near, far = (up - down) / (2*step), (further_up - further_down) / (4*step)
        slopes.append((ours, (4*near - far) / 3))
    return Opinion(tuple(_differing(driver, found)), tuple(slopes),
                   objective(head, machine, driver, found), tolerance)


def _differing(driver: Driver, found: Values) -> Iterator[str]:
    """Integers and logicals must be equal, reals up to the last bits: NumPy adds and calls its own functions."""
    for (view, ours), (_, theirs) in zip(typed(driver, driver.after), typed(driver, found), strict=True):
        close = 1e-5 if ours.dtype in (np.float32, np.complex64) else 1e-12
        same = np.allclose(ours, theirs, rtol=close, atol=0, equal_nan=True) if ours.dtype.kind in "fc" else \
            np.array_equal(ours, theirs)
        if not same:
            yield f"{'%'.join(view.name)}: the machine has {ours}, gfortran {theirs}"
