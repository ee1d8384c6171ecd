"""The cheapest solution for an AD tool that brings its own sets and bytes: against all partitions, in names."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
import snapset
from snapset.analysis.equations import NamedSolution


def subsets(names: frozenset[str]) -> list[frozenset[str]]:
    return [frozenset(one) for size in range(len(names) + 1) for one in combinations(sorted(names), size)]


def test_what_d_overwrites_often_is_saved_and_what_it_overwrites_once_in_a_small_part_is_taped() -> None:
    found = snapset.cheapest(req=[], out_c=[], out_dbar={"u", "v"}, out_cbar=[], use_cbar={"u", "v"},
                             size={"u": 800, "v": 800}, tape_d={"u": 8000, "v": 8})
    assert (found.snp, found.req_d) == ({"u"}, {"v"})


@pytest.mark.parametrize("seed", range(40))
def test_no_partition_costs_less(seed: int) -> None:
    random = Random(seed)
    names = "abcdef"
    sets = {key: {name for name in names if random.random() < 0.5}
            for key in ("req", "out_c", "out_dbar", "out_cbar", "use_cbar")}
    sets["out_c"] |= sets["out_cbar"]
    size, tape_d, tape_c = ({name: random.randint(1, 9) for name in names} for _ in range(3))

    def cost(s: NamedSolution) -> tuple[int, int, int]:
        held = sum(size[n] for n in s.sbk | s.snp)
        d, c = sum(tape_d[n] for n in s.req_d), sum(tape_c[n] for n in s.req_c)
        return max(held + d, sum(size[n] for n in s.sbk) + c), held + d + c, held

    lazy = snapset.solve(**sets)
    every = [snapset.solve(**sets, strategy="partition", plus1=one, plus2=two, plus3=three)
             for one in subsets(lazy.opt1) for two in subsets(lazy.opt2) for three in subsets(lazy.opt3)]
    assert cost(snapset.cheapest(**sets, size=size, tape_d=tape_d, tape_c=tape_c)) == min(map(cost, every))


@pytest.mark.parametrize(("given", "said"), [
    ({"size": {}}, "no size is given of u"),
    ({"size": {"u": -1}}, "negative"),
])
def test_bytes_are_asked_for(given: dict[str, dict[str, int]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        snapset.cheapest(req=[], out_c=[], out_dbar={"u"}, out_cbar=[], use_cbar={"u"}, **given)
    with pytest.raises(TypeError):
        snapset.cheapest(req="u", out_c=[], out_dbar=[], out_cbar=[], use_cbar=[], size={"u": 1})


def test_what_nothing_overwrites_needs_no_size() -> None:
    """dt is read alone: it is saved nowhere, whatever its size."""
    sets = {"req": {"u"}, "out_c": {"u"}, "out_dbar": {"k"}, "out_cbar": set[str](), "use_cbar": {"u", "k", "dt"}}
    found = snapset.cheapest(**sets, size={"u": 800, "k": 8}, tape_d={"k": 400})
    assert (found.snp, found.req_d) == ({"u", "k"}, set())
    assert found == snapset.cheapest(**sets, size={"u": 800, "k": 8, "dt": 10**9}, tape_d={"k": 400})
