"""Heads as users paste them from a Tapenade makefile."""

import pytest
from snapset.analysis.heads import parse_heads
from snapset.frontend.diagnostics import InputError

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
