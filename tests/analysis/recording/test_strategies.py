"""Strategies as given on the command line."""

import pytest
from snapset.analysis.equations import OptSets, PartSets
from snapset.analysis.memory.locations import Info, Location, Space
from snapset.analysis.recording.strategies import parse_strategies
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import DOUBLE, Area


def space_of(*names: str) -> Space:
    space = Space()
    for name in names:
        space.add(Location(Area("local", "f", name)), Info(name, DOUBLE))
    return space


def test_named_strategies() -> None:
    assert [s.name for s in parse_strategies("lazy,eager")] == ["lazy", "eager"]
    assert [s.name for s in parse_strategies("all")] == ["lazy", "eager", "optimal"]
    assert [s.name for s in parse_strategies("eager,eager")] == ["eager"]


def test_commas_inside_a_partition_separate_names() -> None:
    found = parse_strategies("lazy,Opt1+=a,b;Opt2-=c,eager")
    assert [s.name for s in found] == ["lazy", "Opt1+=a,b;Opt2-=c", "eager"]
    assert found[1].sides == {"1+": frozenset("ab"), "2-": frozenset("c")}


@pytest.mark.parametrize(("text", "plus"), [
    ("Opt1+=a", (0b01, 0, 0)),
    ("Opt1+=a,b", (0b11, 0, 0)),
    ("Opt1+=*", (-1, 0, 0)),
    ("Opt1+=*;Opt1-=b", (~0b10, 0, 0)),
    ("Opt1-=*;Opt1+=b", (0b10, 0, 0)),
    ("Opt2+=b;Opt3+=*", (0, 0b10, -1)),
    ("Opt3-=*", (0, 0, 0)),
])
def test_what_is_not_named_falls_to_the_lazy_side(text: str, plus: tuple[int, int, int]) -> None:
    (strategy,) = parse_strategies(text)
    partition = strategy.partition(PartSets.of((0, 0, 0, 0, 0)), space_of("a", "b"))
    assert (partition.plus1, partition.plus2, partition.plus3) == plus


def test_names_the_opt_sets_do_not_hold() -> None:
    (strategy,) = parse_strategies("Opt1+=a,z;Opt3-=b")
    stray = strategy.stray(OptSets(snp0=0, opt1=0b01, opt2=0, opt3=0b01), space_of("a", "b"))
    assert stray == {("1+", "z"), ("3-", "b")}


@pytest.mark.parametrize("text", ["", "busy", "Opt4+=a", "Opt1=a", "Opt1+=", "Opt1+=a;Opt1-=a",
                                  "Opt1+=a,,b"])
def test_what_is_no_strategy(text: str) -> None:
    with pytest.raises(InputError):
        parse_strategies(text)
