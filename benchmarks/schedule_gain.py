"""What unequal sizes gain: the exact schedule against revolve, mixed checkpointing in equal units, and store-all.

    python -m benchmarks.schedule_gain --cases 10000

Random (n, r, d, B), n from 5 to 30. Each schedule's actions are carried out in the abstract machine. Exit code 1 if one
is ever worse than what there was, or if fewer than 70 percent of the cases with room for a gain have one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError, best_schedule
from snapset.analysis.schedules.mixed.mixed_constant import ConstantSizes
from snapset.analysis.schedules.mixed.revolve_counts import revolve_steps


def verdict(rng: random.Random) -> str:
    """Worse, equal, better; "no room" where r = d, nothing fits, or everything does."""
    n, r, d = rng.randint(5, 30), rng.randint(1, 20), rng.randint(1, 20)
    budget = rng.randint(0, (n - 1) * max(r, d))
    units = budget // max(r, d)
    others = [steps for steps in (revolve_steps(n, budget // r), n if (n - 1) * d <= budget else None,
                                  ConstantSizes(n, 1, 1, units).forward_steps(n, units)) if steps is not None]
    try:
        found = best_schedule(steps=n, restart=r, dependencies=d, budget=budget)
    except InfeasibleBudgetError:
        return "worse" if others else "no room"
    if found.peak > budget or any(found.forward_steps > other for other in others):
        return "worse"
    if r == d or not r <= budget < (n - 1) * d:
        return "no room"
    return "better" if all(found.forward_steps < other for other in others) else "equal"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cases", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    rng = random.Random(given.seed)
    counts = Counter(verdict(rng) for _ in range(given.cases))
    room = counts["better"] + counts["equal"]
    share = counts["better"] / room if room else 1.0
    print(f"{given.cases} cases: {counts['worse']} worse; of {room} with room for a gain {counts['better']} strictly "
          f"better ({share:.1%})")
    return int(counts["worse"] > 0 or share < 0.7)


if __name__ == "__main__":
    sys.exit(main())
