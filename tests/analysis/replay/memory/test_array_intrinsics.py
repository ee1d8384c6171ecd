"""Array intrinsics with DIM, MASK and their like in the machine: values as gfortran's, derivatives as differences."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import prepare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.judged import judge, routine

HEAD = "s(x)>(y)"
BODIES = {
    "eoshift": "a = eoshift(a, k)*x; b = eoshift(b, shift=[1, -1], dim=2)*b + b",
    "eoshift with a boundary": "a = eoshift(a, -k, t*x(2))*x; b = b*eoshift(b, [1, 0, 1], boundary=b(1, :)*t) + b",
    "cshift by an array": "b = b*cshift(b, [1, 0, k], 1) + cshift(b, dim=2, shift=[1, -k])",
    "pack": "a = a*pack(b, b > 0.9d0, x*t); t = t + sum(pack(a*a, a > 1d0))",
    "pack all": "a = a*pack(b, .true.)",
    "unpack": "b = unpack(a*x, b > 0.9d0, b*t); a = a*unpack(field=t, mask=a > 1d0, vector=x)",
    "merge": "a = merge(a*x, sin(a), a > 1d0); t = merge(mask=k > 1, tsource=t*t, fsource=a(1))",
    "reshape": "b = b*reshape(a, [2, 3], order=[2, 1]); b = b + reshape(x(1:4)*t, shape=[2, 3], pad=a(1:1)*x(2:2))",
    "spread": "b = b*spread(a(1:3), 1, 2) + spread(dim=2, ncopies=3, source=x(1:2)*t)",
    "transpose and matmul": "b(:, 1:2) = matmul(b, transpose(b*t)); a(1:2) = matmul(b, a(1:3)*x(1:3)) + a(1:2)",
    "matmul by name": "b(:, 1:2) = matmul(matrix_b=transpose(b), matrix_a=b)*t",
    "dot_product": "t = t + dot_product(a*x, b(1, 1)*a)",
    "sum and product": "a(1:3) = sum(b*b, 1, b > 0.8d0); t = t*product(b, mask=b > 0.8d0)\n"
                       "x(1:2) = product(b, dim=2)*x(1:2) + 0.1d0*product(b, 2, b < 1.1d0)",
    "maxval and minval": "a(1:3) = maxval(b*b, 1)*a(1:3); x(1:2) = x(1:2) + minval(b*x(1), dim=2, mask=b > 0.7d0)\n"
                         "t = t*minval(a, a > 0.8d0)",
    "maxloc and minloc": "i = maxloc(a, 1); a(i) = a(i)*t; a(minloc(x, mask=x > 0.7d0)) = t*x(1)\n"
                         "t = t*sum(real(maxloc(b), 8)) + 0.1d0*sum(minloc(b, 2, b > 0.8d0, back=.true.)*a(1:2))",
    "findloc": "i = findloc(a > 0.9d0, .true., 1); if (i > 0) a(i) = a(i)*t\n"
               "i = sum(findloc([1, 2, k, 2], 2, back=.true.)); a(i) = a(i)*x(i)",
    "count, any, all": "if (any(any(b > 1d0, 1) .eqv. all(b > 0.5d0, 1))) t = t*x(1)\n"
                       "a(1:3) = a(1:3)*count(b > 0.8d0, dim=1); k = min(count(a > 0.9d0), 2)",
    "norm2": "t = t + norm2(a*x); a(1:3) = norm2(b*x(1), 1)",
    "implied DO": "a = [(a(i)*x(7 - i), i = 1, 6)]; b(1, :) = [t*t, (b(2, i)**2*t, i = 3, 2, -1)]\n"
                  "a = [b(1, :)*t, (sin(a(i)), max(a(i), t), i = 2, k), x(2*k:4)]",
    "nested implied DO": "b = reshape([((a(i)*b(i, k + 1 - k)*max(a(i), x(k)), k*a(i), i = 1, 1), k = 1, 3)], [2, 3])"
                         "; k = 1",
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("what", BODIES)
def test_array_intrinsics_are_executed(what: str, tmp_path: Path) -> None:
    judge(routine(BODIES[what].replace("; ", "\n")), HEAD, tmp_path, Inputs({"n": 6}))


def test_arguments_by_name_are_told_apart_by_name() -> None:
    """MERGE's sources carry derivatives, wherever they stand."""
    (head,) = parse_heads(HEAD)
    found = prepare(load_text(routine("t = merge(mask=k > 1, tsource=t*t, fsource=sin(a(1)))")), head)
    model = found.models.by_key[found.order[0]]
    node = next(n for n in model.flow.nodes if "merge" in repr(n.stmt) and n.kind == "simple")
    assert {model.space.infos[i].name for i in range(len(model.space)) if model.refs.flows(node.stmt.value) >> i & 1
            } == {"t", "a"}
