"""All minimal solutions of a part: against brute force, counted, in order, those DH (7) misses marked."""

from __future__ import annotations

import random
from itertools import chain, combinations, islice, product

import pytest
import snapset
from snapset.analysis.recording.minimal_solutions import MinimalSolutions, minimal_solutions, minimal_solutions_of

from tests.support.paths import ROOT

CORPUS = ROOT / "corpus"
FIVE = ("req", "out_c", "out_dbar", "out_cbar", "use_cbar")
Four = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]


def random_sets(seed: int, names: str) -> dict[str, frozenset[str]]:
    pick = random.Random(seed)
    return {one: frozenset(name for name in names if pick.random() < 0.5) for one in FIVE}


def subsets(names: str) -> list[frozenset[str]]:
    return [frozenset(one) for one in chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))]


def preserves(s: dict[str, frozenset[str]], four: Four) -> bool:
    """DH (4) and (5), on sets of names."""
    sbk, snp, req_d, req_c = four
    before = (s["out_c"] | (s["out_dbar"] - req_d)) - snp
    return not before & s["use_cbar"] and not ((before | (s["out_cbar"] - req_c)) - sbk) & s["req"]


def smaller(four: Four) -> list[Four]:
    """Every choice with one location less in one set."""
    return [(*four[:place], held - {name}, *four[place + 1:])  # type: ignore[misc]
            for place, held in enumerate(four) for name in held]


def brute_force(s: dict[str, frozenset[str]], names: str) -> set[Four]:
    valid = {four for four in product(subsets(names), repeat=4) if preserves(s, four)}
    return {four for four in valid if not any(one in valid for one in smaller(four))}


def fours(every: MinimalSolutions) -> list[Four]:
    return [(one.sbk, one.snp, one.req_d, one.req_c) for one in every]


@pytest.mark.parametrize("seed", range(60))
def test_all_minimal_solutions_and_no_others(seed: int) -> None:
    names = "ab" if seed % 4 else "abc"
    s = random_sets(seed, names)
    found = minimal_solutions(**s)
    assert set(fours(found)) == brute_force(s, names)
    assert len(fours(found)) == len(set(fours(found))) == found.count


@pytest.mark.parametrize("seed", range(40))
def test_those_that_7_lists_are_its_partitions(seed: int) -> None:
    s = random_sets(seed, "abc")
    found = minimal_solutions(**s)
    lazy = snapset.solve(**s)
    listed = set()
    for plus in product(subsets("abc"), repeat=3):
        sides = [plus[0] & lazy.opt1, plus[1] & lazy.opt2, plus[2] & lazy.opt3]
        one = snapset.solve(**s, strategy="partition", plus1=sides[0], plus2=sides[1], plus3=sides[2])
        listed.add((one.sbk, one.snp, one.req_d, one.req_c))
    assert {(one.sbk, one.snp, one.req_d, one.req_c) for one in found if one.listed} == listed
    assert found.count_listed == len(listed)


@pytest.mark.parametrize("seed", range(20))
def test_the_first_is_lazy_and_the_order_is_fixed(seed: int) -> None:
    s = random_sets(seed, "abcde")
    lazy = snapset.solve(**s)
    first = next(iter(minimal_solutions(**s)))
    assert (first.sbk, first.snp, first.req_d, first.req_c) == (lazy.sbk, lazy.snp, lazy.req_d, lazy.req_c)
    again = minimal_solutions(**{name: sorted(held, reverse=True) for name, held in s.items()})
    assert fours(again) == fours(minimal_solutions(**s))


def test_the_solution_7_misses_is_marked() -> None:
    every = list(minimal_solutions(req={"a"}, out_c={"a"}, out_dbar=(), out_cbar=(), use_cbar=()))
    assert [(set(one.snp), set(one.sbk), set(one.missed)) for one in every] == [({"a"}, set(), set()),
                                                                                (set(), {"a"}, {"a"})]


def test_two_hundred_locations_are_counted_and_reached_without_walking() -> None:
    names = [f"v{i:03}" for i in range(200)]
    found = minimal_solutions(req=names, out_c=names, out_dbar=(), out_cbar=names, use_cbar=names)
    assert found.count == found.count_listed == 2**200
    assert len(list(islice(found, 5))) == 5
    last = found[2**200 - 1]
    assert last.sbk == set(names)
    assert not last.req_c
    with pytest.raises(IndexError, match="of 16069"):
        found[2**200]


@pytest.mark.parametrize("seed", range(20))
def test_a_number_reaches_what_iteration_gives(seed: int) -> None:
    found = minimal_solutions(**random_sets(seed, "abcdef"))
    assert [found[number] for number in range(found.count)] == list(found)


@pytest.mark.parametrize("seed", range(10))
def test_any_choice_is_judged(seed: int) -> None:
    s = random_sets(seed, "ab")
    found = minimal_solutions(**s)
    minimal = set(fours(found))
    for four in product(subsets("ab"), repeat=4):
        sbk, snp, req_d, req_c = four
        judged = found.judge(sbk=sbk, snp=snp, req_d=req_d, req_c=req_c)
        assert judged.valid == preserves(s, four)
        assert judged.minimal == (four in minimal)


def test_a_judgement_names_the_equation_and_the_location() -> None:
    found = minimal_solutions(req={"a"}, out_c={"a", "b"}, out_dbar=(), out_cbar=(), use_cbar={"b"})
    assert (found.judge().breaks_4, found.judge().breaks_5) == ({"b"}, {"a"})
    assert found.judge(snp={"a", "b"}, req_d={"c"}).larger == {"c"}


def test_those_of_a_reported_part() -> None:
    (part,) = snapset.report([str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)").parts
    found = minimal_solutions_of(part)
    assert [(set(one.snp), set(one.req_d)) for one in found] == [({"u"}, {"nu"}), ({"nu", "u"}, set())]
    assert fours(minimal_solutions_of(part, "eager")) == fours(found)
    with pytest.raises(KeyError):
        minimal_solutions_of(part, "optimal")
