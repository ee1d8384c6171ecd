"""Strategies as given on the command line."""

import re

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.equations import OptSets, PartSets
from snapset.analysis.memory.locations import Info, Location, Space
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategies import Choosable
from snapset.analysis.recording.strategy_texts import parse_strategies, strategy_of_lines
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import DOUBLE, Area
from snapset.frontend.load import load_text


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
    options = OptSets(snp0=0, opt1=0b01, opt2=0, opt3=0b01)
    part = Choosable(("s", 0, 1), options, PartSets.of((0, 0, 0, 0, 0)), space_of("a", "b"))
    assert part.stray(strategy.named_pairs()) == {("1+", "z"), ("3-", "b")}


@pytest.mark.parametrize("text", ["", "busy", "Opt4+=a", "Opt1=a", "Opt1+=", "Opt1+=a;Opt1-=a",
                                  "Opt1+=a,,b", "eager;Opt1+=a", "optimal;s@3:lazy", "s@3:optimal", "s@3:", "mine{lazy",
                                  "s@3:Opt1+=a;s@3:lazy", "Sbk-=a", "mine{}lazy"])
def test_what_is_no_strategy(text: str) -> None:
    with pytest.raises(InputError):
        parse_strategies(text)


# ---------------------------------------------------------------- by part, and what Sbk alone keeps


TWO_PARTS = """subroutine relax(x, y)
  real(8) :: x, y, a, b, v
  a = x*x
  v = x*x
  y = v*v
  !$AD CHECKPOINT-START
  v = 2d0*a
  b = sin(a)*a
  !$AD CHECKPOINT-END
  a = a*b
  !$AD CHECKPOINT-START
  b = a*b
  !$AD CHECKPOINT-END
  y = y + b*a*v + v*v
end subroutine
"""
HEAD = "relax(x)>(y)"


def saved(strategy: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Snp and Sbk of each part."""
    (wanted,) = parse_strategies(strategy)
    parts = analyse(load_text(TWO_PARTS), parse_heads(HEAD)[0], (wanted,)).parts
    return {part.id: (part.solutions[wanted.name].snp, part.solutions[wanted.name].sbk) for part in parts}


@pytest.mark.parametrize(("text", "names"), [
    ("lazy,eager;s@6:Opt3+=v,w;s@9:lazy,Opt1+=a", ["lazy", "eager;s@6:Opt3+=v,w;s@9:lazy", "Opt1+=a"]),
    ("s@6:Opt3+=v,w,t@7:eager", ["s@6:Opt3+=v,w", "t@7:eager"]),
    ("mine{eager;s@6#2:Opt1+=a,b},lazy", ["mine", "lazy"]),
    ("m::s@6:split:context2:lazy", ["m::s@6:split:context2:lazy"]),
])
def test_a_choice_for_one_part_stands_behind_its_id(text: str, names: list[str]) -> None:
    assert [one.name for one in parse_strategies(text)] == names


def test_one_part_may_choose_otherwise() -> None:
    assert saved("lazy")["relax@7"] == (("v",), ())
    assert saved("relax@7:Sbk+=v") == {"relax@7": ((), ("v",)), "relax@12": saved("lazy")["relax@12"]}
    assert saved("eager;relax@7:Sbk+=v;relax@12:lazy") == saved("relax@7:Sbk+=v")


def test_every_part_has_the_choice_of_its_own() -> None:
    (head,), strategies = parse_heads(HEAD), parse_strategies(
        "eager;relax@7:Sbk+=v,Opt3+=*;relax@12:lazy,mine{Sbk+=*;relax@12:eager}")
    runs = compare(load_text(TWO_PARTS), head, strategies).runs
    assert [(run.name, run.equal) for run in runs] == [(one.name, True) for one in strategies]


@pytest.mark.parametrize(("text", "said"), [
    ("relax@8:lazy", "no checkpointed part is called relax@8; did you mean 'relax@7'?; there are relax@7, relax@12"),
    ("relax@7:Opt3+=v", "relax@7's Opt3 does not hold 'v'"),
    ("relax@7:Sbk+=a", "Sbk alone cannot keep 'a' at relax@7"),
    ("Sbk+=a", "Sbk alone cannot keep 'a' at any part"),
    ("Opt1+=zz", "no part's Opt1 holds 'zz'"),
])
def test_what_a_part_does_not_have(text: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        saved(text)


def test_a_file_says_a_clause_a_line() -> None:
    text = strategy_of_lines(["# ours", "eager", "", "relax@7: Opt3+=a, b  # of old"], "ours", "ours.txt")
    (found,) = parse_strategies(f"lazy,{text}")[1:]
    assert (found.name, found.kind) == ("ours", "eager")
    assert found.by_part["relax@7"].sides == {"3+": frozenset("ab")}


@pytest.mark.parametrize(("lines", "said"), [
    (["eager", "Opt4+=a"], "ours.txt:2:1: error: cannot read 'Opt4+=a'"), ([], "no choice in ours.txt"),
    (["lazy", "eager"], "lazy and eager cannot be chosen together"),
])
def test_a_file_that_says_nothing(lines: list[str], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        parse_strategies(strategy_of_lines(lines, "ours", "ours.txt"))


KEEPING = """module m
contains
real(8) function given(v)
  real(8), intent(in) :: v
  given = v
end function given
end module m
subroutine p(x, y)
  use m
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: b
  {declared}
  {before}
  y = sum(a*a)
  b = given(x)      ! a part that touches neither a nor its memory
  {behind}
  y = y + b
end subroutine p
"""
ALLOCATED = KEEPING.format(declared="real(8), allocatable :: a(:)", before="allocate (a(2)); a = x",
                           behind="deallocate (a); if (.not. allocated(a)) b = 2*b")
MADE = KEEPING.format(declared="real(8), pointer :: a(:)", before="allocate (a(2)); a = x",
                      behind="allocate (a(3)); a = b")


@pytest.mark.parametrize(("text", "strategy"), [
    (ALLOCATED, "Opt3+=a,Sbk+=a[]"), (ALLOCATED, "Opt3+=a;Sbk+=a[]"), (ALLOCATED, "Sbk+=a[];Sbk+=a"),
    (ALLOCATED, "Opt3+=a[];Sbk+=a"), (MADE, "Opt3+=a;Sbk+=a=>"), (MADE, "Sbk+=a;Sbk+=a=>")])
def test_values_come_back_into_their_memory(text: str, strategy: str) -> None:
    """What Sbk alone keeps is put back last, an allocation or association only with what it leads to."""
    (head,) = parse_heads("p(x)>(y)")
    found = compare(load_text(text), head, parse_strategies(strategy))
    assert found.equal, [(run.name, run.error, run.differences) for run in found.runs]
