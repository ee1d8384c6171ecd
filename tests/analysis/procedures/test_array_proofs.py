"""Array kills and iteration-private arrays, exactly, with the lines of the statements concerned (of the body, from 1).

``a 1-4: 1 3`` is an array kill of a that opens at line 1 and closes at line 4, with its writers at 1 and 3.
``t in 1: 2`` is an array t of which each iteration of the loop at line 1 owns its elements; the writes at 2 kill them.
"""

from __future__ import annotations

import pytest
from snapset.analysis.memory.array_sections import rank

from tests.support.modelled import model, parts

HEAD = """subroutine s(a, n, m, x, c, k, e, as, t, d, z, fix, lo)
implicit none
type cell
  real(8) :: u, v(3)
end type
integer :: n, m, i, j, k(10), l
real(8) :: a(n), x(n, m), c, e(3, 4), as(:), t(n), d(0:n), z(*), fix(5), lo(k(1):n)
real(8), allocatable :: al(:)
type(cell) :: o(4)
"""
KILLS = {
    "a(1) = 0; a(2:n) = 0": "a 1-2: 1 2",
    "a(2:n) = 0; c = 1; a(1) = c": "a 1-3: 1 3",
    "do i = 1, n; a(i) = 0; end do": "a 1-3: 2",
    "do i = n, 1, -1; a(i) = 0; end do": "a 1-3: 2",
    "do i = 2, n + 1; a(i - 1) = 0; end do": "a 1-3: 2",
    "do i = 0, n - 1; a(n - i) = 0; end do": "a 1-3: 2",
    "do i = 0, n; d(i) = 0; end do": "d 1-3: 2",
    "as(:) = 0; as(1) = 1": "as 1-1: 1",
    "fix(1:2) = 0; fix(5) = 0; fix(3:4) = 0": "fix 1-3: 1 2 3",
    "fix(1:3) = 0; fix(2:5) = 0": "fix 1-2: 1 2",
    "fix(4:9) = 0; fix(-1:3) = 0": "fix 1-2: 1 2",
    "do j = 1, 4; do i = 1, 3; e(i, j) = 0; end do; end do": "e 1-5: 3",
    "do j = 1, 4; do i = 1, 3; e(i, j) = 0; end do; end do; e(1, 1) = 2": "e 1-5: 3",
    "do i = 1, 3; e(i, :) = 0; end do": "e 1-3: 2",
    "e(:, 1:2) = 0; do j = 3, 4; e(:, j) = 1; end do": "e 1-4: 1 3",
    "if (c > 0) then; a(1) = 0; else; a(1) = 1; end if; a(2:n) = 0": "a 1-6: 2 4 6",
    "do j = 1, 3; fix = j; end do": "fix 2-2: 2",
    "do j = 1, 3; fix(1:2) = j; end do; fix(3:5) = 0": "fix 1-4: 2 4",
    "a(:) = 1; a(1) = 0; a(2:n) = 0": "a 1-1: 1; a 2-3: 2 3",
    "do i = 1, n; do; exit; end do; a(i) = 0; end do": "a 1-6: 5",
    "do i = 1, n; do j = 1, 2; if (c > 0) cycle; end do; a(i) = 0; end do": "a 1-6: 5",
    "do i = 1, n; if (c > 0) then; c = 1; end if; a(i) = 0; end do": "a 1-6: 5",
    "do i = 1, n; select case (m); case (1); c = 1; end select; a(i) = 0; end do": "a 1-7: 6",
    "do i = 1, n; block; c = 1; end block; a(i) = 0; end do": "a 1-6: 5",
    "do i = 1, n; read (*, *) c; a(i) = 0; end do": "a 1-4: 3",
    "do i = 1, n; call nowhere(c); t(i) = 0; end do": "t 1-4: 3",
    "b: if (c > 0) then; a(1) = 0; else; a(1) = 1; end if b; a(2:n) = 0": "a 1-6: 2 4 6",
    # Not all of it, or not certainly.
    "b: if (c > 0) then; a(1) = 0; if (c > 1) exit b; a(2) = 0; else; a(1) = 1; a(2) = 1; end if b; a(3:n) = 0": "",
    "b: if (c > 0) then; if (c > 1) exit b; a(1) = 0; else; a(1) = 1; end if b; a(2:n) = 0": "",
    "b: if (c > 0) then; do; exit b; end do; a(1) = 0; else; a(1) = 1; end if b; a(2:n) = 0": "",
    "a(2:n) = 0": "",
    "d(1:n) = 0": "",
    "d(0:n - 1) = 0": "",
    "as(2:) = 1": "",
    "fix(1:2) = 0; fix(4:5) = 0": "",
    "fix(1:4) = 0": "",
    "fix(1:5:2) = 0; fix(2:4:2) = 0": "",
    "do i = 1, 9, 2; fix(i) = 0; end do": "",
    "do i = 1, 5; fix(k(i)) = 0; end do": "",
    "do i = 1, m; a(i) = 0; end do": "",
    "do i = 1, n, m; a(i) = 0; end do": "",
    "do i = 1, n, m + 1; a(i) = 0; end do": "",
    "do i = 1, n; a(m) = 0; end do": "",
    "allocate (al(n)); do i = 1, n; a(i) = 0; end do": "a 2-4: 3",
    "lo(1:n) = 0": "",  # its lower bound may be less
    "do i = 1, n; a(1:i) = 0; end do": "",
    "do i = 1, n; a(2*i) = 0; end do": "",
    "do i = 1, n; x(i, i) = 0; end do": "",
    "do i = 1, 3; e(i, i + 1) = 0; end do": "",
    "do j = 1, 3; do i = 1, 3; e(i, j) = 0; end do; end do": "",
    "do j = 1, 4; do i = j, 3; e(i, j) = 0; end do; end do": "",
    "z(1:n) = 0": "",
    "do j = 1, m; fix = j; end do; fix(1) = 1": "fix 2-2: 2",
    "do j = 1, m; fix(1:2) = j; end do; fix(3:5) = 0": "",
    "if (c > 0) then; a(1) = 0; else; a(2) = 1; end if; a(3:n) = 0": "",
    "if (c > 0) then; a(1) = 0; end if; a(2:n) = 0": "",
    "do i = 1, n; if (c > 0) cycle; a(i) = 0; end do": "",
    "do i = 1, n; if (c > 0) exit; a(i) = 0; end do": "",
    "do i = 1, n; if (c > 0) return; a(i) = 0; end do": "",
    "do i = 1, n; if (c > 0) go to 9; a(i) = 0; end do; 9 continue": "",
    "do i = 1, n; go to (8, 9), m; 8 a(i) = 0; 9 c = 1; end do": "",
    "do i = 1, n; if (c - 1) 8, 9, 9; 8 a(i) = 0; 9 c = 1; end do": "",
    "o: do i = 1, n; do j = 1, 2; if (c > 0) cycle o; end do; a(i) = 0; end do o": "",
    "o: do i = 1, n; do j = 1, 2; if (c > 0) exit o; end do; a(i) = 0; end do o": "",
    "do i = 1, n; do while (c > 0); return; end do; a(i) = 0; end do": "",
    "do i = 1, n; select case (m); case (1); cycle; end select; a(i) = 0; end do": "",
    "do i = 1, n; if (m > 1) then; c = 1; else; cycle; end if; a(i) = 0; end do": "",
    "do i = 1, n; block; cycle; end block; a(i) = 0; end do": "",
    "do i = 1, n; read (*, *, end=9) c; a(i) = 0; 9 c = 1; end do": "",
    "do i = 1, n; call nowhere(c, *9); a(i) = 0; 9 c = 1; end do": "",
    "a(1) = 0; if (c > 0) go to 9; a(2) = 0; 9 a(3:n) = 0": "",
    "do while (c > 0); a(1:2) = 0; end do; a(3:n) = 0": "",
    "select case (m); case (1); a(1) = 0; case default; a(1) = 0; end select; a(2:n) = 0": "",
    "n = n - 1; do i = 1, n; a(i) = 0; end do": "",
    "o(1)%u = 0; o(2:4)%u = 0": "o%u 1-2: 1 2",
    "o(1:3)%u = 0": "",
    # Not understood, so not told: an open end, an element of a component of all elements.
    "d(0) = 0; d(1:) = 0": "",
    "d(:0) = 0; d(1:n) = 0": "",
    "as(1) = 0; as(2:) = 1": "",
    "o%v(1) = 0; o%v(2) = 0; o%v(3) = 0": "",
    # Constant bounds cut an array into regions, each with its own kills; e(3,4) is left.
    "e(1:2, :) = 0; e(3, 1:3) = 0": "e(3:,:3) 2-2: 2; e(:2,4:) 1-1: 1; e(:2,:3) 1-1: 1",
    "e(1, :) = 0; e(:, 2:4) = 0": "e(2:,2:) 2-2: 2; e(:1,2:) 1-1: 1; e(:1,2:) 2-2: 2; e(:1,:1) 1-1: 1",
}
PRIVATE = {
    "do i = 1, n; t(i) = c; a(i) = t(i); end do": "a in 1: 3; t in 1: 2",
    "do i = 1, n; t(i) = c; a(i) = t(n); end do": "a in 1: 3",
    "do i = 2, n; a(i) = a(i - 1); end do": "",
    "do i = 1, m; t(i + 1) = c; a(2*i) = t(i + 1); end do": "a in 1: 3; t in 1: 2",
    "do i = 1, m; t(k(i)) = c; end do": "k in 1:",
    "do i = 1, m; t(j) = c; end do": "",
    "do j = 1, m; x(:, j) = c; a(j) = x(1, j); end do": "a in 1: 3; x(2:,:) in 1: 2; x(:1,:) in 1: 2",
    "do j = 1, m; x(1, j) = c; a(j) = x(1, j); end do": "a in 1: 3; x(:1,:) in 1: 2",
    "do j = 1, m; x(1, j) = c; a(j) = x(2, j); end do": "a in 1: 3; x(2:2,:) in 1:; x(:1,:) in 1: 2",
    "do j = 1, m; x(:, j) = c; x(:, j) = x(:, j)*2; end do": "x in 1: 2 3",
    "do j = 1, m; x(j, :) = c; x(:, j) = 2; end do": "",
    "do j = 1, m; where (x(:, j) > 0) x(:, j) = c; end do": "x in 1:",
    "do j = 1, m; if (a(j) > 0) c = 1; a(j) = 2; end do": "a in 1: 3",
    "do j = 1, m; do i = 1, n; x(i, j) = c; end do; end do": "x in 1:; x in 2: 3",
    "do j = 1, m; do i = 1, n; x(i, 1) = c; end do; end do": "x(:,:1) in 2: 3",
    "do j = 1, m; do i = 1, nint(a(j)); c = 2; end do; a(j) = 1; end do": "a in 1: 5",
    "do i = 1, m; t(i) = c; write (*, *) t(i); end do": "",
    "do i = 1, m; read (*, *) t(i); end do": "",
    "do i = 1, m; t(i) = c; if (c > 1) return; end do": "",
    "do i = 1, m; t(i) = c; if (c > 1) exit; end do": "t in 1: 2",
    "do i = 1, m; t(i) = c; if (c > 1) cycle; a(i) = 1; end do": "a in 1: 4; t in 1: 2",
    "do i = 1, m; l = i; t(l) = c; end do": "",
    "do i = 1, m; t(i + l) = c; end do": "t in 1: 2",
    "do while (c > 0); t(i) = c; end do": "",
    "do i = 1, 4; o(i)%u = c; a(i) = o(i)%u; end do": "a in 1: 3; o%u in 1: 2",
    "do i = 1, 4; o(i)%v(2) = c; a(i) = o(i)%v(2); end do": "a in 1: 3; o%v in 1: 2",
    "do i = 1, 4; o(i)%v = c; a(i) = o(i)%v(2); end do": "a in 1: 3; o%v in 1: 2",
}


def lines(body: str) -> str:
    return body.replace("; ", "\n")


@pytest.mark.parametrize("body", KILLS)
def test_array_kills(body: str) -> None:
    found = model(f"{HEAD}{lines(body)}\nend subroutine s\n", "s")
    at = [node.span.line - HEAD.count("\n") for node in found.flow.nodes]
    said = [f"{parts(found, 1 << one.index)} {at[one.opens]}-{at[one.closes]}:"
            f" {' '.join(map(str, sorted({at[node] for node in one.writers})))}" for one in found.proofs.array_kills
            if rank(found.space.infos[one.index])]
    assert "; ".join(sorted(said)) == KILLS[body]


@pytest.mark.parametrize("body", PRIVATE)
def test_iteration_private_arrays(body: str) -> None:
    found = model(f"{HEAD}{lines(body)}\nend subroutine s\n", "s")
    at = [node.span.line - HEAD.count("\n") for node in found.flow.nodes]
    said = [f"{parts(found, 1 << one.index)} in {at[one.loop.init]}:"
            f" {' '.join(map(str, sorted(at[node] for node in one.killers)))}".strip()
            for one in found.proofs.iteration_private]
    assert "; ".join(sorted(said)) == PRIVATE[body]
