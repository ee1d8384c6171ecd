"""What calls write, in their callers' names: one program with a call for each way that an array can be passed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.replay.machine.primal import Machine

from tests.analysis.recording.recorded.recorded_lines import analysed, found, read
from tests.support.execution import plans_agree

CASE = Path(__file__).parent/"sections_in_callers.f90"


def test_what_calls_write_in_their_callers_names() -> None:
    """By hand, beneath each line of the program, as in the recorded cases."""
    case = read(CASE)
    assert found(case, "plain") == case.expected["plain"]


def test_that_is_enough() -> None:
    case = read(CASE)
    analysis = analysed(case, "plain")
    machine = Machine(analysis.models.program, find_procedure(analysis.models.program, case.head).key)
    expected = plans_agree(case.head, machine, analysis, case.inputs)
    assert all(np.isfinite(a).all() and a.all() for a in expected.values.values())
