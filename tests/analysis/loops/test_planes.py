"""Which planes of an array restart a step: by analysis alone, for many ways to tell them apart.

The loops of ``tests/analysis/replay/timeloop/test_rotating_planes.py`` are executed; these say where the line is.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.loops.loop_analysis import loop_sets

from tests.support.time_loops import loop_of, written

STEP = """subroutine touch(f, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: f(n)
  f(2) = f(2) + 1
end subroutine touch
subroutine p(u, n, nt, cost)
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8){attributes} :: f({dims})
  integer :: it, i, j, new, old, t
  f = 0.0d0
  {before}
  do it = 1, nt
    {indices}
    {first}
    do i = 1, n
      u(i) = u(i) - 0.01d0*f({old})
    end do
    {write}
    do i = 1, n
      u(i) = u(i) + 0.03d0*f({new})
    end do
    {end}
  end do
  cost = sum(u*u)
end subroutine p
"""
ALL = "do i = 1, n; f(i, new) = sin(u(i)); end do"
TWO = "new = mod(it, 2); old = mod(it + 1, 2)"
KEPT = "f(:, 0:mod(it, 2)-1), f(:, mod(it, 2)+1:1)"


def shown(tmp_path: Path, *, indices: str = TWO, before: str = "", first: str = "", write: str = ALL, end: str = "",
          dims: str = "n, 0:1", attributes: str = "", new: str = "i, new", old: str = "i, old") -> str:
    text = STEP.format(indices=indices, before=before, first=first, write=write, end=end, dims=dims,
                       attributes=attributes, new=new, old=old)
    line = next(at for at, one in enumerate(text.splitlines(), 1) if "do it = " in one)
    sets = loop_sets(loop_of([written(tmp_path, text)], "p(u)>(cost)", line))
    return "; ".join(held.shown for held in sets.restart if held.shown.startswith("f"))


@pytest.mark.parametrize(("given", "expected"), [
    ({}, KEPT),
    ({"write": "f(:, new) = sin(u)"}, KEPT),
    ({"attributes": ", target"}, KEPT),  # nothing points there
    ({"write": "do i = n, 1, -1; f(i, new) = sin(u(i)); end do"}, KEPT),
    ({"indices": "new = modulo(it, 2); old = modulo(it + 1, 2)"}, KEPT.replace("mod", "modulo")),
    ({"indices": "new = mod(it, 2); old = mod(it + 3, 2)"}, KEPT),
    ({"indices": "t = it; new = mod(t, 2); old = mod(t - 1, 2)"}, KEPT),
    ({"indices": "new = mod(it, 2) + 1; old = mod(it + 1, 2) + 1", "dims": "n, 2"},
     "f(:, 1:mod(it, 2)+1-1), f(:, mod(it, 2)+1+1:2)"),
    ({"indices": "new = 1 + mod(it, 2); old = 1 + mod(it + 1, 2)", "dims": "n, 2"},
     "f(:, 1:1+mod(it, 2)-1), f(:, 1+mod(it, 2)+1:2)"),
    ({"dims": "0:1, n", "write": "do i = 1, n; f(new, i) = sin(u(i)); end do", "new": "new, i", "old": "old, i"},
     "f(0:mod(it, 2)-1, :), f(mod(it, 2)+1:1, :)"),
    ({"before": "new = 0; old = 1", "indices": "t = old; old = new; new = t"}, "f(:, 0:old-1), f(:, old+1:1)"),
    ({"before": "new = 0", "indices": "old = new; new = 1 - old"}, "f(:, 0:1-new-1), f(:, 1-new+1:1)"),
    ({"write": "do i = 2, n; f(i, new) = sin(u(i)); end do"}, KEPT.replace(":,", "2:n,")),  # the loop has no f(1, :)
    ({"indices": "new = mod(it, 8); old = mod(it + 7, 8)", "dims": "n, 0:7"},
     "f(:, 0:mod(it, 8)-1), f(:, mod(it, 8)+1:7)"),
])
def test_a_plane_that_is_written_first_restarts_nothing(given: dict[str, str], expected: str, tmp_path: Path) -> None:
    assert shown(tmp_path, **given) == expected


@pytest.mark.parametrize("given", [
    {"indices": "new = mod(it, 9); old = mod(it + 8, 9)", "dims": "n, 0:8"},  # of more than eight none is told
    {"indices": "new = mod(it, 2); old = mod(it + 2, 2)"},  # the same
    {"indices": "new = mod(it, 2); old = modulo(it + 1, 2)"},
    {"indices": "new = mod(it, n); old = mod(it + 1, n)"},
    {"indices": "new = mod(it, 2) + 1; old = mod(it + 1, 2) + t", "before": "t = 1", "dims": "n, 2"},
    {"indices": "new = mod(it*it, 2); old = mod(it + 1, 2)"},
    {"indices": "new = mod(it, 2); old = mod(it + 1, 2); if (u(1) > 9) new = old"},
    {"before": "new = 0; old = 0", "indices": "t = old; old = new; new = t"},
    {"before": "new = 0; old = 1", "indices": "t = old; old = new; if (u(1) > 9) new = t"},
    {"before": "new = 0; old = 1; old = 0", "indices": "t = old; old = new; new = t"},
    {"before": "new = 0; old = 1", "indices": "t = old; old = new; new = t", "end": "if (u(1) > 9) old = 0"},
    {"first": "u(1) = f(2, new)"},
    {"first": "u(1) = sum(f(1, :))"},
    {"first": "u(1) = sum(f(1, 0:1))"},
    {"first": "u(1) = f(2, mod(int(u(2)), 2))"},
    {"first": "if (f(1, new) > 9) u(1) = 0"},
    {"first": "if (u(1) > 9) exit"},
    {"first": "call touch(f(1, old), n)"},
    {"write": "do i = 1, n, 2; f(i, new) = sin(u(i)); end do"},
    {"write": "if (u(1) > 0) f(:, new) = u"},
    {"write": "where (u > 0) f(:, new) = u"},
    {"write": "do i = 1, n; f(i, new) = f(i, new) + sin(u(i)); end do"},
    {"write": "forall (i = 1:n) f(i, new) = sin(u(i))"},
])
def test_what_may_be_read_restarts_the_step_whole(given: dict[str, str], tmp_path: Path) -> None:
    assert shown(tmp_path, **given) == "f"
