"""The published outcomes under real MPI, where there is one: pip install 'snapset[mpi]'."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from snapset.analysis.messages.checkpointed_ranks import RerunPlan, run_plan

from tests.support.message_patterns import PATTERNS, ranks_of
from tests.support.paths import ROOT

MPIEXEC = Path(sys.executable).parent / "mpiexec"
there = pytest.mark.skipif(find_spec("mpi4py") is None or not MPIEXEC.exists(),
                           reason="no MPI here: pip install 'snapset[mpi]'")


def on_real_ranks(*names: str) -> dict[str, Any]:
    command = [str(MPIEXEC), "-n", "3", sys.executable, "-m", "tests.analysis.messages.real_patterns", *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check(*names: str) -> int:
    count = 0
    for name, plans in on_real_ranks(*names).items():
        for plan, sends in plans.items():
            for how, found in sends.items():
                expected = PATTERNS[name]["outcome"][plan][how]
                if isinstance(expected, dict) and "deadlock" not in expected:
                    assert list(found["outcome"]) == list(expected)  # which rank is first to see it is not settled
                else:
                    assert found["outcome"] == expected, (name, plan, how)
                if expected == "ends":
                    simulated = run_plan(ranks_of(PATTERNS[name]), RerunPlan(checkpoints=False), how)
                    assert tuple(found["gradient"]) == simulated.gradient
                count += 1
    return count


@there
def test_one_pattern_under_real_mpi() -> None:
    assert check("halo", "mixed") == 16


@there
@pytest.mark.slow
def test_all_128_outcomes_under_real_mpi() -> None:
    assert check() == 128
