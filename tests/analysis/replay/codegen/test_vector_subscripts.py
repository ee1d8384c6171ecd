"""Vector subscripts beside others, ``a(v, 2, w)``: each vector runs along a dimension of its own. In WHERE, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge, routine

DECLARED = ("real(8) :: c(2, 3, -1:1)\ninteger :: p(3), q(2)\ntype :: t3\nreal(8) :: m(3, 4)\n"
            "integer :: k(2) = [2, 3]\nend type\ntype(t3) :: o")
FIRST = "p = [3, 1, 2]\nq = [2, 1]\nc = t\no%m = x(1)\n"
BODIES = {
    "a vector and a number": "b(2, p) = sin(b(1, :)); b(q, 1) = b(q, 3)*b(q, 2); t = t*sum(b(1, p(2:3)))",
    "a vector and a section": "b(:, p) = b*t; b(2:1:-1, p(1:2)) = b(:, 2:3)*b(:, p(3:2:-1))",
    "two vectors": "b(q, p) = b*b(q, [1, 1, 3])",
    "three dimensions": "c(2, p, [0, 1]) = spread(b(1, p)*t, 2, 2); c(q, 2, :) = c(:, 3, [1, 0, -1])*b(:, p)\n"
                        "t = t + sum(c(q, :, 0)) + sum(c(:, p, -1:0))",
    "components": "o%m(:, [4, 1]) = spread(a(1:3), 2, 2)*t; o%m(o%k, 3) = o%m(o%k - 1, 1)**2; t = t*sum(o%m(p, q))",
    "an intrinsic's operands": "b(:, 1:2) = matmul(b(q, p), transpose(b(:, p))); t = t + dot_product(b(2, p), a(p))",
    "twice the same element read": "a(1:3) = b(1, [2, 2, 1])*b(2, 3); b(:, [2, 3]) = b(q, [1, 1])*a(1)",
    "where": "where (a > 0.9d0); a([6, 1, 2, 5, 3, 4]) = a*t; elsewhere; a([2, 1, 3, 4, 6, 5]) = x*a; end where\n"
             "where (b(q, p) > 1d0) b(q, p) = b*0.5d0 + t",
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("what", BODIES)
def test_each_vector_has_a_dimension_of_its_own(what: str, tmp_path: Path) -> None:
    judge(routine(FIRST + BODIES[what].replace("; ", "\n"), DECLARED), "s(x)>(y)", tmp_path, Inputs({"n": 6}))
