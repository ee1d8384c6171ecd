"""Derived types by component: what a snapshot holds of them, elements of arrays of them included; by execution."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.results import Solution
from snapset.frontend.load import load_text
from snapset.render.layout.byte_figures import Figures

TEXT = """module m
  type flux
    real(8) :: up, down
  end type flux
  type cell
    real(8) :: a, b, layer(3), work
    type(flux) :: f
  end type cell
contains
  subroutine one(c)
    type(cell), intent(inout) :: c
    c%work = c%a*c%a
    c%b = c%b*c%b*c%work
  end subroutine one
  subroutine layers(c)
    type(cell), intent(inout) :: c
    c%layer = c%layer*c%layer*c%a
  end subroutine layers
  subroutine deep(g)
    type(flux), intent(inout) :: g
    g%up = g%up*g%up*g%down
  end subroutine deep
  subroutine plain(v)
    real(8), intent(inout) :: v(3)
    v = v*v
  end subroutine plain
  subroutine several(c, m)
    type(cell), intent(inout) :: c(:)
    integer, intent(in) :: m
    integer :: j
    do j = 1, m
      c(j)%b = c(j)%b*c(j)%b
    end do
  end subroutine several
  subroutine next(c)
    type(cell), intent(inout) :: c(2)
    c(2)%b = c(2)%b*c(2)%b
  end subroutine next
  subroutine two(c, d)
    type(cell), intent(inout) :: c, d
    c%b = c%b*d%b
    d%b = c%b*d%b
  end subroutine two
end module m
subroutine p(x, n, y)
  use m
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(cell) :: s, cells(5)
  real(8) :: w(3, 5)
  integer :: i, k
  s%a = x
  s%b = x
  s%layer = x
  s%f%up = x
  s%f%down = x
  do i = 1, 5
    cells(i) = s
    cells(i)%b = x*i
  end do
  w = x
  k = 2
{body}
  y = y*s%a + sum(cells%b**2) + s%b + cells(2)%layer(1)*s%layer(2) + cells(2)%f%up*s%f%up + w(2, 3)
end subroutine p
"""
CALL = "  do i = 1, n\n    call {}\n  end do\n  y = 1"
LOOP = "  y = 1\n  do k = 1, n\n  !$AD CHECKPOINT-START\n  do i = 1, 5\n{}\n  end do\n  !$AD CHECKPOINT-END\n  end do"


def saved(body: str) -> dict[str, str]:
    """What lazy saves at the one part and its bytes, after running it under all strategies."""
    program, (head,) = load_text(TEXT.replace("{body}", body)), parse_heads("p(x)>(y)")
    runs = compare(program, head, parse_strategies("all,Opt3+=*"), Inputs({"n": 3})).runs
    for run in runs:
        assert run.equal, (run.strategy, run.differences, run.error)
        assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
    (part,) = analyse(program, head, parse_strategies("lazy")).parts
    lazy = part.solutions["lazy"]
    return sizes(lazy)


def sizes(lazy: Solution) -> dict[str, str]:
    return {lazy.sections.get(name, name): Figures({}).text(size) for name, size in lazy.sizes.items()}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("call", "expected"), [
    ("one(s)", {"s%b": "8"}),                                    # a is only read, work written before it is read
    ("one(cells(k))", {"cells(k)%b": "8"}),
    ("one(cells(i + 1))", {"cells(i+1)%b": "8"}),
    ("layers(s)", {"s%layer": "24"}),
    ("layers(cells(k))", {"cells(k)%layer": "24"}),
    ("deep(s%f)", {"s%f%up": "8"}),
    ("deep(cells(k)%f)", {"cells(k)%f%up": "8"}),
    ("plain(cells(k)%layer)", {"cells(k)%layer": "24"}),
    ("several(cells(2:3), 2)", {"cells(2:3)%b": "16"}),
    ("several(cells, 5)", {"cells%b": "40"}),
    ("two(cells(k), cells(4))", {"cells(k)%b, cells(4)%b": "16"}),
    ("two(cells(k), s)", {"cells(k)%b": "8", "s%b": "8"}),
])
def test_a_call_saves_the_components_it_loses(call: str, expected: dict[str, str]) -> None:
    assert saved(CALL.format(call)) == expected


def test_an_element_that_stands_for_what_follows_it() -> None:
    """The dummy argument's second element is cells(4). The machine does not run that."""
    program, heads = load_text(TEXT.replace("{body}", CALL.format("next(cells(3))"))), parse_heads("p(x)>(y)")
    (part,) = analyse(program, heads[0], parse_strategies("lazy")).parts
    assert sizes(part.solutions["lazy"]) == {"cells(4)%b": "8"}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("body", "expected"), [
    # Each iteration writes all it has of layer and w before it reads it.
    ("cells(i)%layer = cells(i)%a*cells(i)%a\n y = y*cells(i)%layer(2)*sin(cells(i)%layer(1))", {"y": "8"}),
    ("w(:, i) = cells(i)%a\n y = y*w(1, i)*w(2, i)", {"y": "8"}),
    ("w(:, i) = cells(i)%a\n w(2, i) = w(1, i)*w(3, i)\n y = y*w(2, i)", {"y": "8"}),
    # Not so where it reads first, writes a part, under a mask, or only sometimes.
    ("y = y*w(1, i)\n w(:, i) = cells(i)%a*y", {"w(1, :)": "40", "y": "8"}),
    ("w(1:2, i) = cells(i)%a*y\n y = y*w(3, i)*w(1, 6 - i)", {"w(1, :)": "40", "y": "8"}),
    ("where (w(:, i) > 1) w(:, i) = cells(i)%a*y\n y = y*w(1, i)*w(2, i)", {"w": "120", "y": "8"}),
    ("if (y > 2) w(:, i) = cells(i)%a*y\n y = y*w(1, i)*w(2, i)", {"w(1, :), w(2, :)": "80", "y": "8"}),
    ("w(:, i) = cells(i)%a*y\n y = y*w(1, i)*w(1, 6 - i)", {"w(1, :)": "40", "y": "8"}),
    # What it does not write it does not lose: rows of w are locations of their own.
    ("w(1:2, i) = cells(i)%a*y\n y = y*w(3, i)*w(1, i)", {"y": "8"}),
    ("w(1, i) = cells(i)%a*y\n y = y*w(1, i)*w(2, i)", {"y": "8"}),
    ("w(1, 6 - i) = cells(i)%a*y\n y = y*w(1, i)*w(2, i)", {"w(1, :)": "40", "y": "8"}),
])
def test_an_iteration_that_writes_all_it_has(body: str, expected: dict[str, str]) -> None:
    assert saved(LOOP.format(body)) == expected
