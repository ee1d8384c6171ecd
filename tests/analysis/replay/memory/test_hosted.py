"""The replay machine's memory of variables that internal procedures see in their host."""

from __future__ import annotations

import pytest
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.analysis.replay.machine.test_replay import from_text
from tests.support.execution import plans_agree

# Text, its value at x = 2 and its derivative there.
PROGRAMS = {
    "used by internal procedures alone": ("""subroutine p(x, y)
  real(8) :: x, y, w
  call one
  call two
contains
  subroutine one
    w = x*x
  end subroutine one
  subroutine two
    y = w*w
  end subroutine two
end subroutine p
""", 16.0, 32.0),
    "overlaid by another": ("""subroutine p(x, y)
  real(8) :: x, y, z(3), q
  equivalence (z(2), q)
  z = x
  call one
  y = z(2)*z(1)
contains
  subroutine one
    q = q*x
  end subroutine one
end subroutine p
""", 8.0, 12.0),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_internal_procedures_share_their_hosts_memory(name: str) -> None:
    text, value, slope = PROGRAMS[name]
    head, machine, analysis = from_text(text, "p(x)>(y)")
    inputs = Inputs({"x": 2.0})
    assert primal(head, machine, inputs) == value
    assert float(plans_agree(head, machine, analysis, inputs).values["x"]) == slope
