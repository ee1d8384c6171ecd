"""corpus/nested.f90 by execution: the inner part needs b and q in its snapshot, and nothing else.

Tapenade 3.16 saves nothing there: it lets the outer part end at the first CHECKPOINT-END (its generated
code has the loop of lines 26 to 28 outside of every part), so it has no inner checkpoint to compare with.
This is the adjoint with the inner part checkpointed, written by hand; the answer is measured against
differences.
"""

from __future__ import annotations

from math import cos, sin

import pytest

X = (0.7, 0.4, 1.1)


def chain(x: tuple[float, ...]) -> float:
    p, q = 1.5, x[0]
    a = [v * q for v in x]
    b = [cos(v) for v in x]
    a = [u * v * p for u, v in zip(a, b, strict=True)]
    p = p * q
    b = [v * v + u for u, v in zip(a, b, strict=True)]
    q = q * p
    a = [u * v * q for u, v in zip(a, b, strict=True)]
    return sum(u * v for u, v in zip(a, b, strict=True)) * p * q


def adjoint(x: tuple[float, ...], saved: frozenset[str]) -> list[float]:
    """The gradient, restoring only what ``saved`` names before the inner part's second run."""
    r = range(len(x))
    p, q = 1.5, x[0]
    a, b = [v * q for v in x], [cos(v) for v in x]
    outer = a, b, p, q
    a = [a[i] * b[i] * p for i in r]
    p = p * q
    b = [b[i] * b[i] + a[i] for i in r]
    q = q * p
    a = [a[i] * b[i] * q for i in r]
    y = sum(a[i] * b[i] for i in r)
    pb, qb, yb = y * q, y * p, p * q
    ab, bb = [b[i] * yb for i in r], [a[i] * yb for i in r]
    a, b, p, q = outer
    a0 = a
    a = [a[i] * b[i] * p for i in r]
    p0, p = p, p * q
    inner = {"b": b, "q": q}
    b = [b[i] * b[i] + a[i] for i in r]
    q = q * p
    qb += sum(a[i] * b[i] * ab[i] for i in r)
    bb = [bb[i] + a[i] * q * ab[i] for i in r]
    ab = [q * b[i] * ab[i] for i in r]
    if "b" in saved:
        b = inner["b"]
    if "q" in saved:
        q = inner["q"]
    pb, qb = pb + q * qb, p * qb
    ab = [ab[i] + bb[i] for i in r]
    bb = [2 * b[i] * bb[i] for i in r]
    a, p = a0, p0
    qb += p * pb
    bb, ab = [bb[i] + a[i] * p * ab[i] for i in r], [b[i] * p * ab[i] for i in r]
    qb += sum(x[i] * ab[i] for i in r)
    xb = [q * ab[i] - sin(x[i]) * bb[i] for i in r]
    return [xb[0] + qb, *xb[1:]]


def differences(x: tuple[float, ...]) -> list[float]:
    step = 1e-6
    shifted = [[tuple(v + sign * step * (i == k) for i, v in enumerate(x)) for sign in (1, -1)] for k in range(len(x))]
    return [(chain(plus) - chain(minus)) / (2 * step) for plus, minus in shifted]


def test_saving_b_and_q_gives_the_gradient() -> None:
    assert adjoint(X, frozenset("bq")) == pytest.approx(differences(X), rel=1e-6)


@pytest.mark.parametrize("saved", ["", "b", "q"])
def test_leaving_one_out_gives_another_gradient(saved: str) -> None:
    assert adjoint(X, frozenset(saved)) != pytest.approx(differences(X), rel=1e-2)
