"""What a callee loses, in the caller's terms: in groups what it is location by location."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly, members, set_of
from snapset.analysis.dataflow.renumbering import Renumbering
from snapset.analysis.memory.locations import Info, Location, Space
from snapset.analysis.procedures.call_binding import ArgumentLink, Target
from snapset.analysis.sections.lost_values import lost_through
from snapset.frontend import ir

TYPES = (ir.Type("real", 8), ir.Type("real", 4), ir.Type("complex", 16), ir.UNKNOWN)


def one_by_one(target: Target, use: May, out: May, lost: May, space: Space) -> int:
    own = {i: space.with_aliases(target.link(i).use) for i in members(use)}
    found = int(target.outs(lost))
    for i in members(out):
        found |= sum(1 << j for j in members(target.link(i).out)
                     if any(bits >> j & 1 and (k != i or sum(b >> j & 1 for b in own.values()) > 1)
                            for k, bits in own.items()))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_groups_lose_what_their_members_lose(seed: int) -> None:
    random = Random(seed)
    space = Space()
    for i in range(24):
        aliasable = random.random() < 0.6
        space.add(Location(ir.Area("module", "m", f"v{i}")), Info(
            f"v{i}", random.choice(TYPES[:4 if seed % 5 == 0 else 3]), aliasable=aliasable,
            indirect=aliasable and random.random() < 0.4, family=random.choice((None, 1, 2)),
            part=random.choice((None, "a")), shared=aliasable and random.random() < 0.1,
            alone=random.random() < 0.1))
    outer = random.sample(range(24), 12)
    links = {}
    for i in range(4):
        bits = set_of(random.sample(range(24), random.randrange(3)))
        links[i] = ArgumentLink(bits, bits if i else EMPTY, False, bits)
    target = Target("p", links, Renumbering({4 + i: j for i, j in enumerate(outer)}), EMPTY, 16)
    for _ in range(20):
        use, out = exactly(random.getrandbits(16)), exactly(random.getrandbits(16))
        lost = exactly(out & random.getrandbits(16) & random.getrandbits(16))
        assert lost_through(target, use, out, lost, space) == one_by_one(target, use, out, lost, space)
