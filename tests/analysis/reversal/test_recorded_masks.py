"""The mask of a WHERE is recorded where that takes less than keeping what it was computed from: which, and that the
gradient stays."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
EVERY = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*,Opt2+=*,Sbk+=*")


def text_of(body: str) -> str:
    return f"""subroutine p(x, y)
  real(8), intent(inout) :: x(6)
  real(8), intent(out) :: y
  real(8) :: a(6), b(6), t(6)
  integer :: i
  a = x
  b = 2*x
  y = 0
  t = 0
  do i = 1, 3
{body}
  end do
  y = y + sum(a*b)
end subroutine p
"""


@pytest.mark.parametrize(("body", "recorded", "bytes_saved"), [
    # the assignment overwrites what only its mask reads: 6 bytes for 48, in each turn
    ("a = a*b\nwhere (a < 0.6d0) a = 0.6d0", {"a = 0.6d0"}, 3*42),
    # so does what comes later
    ("t = t*a + b\nwhere (t > 0.4d0) b = b*a", {"b = b*a"}, 3*42),
    ("t = t*a + b\nwhere (t > 0.4d0)\nb = b*a\nelsewhere\na = b*b\nend where", {"b = b*a", "a = b*b"}, 3*36),
    # nothing overwrites it, or it is needed all the same
    ("where (x > 0.6d0) a = a*b", set(), 0),
    ("where (a > 0.6d0) a = a*a", set(), 0),
    ("t = t*0.5d0 + b\ny = y + sum(t*t)\nwhere (t > 0.4d0) b = b*a", set(), 0),
    # it is computed again
    ("t = sin(b - a)\nwhere (t > 0.4d0) b = b*a", set(), 0),
    # several assignments of a mask count together: nine would take more than what it is computed from
    ("t = t*0.5d0 + b\nwhere (t > 0.4d0)\n" + "a = a + b\n"*9 + "end where", set(), 0),
    # the assignment has no derivative
    ("a = a*b\nwhere (a < 0.6d0) t = 0.6d0", set(), 0),
])
def test_which_masks_are_recorded(body: str, recorded: set[str], bytes_saved: int) -> None:
    text = text_of(body)
    program, lines = load_text(text), text.splitlines()
    found = prepare(program, HEAD).adjoints.by_key["p"]
    assert {lines[found.model.flow.nodes[n].span.line - 1].strip().rpartition(") ")[2] for n in found.masks} == recorded
    runs, others = (compare(program, HEAD, EVERY, Inputs({}), one).runs
                    for one in (AnalysisOptions(), AnalysisOptions(keep_operands=True)))
    for run, other in zip(runs, others, strict=True):
        assert run.equal, (run.name, run.error)
        assert other.equal, (other.name, other.error)
        assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
        if run.name == "lazy":
            assert (other.traffic_bytes or 0) - (run.traffic_bytes or 0) == bytes_saved
