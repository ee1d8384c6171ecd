"""The extra bits of arrays: what an access and a write mean for them, against the definition, one bit at a time."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.dataflow.bitsets import May, members
from snapset.analysis.procedures.array_lives import ArrayLives

from tests.support.modelled import model

PRIVATE = """\
subroutine p(n, m, u, v, w, x)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: u(n, m), v(n, m), w(n), x(n, m)
  integer :: i, j
  do j = 1, m
    do i = 1, n
      u(i, j) = x(i, j)*x(i, j)
      v(i, j) = sin(u(i, j))
      w(i) = v(i, j)*u(i, j)
      x(i, j) = w(i)*x(i, j)
    end do
  end do
  w(1) = 0
  do i = 2, n
    w(i) = x(i, 1)*x(i, 2)
  end do
  x(:, 1) = w
end subroutine
"""


def lives() -> tuple[ArrayLives, int, int]:
    """Those of a program with array kills and private arrays of several loops; its numbers of nodes and locations."""
    found = model(PRIVATE, "p")
    assert found.proofs.array_kills
    assert len({one.loop.index for one in found.proofs.iteration_private}) >= 2
    return found.lives(), len(found.flow.nodes), len(found.space)


def sets(random: Random, known: ArrayLives, size: int) -> tuple[May, May]:
    """A set with extra bits, and a plain one."""
    return May(random.getrandbits(size) | random.getrandbits(80) & known.mask), May(random.getrandbits(size))


@pytest.mark.parametrize("seed", range(3))
def test_what_a_write_touches_is_what_it_overwrites_of_what_it_may_touch(seed: int) -> None:
    random, (known, nodes, size) = Random(seed), lives()
    some = 0
    for node in range(nodes):
        for _ in range(40):
            bits, arrays = sets(random, known, size)
            bits = May(bits & known.mask) if random.random() < 0.5 else bits
            touched = known.touched(node, arrays, bits)
            assert touched == arrays & known.touchable(node, bits)
            some += touched != arrays & bits
    assert some


def test_an_access_concerns_the_current_life_of_each_private_array() -> None:
    random, (known, nodes, size) = Random(1), lives()
    private = model(PRIVATE, "p").proofs.iteration_private
    inside = 0
    for node in range(nodes):
        around = {one.index for one in private if node in one.loop.body}
        inside += bool(around)
        for _ in range(20):
            _, plain = sets(random, known, size)
            own = known.own(node, plain)
            assert known.fold(own) == plain
            assert own & ~known.mask == plain & ~sum(1 << index for index in around)
            for index in around & set(members(plain)):
                current = [bit for bit in members(own & known.mask) if known.bases[1 << bit] == 1 << index]
                assert len(current) == 1
                assert not known.others(node) >> current[0] & 1
    assert inside
