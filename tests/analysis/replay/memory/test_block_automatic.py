"""A BLOCK's automatic arrays have the size that their bounds give each time the block is entered."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

HEAD = """module parts
  implicit none
  type pair
    real(8) :: a, b = 0.5d0
  end type pair
contains
  pure integer function twice(n)
    integer, intent(in) :: n
    twice = 2*n
  end function twice
  subroutine callee(m, x, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    integer :: i, k
    k = m + 1
    block
      real(8) :: w(k)
      do i = 1, k
        w(i) = sin(x*i)*y
      end do
      y = y + product(w)
    end block
  end subroutine callee
end module parts
subroutine head(m, x, y)
  use parts
  implicit none
  integer, intent(in) :: m
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: n, i, k
  y = x
  n = 1
  {text}
end subroutine head
"""

USE = "do i = 1, size(w)\n w(i) = sin(x*i)*y\n end do\n y = y + product(w) + w(size(w))**2"
BLOCKS = {
    "sized by a variable set before": f"n = m + 2\nblock\nreal(8) :: w(n)\n{USE}\nend block",
    "whose bound changes inside": f"n = m + 2\nblock\nreal(8) :: w(n)\nn = 1\n{USE}\nw = 2*w\ny = y*w(3)\nend block",
    "in a loop, of another size each turn":
        f"do k = 1, 4\n n = mod(3*k, 5) + 1\n block\nreal(8) :: w(n)\n{USE}\nend block\n end do",
    "nested": f"n = m\nblock\ninteger :: n\nn = 4\nblock\nreal(8) :: w(n)\n{USE}\nend block\nn = 2\n"
              f"block\nreal(8) :: w(0:n)\nw = x\ndo i = 0, n\n w(i) = w(i)*y*(i + 1)\n end do\n"
              "y = y + w(0)*w(n)\nend block\nend block",
    "of two dimensions": "n = 3\nblock\nreal(8) :: w(n, 0:m)\nw = 0\ndo i = 1, n\n do k = 0, m\n"
                         " w(i, k) = sin(x*i + k*y)\n end do\n end do\ny = y*sum(w**2)\nend block",
    "sized by another": f"n = 3\nblock\nreal(8) :: v(n), w(2*n)\nn = 0\nv = y\n{USE}\ny = y*sum(v**2)\nend block",
    "sized by a function": f"n = 2\nblock\nreal(8) :: w(twice(n))\nn = 1\n{USE}\nend block",
    "in a callee": "call callee(m, x, y)\ncall callee(m + 2, x, y)",
    "in a part": f"n = 5\n!$AD CHECKPOINT-START\nn = n - 1\nblock\nreal(8) :: w(n)\n{USE}\nend block\n"
                 "!$AD CHECKPOINT-END\ny = y**2",
    "with a part inside": "do k = 1, 2\nn = m + k\nblock\nreal(8) :: w(n)\nw = x*y\n!$AD CHECKPOINT-START\n"
                          "do i = 1, n\n w(i) = sin(w(i))*y\n end do\n!$AD CHECKPOINT-END\ny = y + product(w)\n"
                          "end block\nend do",
    "passed on": "n = 4\nblock\nreal(8) :: w(n)\nw = x*y\ndo i = 2, n\ncall callee(i, w(i-1), w(i))\nend do\n"
                 "y = y*sum(w)\nend block",
    "of derived type": "do k = 2, 3\nn = k\nblock\ntype(pair) :: p(n)\ndo i = 1, n\n p(i)%a = sin(i*x)*y + p(i)%b\n"
                       " p(i)%b = p(i)%a**2\nend do\ny = y + p(n)%b*p(1)%a\nend block\nend do",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("text", BLOCKS.values(), ids=BLOCKS)
def test_automatic_arrays_of_a_block(text: str, tmp_path: Path) -> None:
    proved_by_execution(HEAD.format(text=text), "head(x)>(y)", tmp_path, {"m": 2, "x": 0.7})


# Statements in which w is a copy, and the same without one: gfortran 12 knows no LOCAL, and runs OpenMP as it stands.
LOCALS = {
    "LOCAL of DO CONCURRENT": (
        "do concurrent (i = 1:3) local(w)\n w = i*x\n w(2) = sin(w(1))*w(n)\n v(i) = sum(w)*y\nend do",
        "do i = 1, 3\n u = i*x\n u(2) = sin(u(1))*u(n)\n v(i) = sum(u)*y\nend do"),
    "LOCAL_INIT of DO CONCURRENT": (
        "do concurrent (i = 1:3) local_init(w)\n w = w*i + x\n v(i) = product(w)\nend do",
        "do i = 1, 3\n u = w\n u = u*i + x\n v(i) = product(u)\nend do"),
    "PRIVATE of a parallel loop": (
        "!$omp parallel do private(w)\ndo i = 1, 3\n w = i*x\n w(2) = sin(w(1))*w(n)\n v(i) = sum(w)*y\nend do",
        "do i = 1, 3\n u = i*x\n u(2) = sin(u(1))*u(n)\n v(i) = sum(u)*y\nend do"),
    "FIRSTPRIVATE of a parallel loop": (
        "!$omp parallel do firstprivate(w)\ndo i = 1, 3\n w(1) = i*x\n v(i) = sum(w)*w(1)\nend do",
        "u = w\ndo i = 1, 3\n u(1) = i*x\n v(i) = sum(u)*u(1)\nend do"),
}
COPIED = {
    "automatic": "n = m + 1\nblock\nreal(8) :: w(n), u(n), v(3)\nw = 0.4d0*x\nv = y\n{loop}"
                 "y = y + sum(v*v) + sum(w)\nend block",
    "automatic, from 0": "n = m\nblock\nreal(8) :: w(0:n), u(0:n), v(3)\nw = 0.4d0*x\nv = y\n{loop}"
                         "y = y + sum(v*v) + sum(w)\nend block",
    "of one size": "n = 3\nblock\nreal(8) :: w(3), u(3), v(3)\nw = 0.4d0*x\nv = y\n{loop}"
                   "y = y + sum(v*v) + sum(w)\nend block",
    "allocatable": "n = 3\nblock\nreal(8), allocatable :: w(:), u(:)\nreal(8) :: v(3)\nallocate (w(n), u(n))\n"
                   "w = 0.4d0*x\nv = y\n{loop}y = y + sum(v*v) + sum(w)\nend block",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("array", COPIED.values(), ids=COPIED)
@pytest.mark.parametrize(("loop", "same"), LOCALS.values(), ids=LOCALS)
def test_an_array_of_a_block_is_an_iteration_s_own(loop: str, same: str, array: str, tmp_path: Path) -> None:
    proved_by_execution(HEAD.format(text=array.format(loop=f"{same}\n")), "head(x)>(y)", tmp_path, {"m": 2, "x": 0.7})
    inputs, (head,) = Inputs({"m": 2, "x": 0.7}), parse_heads("head(x)>(y)")
    found = []
    for marked in (f"{loop}\n", f"!$AD CHECKPOINT-START\n{loop}\n!$AD CHECKPOINT-END\n", f"{same}\n"):
        program = load_text(HEAD.format(text=array.format(loop=marked)))
        one = compare(program, head, parse_strategies("lazy,eager"), inputs)
        assert all(run.equal for run in one.runs)
        found.append((one.reference.values["y"].elements, one.reference.gradient["x"].elements))
    assert found[0] == found[1]
    for ours, theirs in zip(found[0], found[2], strict=True):
        assert ours == pytest.approx(theirs, rel=1e-12)
