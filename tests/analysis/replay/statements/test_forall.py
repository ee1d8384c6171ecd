"""FORALL on the replay machine: everything is computed before anything is assigned, and so is its adjoint."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.base.diagnostics import InputError

from tests.analysis.replay.machine.test_replay import from_text
from tests.support.execution import agrees_with_compiled, plans_agree

STATEMENTS = {
    "from the left": "forall (i = 2:n) a(i) = a(i - 1)*x(i)",
    "from the right": "forall (i = 1:n - 1) a(i) = a(i + 1)*a(i) + x(i)",
    "downwards": "forall (i = n:2:-1) a(i) = a(i - 1)*a(i)",
    "turned round": "forall (i = 1:n) a(i) = a(n + 1 - i)*x(i)",
    "masked by what it writes": "forall (i = 2:n, a(i - 1) < 1d0) a(i) = a(i - 1)*a(i)",
    "by an index array": "k = (/ 3, 1, 5, 2, 4 /); forall (i = 1:n) a(k(i)) = a(i)**2",
    "an index array of its own": "k = (/ 3, 1, 5, 2, 4 /); forall (i = 1:n) k(i) = k(k(i)); a = a(k)*x",
    "transposed": "m = spread(x, 1, 5)*spread(a, 2, 5); "
                  "forall (i = 1:n, j = 1:n) m(i, j) = m(j, i)*x(j); a = sum(m, 1)",
    "whole rows": "m = spread(x, 1, 5); forall (i = 2:n) m(i, :) = m(i - 1, :)*a; a = sum(m*m, 1)",
    "nothing at all": "forall (i = 2:1) a(i) = 0d0",
    "several that do not meet": "forall (i = 2:n)\n a(i) = a(i - 1)*x(i)\n b(i) = x(i)**2\n end forall\n a = a*b",
    "several that meet": "forall (i = 2:n)\n a(i) = x(i)*a(i)\n b(i) = a(i - 1)\n end forall",
    "several that overwrite": "forall (i = 2:n)\n a(i) = x(i)*a(i)\n a(i - 1) = x(i)*a(i - 1)\n end forall",
    "one in another": "m = spread(x, 1, 5)\n forall (i = 2:n)\n"
                      " forall (j = 1:i) m(i, j) = m(i - 1, j)*x(i)\n end forall\n"
                      " a = a*sum(m*m, 2)",
    "twice": "do j = 1, 2\n forall (i = 2:n) a(i) = a(i - 1)*a(i)\n end do",
}


def program(statement: str, marked: bool) -> str:
    start, end = ("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END") if marked else ("", "")
    return (f"subroutine p(x, n, y)\n integer :: n, i, j, k(n)\n real(8) :: x(n), y, a(n), b(n), m(n, n)\n"
            f" a = x*x\n b = x\n {start}\n {statement}\n {end}\n y = sum(a**2*b)\nend subroutine p\n")


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("name", STATEMENTS)
def test_every_plan_gives_the_store_all_gradient(name: str, marked: bool) -> None:
    head, machine, analysis = from_text(program(STATEMENTS[name], marked), "p(x)>(y)")
    plans_agree(head, machine, analysis)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", STATEMENTS)
def test_the_compiled_original_agrees(name: str, tmp_path: Path) -> None:
    text = program(STATEMENTS[name], False)
    agrees_with_compiled(text, "p(x)>(y)", tmp_path)


@pytest.mark.parametrize(("statement", "line"), [
    ("forall (i = 2:n)\n forall (j = 1:1) a(i) = x(i)\n b(i) = a(i - 1)\n end forall", 9),
    ("forall (i = 2:n)\n forall (j = 1:1) a(i) = x(i)\n a(i - 1) = x(i)\n end forall", 9),
])
def test_several_statements_that_meet_are_refused(statement: str, line: int) -> None:
    with pytest.raises(InputError, match=rf":{line}:\d+: error: replay does not execute"):
        from_text(program(statement, False), "p(x)>(y)")
