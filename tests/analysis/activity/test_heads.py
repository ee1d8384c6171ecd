"""Heads as users paste them from a Tapenade makefile."""

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

CASES = {
    "mix(x)>(y)": ["mix(x)>(y)"],
    " mix ( x , u ) > ( y ) ": ["mix(x,u)>(y)"],
    "mix(x u)>(y)": ["mix(x,u)>(y)"],
    "MIX": ["mix"],
    "mix(x)": ["mix(x)"],
    "mix>(y)": ["mix>(y)"],
    "ocean%step(t)>(cost)": ["ocean%step(t)>(cost)"],
    "mix(x)\\(y)": ["mix(x)>(y)"],
    "mix(y)/(x)": ["mix(x)>(y)"],
    "run(parameters.control.x)\\(output.cost)": ["run(parameters%control%x)>(output%cost)"],
    "f(x)>(y) g(u)>(v)": ["f(x)>(y)", "g(u)>(v)"],
    "f g": ["f", "g"],
    "f()>(y)": ["f>(y)"],
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_heads(text: str, expected: list[str]) -> None:
    assert [h.text for h in parse_heads(text)] == expected


@pytest.mark.parametrize("text", ["", "   ", "f(x", "f(x)>y", "f(x)>(y", "f(2x)>(y)", "(x)>(y)", "f(x))>(y)",
                                  "a%b%c(x)", "f;g", "f(x)>>(y)"])
def test_what_is_no_head(text: str) -> None:
    with pytest.raises(InputError):
        parse_heads(text)


TWO_MODULES = """module state
  real(8) :: seen, unseen, hidden
end module
module model
contains
  subroutine inner(y)
    use state, only: hidden
    real(8), intent(inout) :: y
    y = y*hidden
    hidden = y
  end subroutine
  subroutine outer(x, y)
    use state, only: seen, unseen
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x*seen
    call inner(y)
  end subroutine
end module
"""


def test_a_variable_that_is_seen_but_never_touched_adds_nothing() -> None:
    one, other = (analyse(load_text(TWO_MODULES), parse_heads(text)[0]).parts for text in (
        "outer(x, seen)>(y)", "outer(x, seen, unseen)>(y, unseen)"))
    assert one == other


def test_a_global_variable_that_only_a_callee_names() -> None:
    (part,) = analyse(load_text(TWO_MODULES), parse_heads("outer(x, hidden)>(hidden)")[0]).parts
    assert "state::hidden" in part.sets.use_cbar
