"""Under ``mpiexec -n 3``: all published outcomes once more, each on real ranks. Rank 0 prints them as JSON.

    mpiexec -n 3 python -m tests.analysis.messages.real_patterns
"""

from __future__ import annotations

import json
import sys
from typing import Any

from mpi4py import MPI
from snapset.analysis.messages.checkpointed_ranks import CheckpointedRank, RerunPlan, start_values
from snapset.analysis.messages.communication_trace import Ranks
from snapset.analysis.messages.exchange import ExchangeError
from snapset.analysis.replay.ranks.real_exchange import RealExchange, StuckRankError

from tests.support.message_patterns import PATTERNS, ranks_of

LIMIT = 2.0


def run(pattern: dict[str, Any], plan: RerunPlan, sends: str) -> tuple[str, Any, float, int]:
    """How this rank ended, where it stands, its gradient, and messages sent less those received."""
    world = MPI.COMM_WORLD
    ranks = ranks_of(pattern)
    exchange = RealExchange(world, sends, LIMIT)  # type: ignore[arg-type]
    me = world.Get_rank()
    found = alone(exchange, me, ranks, plan) if me < len(ranks) else ("idle", None, 0.0)
    return *found, exchange.settle()


def alone(exchange: RealExchange, me: int, ranks: Ranks, plan: RerunPlan) -> tuple[str, Any, float]:
    """One rank's run."""
    strand = CheckpointedRank(me, ranks[me], plan, exchange, len(ranks), start_values(len(ranks))[me])
    try:
        while (needs := strand.resume()) is not None:
            exchange.wait(*needs)
    except StuckRankError as error:
        return "stuck", [error.place.sweep, [error.place.kind, error.place.peer, error.place.message]], 0.0
    except ExchangeError:
        return "error", None, 0.0
    return f"ends {len(strand.requests)}", None, strand.bar


def outcome(states: list[tuple[str, Any, float, int]]) -> Any:
    """As the table writes it."""
    for rank, (state, *_) in enumerate(states):
        if state == "error":
            return {"error: wait without a request": rank}
    if any(state == "stuck" for state, *_ in states):
        return {"deadlock": [[rank, *place] for rank, (state, place, *_) in enumerate(states) if state == "stuck"]}
    never = sum(int(state.split()[1]) for state, *_ in states if state.startswith("ends"))
    if left := sum(one[3] for one in states):
        return f"ends, {left} message(s) never received"
    return f"ends, {never} request(s) never completed" if never else "ends"


def main() -> None:
    found: dict[str, Any] = {}
    world = MPI.COMM_WORLD
    names = sys.argv[1:] or list(PATTERNS)
    for name in names:
        pattern = PATTERNS[name]
        plans = {"store-all": RerunPlan(checkpoints=False), "popular": RerunPlan(popular=True), "log": RerunPlan(),
                 "resend": RerunPlan(resent={"C": frozenset(pattern["resent"])})}
        for plan, rerun in plans.items():
            for sends in ("synchronous", "buffered"):
                states = world.gather(run(pattern, rerun, sends))
                if states is not None:
                    found.setdefault(name, {}).setdefault(plan, {})[sends] = {
                        "outcome": outcome(states), "gradient": [one[2] for one in states if one[0] != "idle"]}
    if world.Get_rank() == 0:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
