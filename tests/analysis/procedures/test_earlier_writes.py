"""Reads of what the procedure has written itself, exactly, with the lines of the statements (of the body, from 1).

``c 3 since 1`` says that all that line 3 reads of c has been written since line 1.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset

from tests.support.modelled import model, parts

HEAD = """subroutine s(n, m, x, b, as)
implicit none
integer :: n, m, i, j, k, l, at(9)
real(8) :: x, b(n), as(:), c(200), d(0:200), g(50, 50), z
real(8), allocatable :: al(:)
real(8), target :: tg(9)
real(8), pointer :: pt(:)
logical :: deep
"""
READS = {
    # Distances, upward and downward.
    "c(1) = x; do k = 2, n; c(k) = c(k - 1)*x; end do": "c 3 since 1",
    "c(1:2) = x; do k = 3, n; c(k) = c(k - 2) + c(k - 1); end do": "c 3 since 1",
    "c(2) = x; c(1) = x; do k = 3, n; c(k) = c(k - 2); end do": "c 4 since 1",
    "c(n) = x; do k = n - 1, 1, -1; c(k) = c(k + 1); end do": "c 3 since 1",
    "c(n:n + 1) = x; do k = n - 1, 1, -1; c(k) = c(k + 2); end do": "c 3 since 1",
    "c(1) = x; do k = 1, n - 1; c(k + 1) = c(k)*x; end do": "c 3 since 1",
    "c(1) = x; do k = 2, n; c(k) = x; z = c(k); end do": "c 4 since 3",
    "c(1) = x; do k = 2, n; c(k) = c(k - 1); end do; do k = 1, n; z = c(k); end do": "c 3 since 1; c 6 since 1",
    "c(1) = x; do k = 2, n; c(k) = c(k - 1); end do; z = c(n)": "c 3 since 1; c 5 since 1",
    "c(1) = x; do k = 2, n; c(k) = x; end do; z = sum(c(1:n))": "c 5 since 1",
    "c(1) = x; do k = 2, n; c(k) = sum(c(1:k - 1)); end do": "c 3 since 1",
    "do k = 1, n; c(k) = x; z = sum(c(1:k)); end do": "c 3 since 1",
    "do j = 1, m; c(j) = x; do k = j + 1, n; c(k) = c(k - 1); end do; end do": "c 4 since 2",
    "c(1) = x; do k = 2, n; if (c(k - 1) > x) z = x; c(k) = x; end do": "c 3 since 1",
    "c(1) = x; do k = 2, n; if (k > 3) c(k) = c(k - 1); c(k) = x; end do": "c 3 since 1",
    "do i = 1, m; c(1) = x; do k = 2, n; c(k) = c(k - 1); end do; end do": "c 4 since 2",
    "l = n - 1; c(1) = x; do k = 2, l; c(k) = c(k - 1); end do; z = c(l)": "c 4 since 2; c 6 since 2",
    "do k = l, n; z = sum(c(l:k - 1)); c(k) = x; end do": "c 2 since 1",
    "c(1) = x; c(2) = x; z = c(1) + c(2)": "c 3 since 1",
    "c(1) = x; c(2) = x; z = c(2) + c(1)": "c 3 since 1",
    "if (x > 0) then; c(1) = x; else; c(1) = 2; end if; z = c(1)": "c 6 since 1",
    "b(1:n) = x; z = sum(b)": "b 2 since 1",
    "do k = 1, ubound(as, 1); as(k) = x; end do; z = sum(as)": "as 4 since 1",
    "as(1) = x; do k = 2, size(as); as(k) = as(k - 1); end do; z = sum(as)": "as 3 since 1; as 5 since 1",
    # Two dimensions.
    "do j = 1, m; g(1, j) = x; do k = 2, n; g(k, j) = g(k - 1, j); end do; end do": "g 4 since 2",
    "g(:, 1) = x; do k = 2, n; g(:, k) = g(:, k - 1); end do": "g 3 since 1",
    "do i = 1, m; g(i, 1) = x; end do; do k = 2, n; do i = 1, m; g(i, k) = g(i, k - 1); end do; end do": "g 6 since 1",
    "g(1, :) = x; g(:, 1) = x; do k = 2, n; do i = 2, m; g(i, k) = g(i, k - 1) + g(i - 1, k); end do; end do":
        "g 5 since 1",
    # By calls, of sections.
    "call put(n, c(1:n)); z = sum(c(1:n))": "c 2 since 1",
    "call put(n, c(3:n + 2)); do k = 1, n; z = c(k + 2); end do": "c 3 since 1",
    "call from0(n, c(l:l + n)); z = sum(c(l:l + n))": "c 2 since 1",
    "do j = 1, m; call put(n, g(j, 1:n)); end do; z = sum(g(1:m, 1:n))": "g 4 since 1",
    "call grid(n, m, g(2:n + 1, 1:m)); z = sum(g(2:n + 1, 1:m))": "g 2 since 1",
    "call grid(m, n, g(2:n + 1, 1:m)); z = sum(g(2:n + 1, 1:m))": "",
    "call put(n, c(1:n + 1)); z = sum(c(1:n))": "",
    "call put(n, c(2:n)); z = sum(c(2:n))": "",
    "call put(n, c(2:2*n:2)); z = sum(c(2:2*n))": "",
    "call put(n, g(1:n, at)); z = sum(g(1:n, at(1)))": "",
    "call first(n, c(1:n)); z = sum(c(1:n))": "",
    # A name in the limits has changed.
    "c(l) = x; do k = 1, n; z = c(l); l = l + 1; end do": "",
    "c(l) = x; do while (x > 0); z = c(l); l = l + 1; end do": "",
    "c(l) = x; do while (c(l) > 0); l = l + 1; end do": "",
    "do k = 1, l; l = 2; c(1:l) = x; z = c(k); end do": "",
    "do k = l, n; z = sum(c(l:k - 1)); c(k) = x; l = l - 1; end do": "",
    "do k = l, n; c(k) = x; end do; l = l - 1; z = sum(c(l:n))": "",
    "do k = 1, 3; c(k + l) = x; end do; l = 2; z = c(3 + l)": "",
    "k = 3; c(k) = x; do k = 1, n; z = c(k); end do": "",
    "n = n - 1; b(1:n) = x; z = sum(b)": "",
    "pt(1) = x; pt => tg; z = pt(1)": "",
    # Not all of it, or not certainly.
    "c(1) = x; z = c(1) + c(2)": "",
    "al(1) = x; do k = 2, n; al(k) = al(k - 2); end do": "",
    "where (b > 0) c(1:n) = x; z = sum(c(1:n))": "",
    "tg(1) = x; z = tg(1) + pt(2); pt => tg": "",
    "c(1:3) = x; do k = 1, 3; k = k + 1; z = c(k); end do": "",
    "if (x > 1) then; if (x > 0) go to 10; c(1) = x; 10 continue; else; c(1) = 2; end if; z = c(1)": "",
    "do k = n, 2, -2; c(k) = x; end do; z = sum(c(2:n))": "",
    "do k = 2, n; k = k + 1; c(k) = x; end do; z = sum(c(2:n))": "",
    "if (x > 0) go to 10; do k = 2, n; 10 continue; c(k) = x; end do; z = sum(c(2:n))": "",
    "if (x > 0) then; c(1) = x; else; c(2) = x; end if; z = c(1)": "",
    "c(1) = x; do k = 2, n, 2; c(k) = x; end do; z = sum(c(1:n))": "",
    "do k = 1, n; c(1) = x; end do; z = c(1)": "",
    "g(l, m:m + 1) = x; g(l + 1, m + 1) = x; z = sum(g(l:l + 1, m))": "",
    "do k = 2, n; c(k) = c(k - 1); end do": "",
    "c(1) = x; do k = 3, n; c(k) = c(k - 1); end do": "",
    "d(1) = x; do k = 2, n; d(k) = d(k - 2); end do": "",
    "c(1) = x; do k = 2, n; c(k) = c(k + 1); end do": "",
    "c(n) = x; do k = n - 1, 1, -1; c(k) = c(k - 1); end do": "",
    "c(2) = x; do k = 2, n; c(k) = c(k - 1); end do": "",
    "c(1) = x; do k = 2, n, 2; c(k) = c(k - 1); end do": "",
    "c(1) = x; do k = 2, n; if (x > 0) c(k) = c(k - 1); end do": "",
    "c(1) = x; do k = 2, n; if (x > 0) cycle; c(k) = c(k - 1); end do": "",
    "if (x > 0) c(1) = x; do k = 2, n; c(k) = c(k - 1); end do": "",
    "c(l) = x; l = l + 1; z = c(l)": "",
    "c(1) = x; do k = 2, n; c(k) = x; n = n - 1; end do; z = sum(c(2:n))": "",
    "c(1) = x; do k = 2, n; c(k) = x; end do; n = n + 1; z = c(n)": "",
    "c(1) = x; do k = l, n; l = 1; c(k) = c(k - 1); end do": "",
    "k = 5; c(1) = x; do k = k, n; c(k) = c(k - 1); end do": "",
    "c(1) = x; do k = 2, n; c(at(k)) = c(k - 1); end do": "",
    "c(1) = x; do k = 2, n; c(k) = c(at(k)); end do": "",
    "c(1) = x; do concurrent (k = 2:n); c(k) = c(k - 1); end do": "",
    "c(1) = x; 9 do k = 2, n; c(k) = c(k - 1); end do; if (x > 0) go to 9": "",
    "d(1) = x; do k = 2, n; d(k) = x; end do; z = d(n)": "",  # n may be 0, and d(0) is there
    "do k = 1, n; c(k) = x; end do; z = c(m)": "",
    "do while (x > 0); z = c(1); c(1) = x; end do": "",
    "g(:, 1) = x; do k = 2, n; g(1:m, k) = g(1:m, k - 1); g(:, k) = g(:, k); end do": "g 3 since 1",
    "c(1:3) = x; where (b > 0) b = c(1:n)": "",
    "deep = .true.; far: if (deep) then; if (x > 0) exit far; c(1) = x; else; c(1) = x; end if far; z = c(1)": "",
}


CALLED = """subroutine put(m, a)
integer :: m
real(8) :: a(m)
a = 1
end subroutine put
subroutine from0(m, a)
integer :: m
real(8) :: a(0:m)
a = 1
end subroutine from0
subroutine grid(m, k, a)
integer :: m, k
real(8) :: a(m, k)
a = 1
end subroutine grid
subroutine first(m, a)
integer :: m
real(8) :: a(m)
a(1) = 1
end subroutine first
"""


def lines(body: str) -> str:
    return body.replace("; ", "\n")


@pytest.mark.parametrize("body", READS)
def test_reads_of_what_has_been_written(body: str) -> None:
    found = model(f"{HEAD}{lines(body)}\nend subroutine s\n{CALLED}", "s")
    at = [node.span.line - HEAD.count("\n") for node in found.flow.nodes]
    said = sorted({f"{parts(found, 1 << one.index)} {at[node]} since {at[one.opens]}"
                   for one in found.proofs.earlier_writes for node in one.readers})
    assert "; ".join(said) == READS[body]


OF_ITERATIONS = {
    "c(1:n) = x; do k = 1, n; z = c(k); c(k) = x; end do": "c 2 since 1",
    "c(1:n) = x; do k = 1, n; z = c(k); if (c(k) > x) c(k) = x; end do": "c 2 since 1",
    "c(2:n) = x; do k = 1, n; z = c(k); c(k) = x; end do": "",
    "g(l, 1:n) = x; do k = 1, n; z = g(l, k); z = g(m, k); g(m, k) = x; end do": "",
    "g(l, 1:n) = x; g(m, 1:n) = x; do k = 1, n; z = g(m, k); z = g(l, k); g(m, k) = x; end do": "g 3 since 1",
    "g(l, 1:n) = x; g(m, 1:n) = x; do k = 1, n; z = g(l, k); z = g(m, k); g(m, k) = x; end do": "g 3 since 1",
}


@pytest.mark.parametrize("body", OF_ITERATIONS)
def test_what_iterations_read_of_before(body: str) -> None:
    """``c 2 since 1``: all that the loop at line 2 reads of what others have written, they have since line 1."""
    found = model(f"{HEAD}{lines(body)}\nend subroutine s\n", "s")
    at = [node.span.line - HEAD.count("\n") for node in found.flow.nodes]
    said = [f"{parts(found, 1 << one.index)} {at[one.loop.init]} since {at[one.opens]}"
            for one in found.proofs.iteration_private if one.opens is not None]
    assert "; ".join(said) == OF_ITERATIONS[body]


SOLVER = """subroutine s(n, nt, u, y)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n), y
  real(8) :: cp(20), dp(20), w(20), m
  integer :: it, k
  cp = 0.1d0; dp = 0.2d0; w = 0.3d0*u(1)
  do it = 1, nt
