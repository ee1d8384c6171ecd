"""What a call in split mode needs of its caller: of the expressions that it is passed, and of subscripts. By hand."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, HeadAnalysis
from snapset.frontend.load import load_text

TEXT = """subroutine p(x, y)
  real(8) :: x(3), y, b, c
  integer :: n
  b = x(1)
  c = x(2)
  y = x(3)
  n = 2
  {call}
  y = y*y
contains
  subroutine f(s, y, t)
    real(8) :: s, y
    real(8), optional :: t
    y = y*s*s
    if (present(t)) y = y*t
  end subroutine f
end subroutine p
"""


@pytest.mark.parametrize(("call", "values", "partials"), [
    ("call f(b, y)", "", ""),                      # a variable is passed as it is
    ("call f(b*c, y)", "b c", "b c"),              # evaluated again on the way back; so is its derivative
    ("call f(b + c, y)", "b c", ""),               # linear
    ("call f(b, y, c**2)", "c", "c"),
    ("call f(b, y, c)", "", ""),
    ("call f(sin(b), y, 2*c)", "b c", "b"),
    ("call f(x(n), y)", "", ""),
    ("call f(n*b, y)", "b n", "n"),                # n has no derivative
])
def test_what_passed_expressions_read(call: str, values: str, partials: str) -> None:
    (head,) = parse_heads("p(x)>(y)")
    analysis = HeadAnalysis(load_text(TEXT.format(call=call), name="t.f90"), head,
                            options=AnalysisOptions(call_checkpoints=False))
    adjoint = analysis.adjoints.by_key[analysis.planning.order()[0]]
    (site,) = adjoint.split_calls.values()
    names = adjoint.model.space.names
    assert (" ".join(names(site.values)), " ".join(names(site.partials))) == (values, partials)
