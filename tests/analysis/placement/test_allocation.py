"""The best partition of one part: against all partitions, and fast with 200 locations."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
import snapset.analysis.placement.two_sided_allocation as allocation
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.equations import Partition, PartSets, eager_partition, opt_sets, solution
from snapset.analysis.placement.part_choice import PartBytes, best_partition, option_of
from snapset.analysis.placement.two_sided_allocation import Option, allocate, figures

LOCATIONS = 14


def random_part(random: Random, locations: int = LOCATIONS, tame: bool = True) -> tuple[PartSets, PartBytes]:
    """``tame``: out(C̄) ⊆ out(C), as without trimming."""
    req, out_c, out_dbar, out_cbar, use_cbar = (random.getrandbits(locations) for _ in range(5))
    if tame:
        out_c |= out_cbar
    top = random.choice((3, 10, 1000))
    tables = [{i: random.randint(1, top) for i in range(locations)} for _ in range(3)]
    spread = sum(tables[0].values())
    base = Option(random.randint(0, spread), random.randint(0, spread), random.randint(0, 9))
    return PartSets.of((req, out_c, out_dbar, out_cbar, use_cbar)), PartBytes(
        size=tables[0], tape_d=tables[1], tape_c=tables[2], base=base)


def cost(sets: PartSets, bytes_: PartBytes, partition: Partition) -> tuple[int, int, int]:
    """Peak, traffic and snapshot of a solution, written down from equations.md section 4."""
    choice = solution(sets, partition)

    def total(table: dict[int, int], bits: int) -> int:
        return sum(table[i] for i in members(bits))

    size, base = dict(bytes_.size), bytes_.base
    snapshot = total(size, choice.snp | choice.sbk)
    tape_d, tape_c = total(dict(bytes_.tape_d), choice.req_d), total(dict(bytes_.tape_c), choice.req_c)
    peak = max(snapshot + tape_d + base.d, total(size, choice.sbk) + tape_c + base.c)
    return peak, snapshot + tape_d + tape_c + base.traffic, snapshot


def partitions(sets: PartSets) -> list[Partition]:
    o = opt_sets(sets)
    bits = [(0, i) for i in members(o.opt1)] + [(1, i) for i in members(o.opt2)] + [(2, i) for i in members(o.opt3)]
    found = []
    for taken in product((False, True), repeat=len(bits)):
        plus = [0, 0, 0]
        for (which, i), yes in zip(bits, taken, strict=True):
            plus[which] |= yes << i
        found.append(Partition.of(plus))
    return found


@pytest.mark.parametrize("tame", [True, False])
@pytest.mark.parametrize("seed", range(150))
def test_no_partition_is_cheaper(seed: int, tame: bool) -> None:
    random = Random(f"{seed} {tame}")
    sets, bytes_ = random_part(random, tame=tame)
    while not 1 <= sum(len(list(members(s))) for s in vars_of(sets)) <= 12:
        sets, bytes_ = random_part(random, tame=tame)
    best = best_partition(sets, bytes_)
    assert cost(sets, bytes_, best) == min(cost(sets, bytes_, p) for p in partitions(sets))
    assert cost(sets, bytes_, best) <= min(cost(sets, bytes_, p) for p in (Partition(), eager_partition(sets)))


def vars_of(sets: PartSets) -> tuple[int, int, int]:
    o = opt_sets(sets)
    return o.opt1, o.opt2, o.opt3


@pytest.mark.parametrize("seed", range(200))
def test_any_options(seed: int) -> None:
    """Items whose options trade everything for everything."""
    random = Random(seed)
    items = [[Option(*(random.randint(0, 20) for _ in range(4))) for _ in range(random.randint(1, 3))]
             for _ in range(random.randint(1, 7))]
    base = Option(random.randint(0, 30), random.randint(0, 30), 0)
    found = figures(base, (item[at] for item, at in zip(items, allocate(base, items), strict=True)))
    assert found == min(figures(base, chosen) for chosen in product(*items))


def test_the_figures_are_those_of_the_model() -> None:
    sets, bytes_ = random_part(Random(7))
    for partition in partitions(sets)[:200]:
        one = option_of(sets, bytes_, partition, -1 & (1 << LOCATIONS) - 1)
        found = figures(bytes_.base, (one,))
        assert (found.peak, found.traffic, found.snapshot) == cost(sets, bytes_, partition)


@pytest.mark.parametrize("share", [0, 20, 50, 80, 100])
@pytest.mark.parametrize("tame", [True, False])
def test_two_hundred_locations(tame: bool, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All in the Opt sets, sizes and tapes different everywhere: a knapsack of 200, in few steps."""
    steps = 0
    added = allocation._added

    def counted(state: allocation.State, *options: Option) -> allocation.State:
        nonlocal steps
        steps += 1
        return added(state, *options)

    monkeypatch.setattr(allocation, "_added", counted)
    random = Random(share)
    everything = (1 << 200) - 1
    half = random.getrandbits(200)
    out_c = half if tame else half & random.getrandbits(200)
    sets = PartSets.of((everything, out_c, everything, half, random.getrandbits(200)))
    tables = [{i: random.randint(1, 10**6) for i in range(200)} for _ in range(3)]
    bytes_ = PartBytes(size=tables[0], tape_d=tables[1], tape_c=tables[2], base=Option(share * 10**6, 0, 0))
    o = opt_sets(sets)
    assert o.opt1 | o.opt2 | o.opt3 == everything
    best = best_partition(sets, bytes_)
    assert steps < 100_000
    assert cost(sets, bytes_, best) <= min(cost(sets, bytes_, p) for p in (Partition(), eager_partition(sets)))
