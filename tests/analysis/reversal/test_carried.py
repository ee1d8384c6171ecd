"""Logical and integer data that loops carry from turn to turn and that decide what the next one computes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge, routine

DECLARED = "  logical :: on, seen(6)\n  integer :: last, order(6)"
START = "  on = .true.\n  seen = .false.\n  last = 1\n  order = [3, 1, 6, 2, 5, 4]"
STATEMENTS = (
    "on = .not. on", "on = a(last) > 1.0d0", "seen(last) = on .or. seen(order(last))", "last = order(last)",
    "last = mod(last, 6) + 1", "order([1, last]) = order([last, 1])", "if (seen(last)) last = maxloc(a, 1)",
    "if (on) a(last) = a(last)*t", "if (.not. seen(k)) t = t*x(last)", "t = merge(sin(t), t*0.9d0, on .eqv. seen(2))",
    "a(order(last)) = a(last)*a(order(k)) + 0.1d0", "if (count(seen) > 2) seen = .false.", "a(last) = x(order(last))*t",
    "do while (on .and. last < 5)\nlast = last + 1\non = a(last) < 1.4d0\nt = t*a(last)\nend do",
    "select case (last)\ncase (1:2)\nt = t*t\ncase (5)\na = a*0.8d0\nend select",
)  # fmt: skip


def program(random: Random, marked: bool) -> str:
    body = "\n".join(random.choice(STATEMENTS) for _ in range(random.randrange(4, 9)))
    body = body.replace("order([1, last]) = order([last, 1])", "i = order(1)\norder(1) = order(last)\norder(last) = i")
    text = routine(body, DECLARED, marked, turns=3)
    return text.replace("  k = 1\n  do", f"{START}\n  k = 1\n  do", 1)


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(24))
def test_what_is_carried_decides_rightly(seed: int, tmp_path: Path) -> None:
    judge(program(Random(seed), seed % 2 == 0), "s(x)>(y)", tmp_path, Inputs({"n": 6}))
