"""One memory under several shapes: EQUIVALENCE of ``c(2, 2)``, ``d(4)`` and ``e(0:3)``, as LAPACK's DLALN2 has it.
Random programs on such memory; the judges are the store-all run and gfortran."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

SHAPES = {"c": "2, 2", "d": "4", "e": "0:3", "t": "2, 2", "w": "-1:0, 2"}
PART = """
subroutine part(v, n, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n), s
  integer :: i
  do i = 1, n
    v(i) = v(i)*s + 0.1d0
    s = 0.5d0*s + v(i)
  end do
end subroutine
"""


def element(draw: Random, name: str, index: str | None = None) -> str:
    """One element, by constants or by the loop's variable."""
    by_index = index is not None and draw.randrange(2) == 0
    if name in "de":
        return f"{name}({index})" if by_index else f"{name}({draw.randint(*{'d': (1, 4), 'e': (0, 3)}[name])})"
    first = draw.choice(("-1", "0")) if name == "w" else draw.choice(("1", "2"))
    return f"{name}({first}, {index if by_index else draw.choice(('1', '2'))})"


def statement(draw: Random, names: list[str], index: str | None) -> list[str]:
    """One line. ``index``: of the loop around it."""
    one, other, third = (draw.choice(names) for _ in range(3))
    kind = draw.randrange(6)
    value = f"{element(draw, other, index)}*{element(draw, third, index)} + x({draw.randint(1, 4)})"
    if kind < 3:
        return [f"  {element(draw, one, index)} = {value}"]
    if kind == 3:
        section = {"d": "d(2:3)", "e": "e(0:1)", "c": "c(:, 2)", "t": "t(1, :)", "w": "w(0, :)"}[one]
        return [f"  {section} = {section}*{element(draw, other)}"]
    if kind == 4:
        first = {"d": "d(2)", "e": "e(1)", "c": "c(1, 2)", "t": "t(1, 1)", "w": "w(-1, 1)"}[one]
        return [f"  call part({first}, 2, y)"]
    return [f"  if ({element(draw, one)} > 0.8d0) {element(draw, other)} = {value}"]


def program(seed: int) -> str:
    draw = Random(seed)
    names = draw.sample(sorted(SHAPES), draw.randint(2, 4))
    lines = ["subroutine f(x, y)", "  real(8), intent(inout) :: x(4), y", "  integer :: k",
             "  real(8) :: " + ", ".join(f"{name}({SHAPES[name]})" for name in names),
             "  equivalence (" + ", ".join(names) + ")", f"  {names[0]} = 0.5d0",
             *(f"  {element(draw, names[0])} = x({k})" for k in (1, 2, 3, 4)), "  y = 1"]
    for _ in range(draw.randint(2, 5)):
        index = draw.choice(("k", None))
        body = [line for _ in range(draw.randint(1, 3)) for line in statement(draw, names, index)]
        lines += body if index is None else ["  do k = 1, 2", *body, "  end do"]
    lines += [f"  y = y + {'*'.join(element(draw, name) for name in names)}", f"  x = x*{element(draw, names[-1])}",
              "end subroutine"]
    return "\n".join(lines) + PART


@pytest.mark.sample(4)
@pytest.mark.parametrize("first", range(0, 48, 6))
def test_any_program_on_one_memory(first: int) -> None:
    for seed in range(first, first + 6):
        (head,) = parse_heads("f(x)>(x, y)")
        done = compare(load_text(program(seed)), head, parse_strategies("lazy,eager,Opt1+=*,Opt2+=*"), Inputs())
        assert done.equal, seed


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", [0, 2, 3, 5])
def test_gfortran_agrees(seed: int, tmp_path: Path) -> None:
    proved_by_execution(program(seed), "f(x)>(x, y)", tmp_path)


def test_what_one_name_is_given_another_one_reads(tmp_path: Path) -> None:
    """As DLALN2 looks for its pivot: the matrix by its elements, then all of it as a vector."""
    text = """
subroutine f(a, x)
  real(8) :: a(4), x, c(2, 2), d(4), most
  integer :: at, j
  equivalence (c(1, 1), d(1))
  c(1, 1) = a(1) - 0.3d0
  c(2, 2) = a(4) - 0.3d0
  c(2, 1) = a(2)
  c(1, 2) = a(3)
  most = 0
  at = 0
  do j = 1, 4
    if (abs(d(j)) > most) then
      most = abs(d(j))
      at = j
    end if
  end do
  x = d(at)*d(5 - at)
end subroutine
"""
    proved_by_execution(text, "f(a)>(x)", tmp_path)
