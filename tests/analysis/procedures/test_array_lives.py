"""The extra bits of arrays: what an access and a write mean, against the definition, one bit at a time; and by hand.

By hand (``LIVES``), locations: u is bit 0, v bit 1, w bit 2 (so proofs begin at bit 3).

An array kill of u (statements 10 to 13) has its shadow in bit 3. A loop with init 20, test 21, step 22, end 29 and body
23, 24, 30 to 39 has v as private array: bit 4 is the iteration's own life, bit 5 that of the others. Within it another
loop (init 30, test 31, step 32, body 33 and 35, end 39) has v and w: bits 6 and 7 are v's, 8 and 9 w's.
"""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.dataflow.bitsets import May, members
from snapset.analysis.procedures.array_lives import ArrayKill, ArrayLives, ArrayProofs, IterationPrivate
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.cfg.graph import Loop

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


INNER = frozenset({31, 32, 33, 35})
OUTER = frozenset({21, 22, 23, 24, 30, 34, 39}) | INNER


def bits(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def loop(index: int, init: int, body: frozenset[int]) -> Loop:
    here = Span("t.f90", 1, 1)
    stmt = ir.While(span=here, cond=None, body=(), end=here)
    return Loop(index, stmt, init, init + 1, init + 2, init + 9, True, body, (), ())


PROOFS = ArrayProofs(
    (ArrayKill(0, 10, 13, frozenset({11, 13})),),
    (IterationPrivate(1, loop(0, 20, OUTER), frozenset({23, 99})),
     IterationPrivate(1, loop(1, 30, INNER), frozenset({35})),
     IterationPrivate(2, loop(1, 30, INNER), frozenset({33, 35}))), 3)
LIVES = ArrayLives(PROOFS)
U, V, W, SHADOW, V1, V1_OTHERS, V2, V2_OTHERS, W2, W2_OTHERS = (1 << number for number in range(10))


def test_every_extra_bit_is_its_arrays() -> None:
    assert LIVES.mask == bits(3, 4, 5, 6, 7, 8, 9)
    assert LIVES.bases == {SHADOW: U, V1: V, V1_OTHERS: V, V2: V, V2_OTHERS: V, W2: W, W2_OTHERS: W}


@pytest.mark.parametrize(("given", "plain"), [
    (U, U), (SHADOW, U), (V1, V), (V1_OTHERS | V2, V), (W2_OTHERS | V1, V | W), (SHADOW | U | W, U | W), (0, 0),
    (bits(3, 4, 5, 6, 7, 8, 9), U | V | W), (bits(20) | V1, bits(20) | V)])
def test_fold(given: int, plain: int) -> None:
    assert LIVES.fold(given) == plain


@pytest.mark.parametrize(("plain", "spread"), [
    (U, U | SHADOW), (V, V | bits(4, 5, 6, 7)), (W, W | bits(8, 9)), (bits(20), bits(20)),
    (U | W, bits(0, 2, 3, 8, 9))])
def test_spread(plain: int, spread: int) -> None:
    assert LIVES.spread(plain) == spread


@pytest.mark.parametrize(("node", "given", "own"), [
    (1, U | V | W, U | V | W),  # in no loop
    (20, V, V),  # the init is outside
    (23, V | W, V1 | W),
    (23, U | W, U | W),
    (33, V | W, V2 | W2),  # the inner loop's
    (33, V | U, V2 | U),
    (30, V | W, V1 | W),
    (34, V | W, V1 | W)])
def test_an_access_is_the_iterations_own(node: int, given: int, own: int) -> None:
    assert LIVES.own(node, given) == own


def test_which_elements_are_others() -> None:
    assert [LIVES.others(node) for node in (1, 20, 23, 33, 34)] == [
        0, 0, V1_OTHERS, V1_OTHERS | V2_OTHERS | W2_OTHERS, V1_OTHERS]


def test_which_writes_end_an_iterations_life() -> None:
    """One outside its loop (99) ends none."""
    assert [LIVES.element_kills(node) for node in (22, 23, 33, 35, 99)] == [0, V1, W2, V2 | W2, 0]


@pytest.mark.parametrize(("node", "given", "touched"), [
    (1, V1_OTHERS, V),
    (23, V1_OTHERS, 0),
    (23, V1 | V1_OTHERS | U, V | U),
    (33, V2_OTHERS | W2_OTHERS, 0),
    (33, W2 | V2_OTHERS, W),
    (34, W2_OTHERS, W)])
def test_a_write_touches_no_others(node: int, given: int, touched: int) -> None:
    assert LIVES.touchable(node, given) == touched


@pytest.mark.parametrize(("node", "given", "arrays", "own"), [
    (1, V1_OTHERS, V, V),
    (23, V1_OTHERS, V, 0),
    (23, V1_OTHERS, W, V),  # of another array all counts
    (23, V1 | V1_OTHERS, V, V),
    (33, V2_OTHERS | W2_OTHERS, W, V)])
def test_what_is_left_without_others(node: int, given: int, arrays: int, own: int) -> None:
    assert LIVES.own_of(node, given, arrays) == own


@pytest.mark.parametrize(("node", "given", "arrays", "left"), [
    (1, V | V1, V, V | V1),  # in no loop
    (23, V1, V, 0),
    (23, V1 | V1_OTHERS, V, V1_OTHERS),
    (23, V1_OTHERS, V, V1_OTHERS),
    (23, V, V, V1_OTHERS),  # of all elements others' are left
    (23, V1, W, V1),  # of another array
    (23, U | W | V1, V, U | W),
    (33, V2 | W2, V | W, 0),
    (33, V2 | W2, W, V2),
    (33, V1 | W2_OTHERS, V, V1_OTHERS | V2_OTHERS | W2_OTHERS)])
def test_without_an_iterations_own(node: int, given: int, arrays: int, left: int) -> None:
    assert LIVES.without_own(node, given, arrays) == left


@pytest.mark.parametrize(("given", "touched", "kept", "left"), [
    (V1 | V1_OTHERS | U, V, 0, V1_OTHERS),
    (V1 | V1_OTHERS | U, V, V, V1 | V1_OTHERS),
    (V1 | V1_OTHERS | U | W, V | U, U, U | V1_OTHERS),
    (V1_OTHERS | W, W, 0, 0),
    (V, V, 0, V1_OTHERS)])
def test_behind_a_part(given: int, touched: int, kept: int, left: int) -> None:
    assert LIVES.behind_part(23, given, touched, kept) == left


def test_an_array_kill_backward() -> None:
    """What is demanded behind it is its writers', nothing of it comes from before."""
    assert LIVES.kills(13) == U
    assert LIVES.kills(10) == LIVES.kills(11) == 0
    assert LIVES.closed_backward(13, U | V) == SHADOW | V
    assert LIVES.closed_backward(12, U | V) == U | V
    assert LIVES.opened_backward(10, SHADOW | V) == V
    assert LIVES.opened_backward(10, SHADOW | U) == U  # what is read within it is the older
    assert LIVES.opened_backward(11, SHADOW) == SHADOW


def test_an_array_kill_forward() -> None:
    assert LIVES.opened_forward(10, U | V) == SHADOW | V
    assert LIVES.opened_forward(11, U | V) == U | V
    assert LIVES.closed_forward(13, SHADOW | V) == V
    assert LIVES.closed_forward(12, SHADOW) == SHADOW


def test_iterations_forward() -> None:
    """An iteration's own elements become others' where the next begins; behind the loop all is one array again."""
    assert LIVES.closed_forward(22, V1 | U) == V1_OTHERS | U
    assert LIVES.closed_forward(32, V1 | V2 | W2) == V1 | V2_OTHERS | W2_OTHERS
    assert LIVES.opened_forward(39, V2 | W2) == V1 | W
    assert LIVES.opened_forward(39, V2_OTHERS) == V1
    assert LIVES.opened_forward(29, V1 | U) == V | U
    assert LIVES.opened_forward(29, V1_OTHERS) == V
    assert LIVES.opened_forward(28, V1) == V1


def test_iterations_backward() -> None:
    """What an iteration demands of others' elements, one of those before it has as its own."""
    assert LIVES.opened_backward(22, V1_OTHERS | U) == V1_OTHERS | U
    assert LIVES.turned_backward(22, V1 | U) == V1_OTHERS | U
    assert LIVES.turned_backward(20, V1 | U) == V | U
    assert LIVES.turned_backward(20, V1_OTHERS) == V
    assert LIVES.opened_backward(30, V2 | W2_OTHERS) == V1 | W
    assert LIVES.turned_backward(23, V1) == V1


def test_which_arrays_turn() -> None:
    assert [LIVES.turning(node) for node in (21, 22, 32)] == [0, V, V | W]


def test_of_an_array_kill_whose_writers_do_not_all_run_nothing_holds() -> None:
    """Its bit stays taken: the others' numbers do not change."""
    lives = ArrayLives(PROOFS, frozenset())
    assert lives.kills(13) == 0
    assert lives.closed_backward(13, U) == U
    assert lives.own(23, V) == V1
    assert ArrayLives(PROOFS, frozenset({0})).kills(13) == U
