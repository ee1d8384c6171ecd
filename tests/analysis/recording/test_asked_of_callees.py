"""What a code asks of those that it runs: Req_C of each call, in the callee's names. By hand."""

from __future__ import annotations

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import HeadAnalysis
from snapset.frontend.load import load_text

TEXT = """subroutine p(x, y)
  real(8) :: x(2), y, b, c
  b = x(1)
  c = x(2)
  y = b*b*c*c       ! requires b and c
  call second(c, y)
  call first(b, y)
  call second(c, y)
  y = y*y
contains
  subroutine first(s, y)
    real(8) :: s, y
    s = 2*s
    y = y*sin(s)
  end subroutine first
  subroutine second(t, y)
    real(8) :: t, y
    t = 3*t
    y = y*sin(t)
  end subroutine second
end subroutine p
"""


def test_what_two_callees_are_asked() -> None:
    """Lazy leaves b and c to the adjoints of the calls that overwrite them: Req_C, s and t to the callees."""
    (head,) = parse_heads("p(x)>(y)")
    analysis = HeadAnalysis(load_text(TEXT, name="t.f90"), head)
    asked = analysis.records.passed_on("lazy", ("p",))
    names = {key: analysis.models.by_key[analysis.planning.code(key).procedure].space.names(one.required)
             for key, one in asked}
    assert list(names.items()) == [("p::first", ("s",)), ("p::second", ("t",))]