!$AD CHECKPOINT-START
    {start}
    do k = 2, n
      m = 2d0 + 0.1d0*u(k)**2 - 0.3d0*cp(k - 1)
      cp(k) = 0.2d0/m
      dp(k) = (u(k) - 0.3d0*dp(k - 1))/m
    end do
    w(n) = dp(n)
    do k = n - 1, {last}, -1
      w(k) = dp(k) - cp(k)*w(k + 1)
    end do
    u(1:n) = w(1:n)*(1d0 + 0.1d0*w(1:n))
!$AD CHECKPOINT-END
    cp = 0.9d0*cp + 0.1d0; dp = 0.9d0*dp + 0.1d0; w = 0.9d0*w + 0.1d0
  end do
  y = sum(u*u) + sum(cp) + sum(dp) + sum(w)
end subroutine s
"""
COVERED = "cp(1) = 0.2d0/(2d0 + u(1)**2); dp(1) = u(1)/(2d0 + u(1)**2)"
CASES = [(COVERED, "1", set()), ("dp(1) = u(1)", "1", {"cp"}), (COVERED, "2", {"w"}), ("", "1", {"cp", "dp"}),
         (f"if (u(1) > 9) then; {COVERED}; end if".replace("; ", "\n"), "1", {"cp", "dp"})]


@pytest.mark.parametrize(("start", "last", "saved"), CASES)
def test_work_arrays_of_a_solver_are_saved_where_they_hand_something_on(start: str, last: str, saved: set[str],
                                                                        tmp_path: Path) -> None:
    """What the sets say, and that the adjoint is right, all else being poisoned; each work array saved is needed."""
    path = tmp_path/"s.f90"
    path.write_text(SOLVER.format(start=start, last=last))
    part, = snapset.report([str(path)], "s(u)>(y)").parts
    assert set(part.solutions["lazy"].snp) - {"u"} == saved
    run = snapset.replay([str(path)], "s(u)>(y)", values={"n": 4, "nt": 3}, necessity=True)
    assert all(one.equal for one in run.runs)
    lazy = next(one for one in run.runs if one.name == "lazy")
    assert lazy.necessity is not None
    assert {one.saved.location for one in lazy.necessity.lost if one.superfluous is None} >= saved
