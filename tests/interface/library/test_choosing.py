"""Strategies as objects, and one part solved by sizes."""

from __future__ import annotations

import typing
from dataclasses import is_dataclass
from itertools import product

import pytest
import snapset
from snapset.analysis.equations import PartSets, SnapshotChoice, is_valid

from tests.support.corpus import CORPUS

SETS = {"req": {"t"}, "out_c": {"u"}, "out_dbar": {"nu", "u"}, "out_cbar": set[str](), "use_cbar": {"nu", "u"}}


def test_objects_mean_what_their_text_means() -> None:
    sides = snapset.OptSides(plus1={"b", "a"}, minus3=["c"])
    assert str(sides) == "Opt1+=a,b;Opt3-=c"
    given = snapset.Choices(strategies=(snapset.NamedStrategy.LAZY, sides, "eager"))
    assert given == snapset.Choices(strategies="lazy,Opt1+=a,b;Opt3-=c,eager")
    files, head = [str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)"
    one = snapset.report(files, head, snapset.Choices(strategies=[snapset.OptSides(plus3={"nu"})]))
    assert one == snapset.report(files, head, snapset.Choices(strategies="Opt3+=nu"))


def test_a_partition_stands_beside_other_strategies() -> None:
    """It stopped with a KeyError."""
    files, head = [str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)"
    both = snapset.report(files, head, snapset.Choices(strategies="eager,Opt3+=nu"))
    (part,) = both.parts
    assert part.solutions["Opt3+=nu"].snp == ("nu", "u")
    with pytest.raises(snapset.InputError, match="no part's Opt3 holds 'nus'"):
        snapset.report(files, head, snapset.Choices(strategies="eager,Opt3+=nus"))


def test_what_is_no_strategy_is_said() -> None:
    with pytest.raises(ValueError, match="names nothing"):
        snapset.OptSides()
    with pytest.raises(TypeError):
        snapset.OptSides(plus1="alpha")


@pytest.mark.parametrize("size", [{"t": 8, "u": 800, "nu": 8}, {"t": 8, "u": 800, "nu": 9000}])
def test_sizes_give_the_cheapest(size: dict[str, int]) -> None:
    """Against all choices: nu in Snp costs its size, in Req_D what D tapes for it."""
    tape = {"nu": 4000}
    found = snapset.solve(**SETS, size=size, tape_d=tape)
    costs = {}
    for snp, req_d in product((False, True), repeat=2):
        row = [int("nu" in SETS[name]) for name in ("req", "out_c", "out_dbar", "out_cbar", "use_cbar")]
        if is_valid(PartSets.of(row), SnapshotChoice.of((0, snp, req_d, 0))):
            costs[snp, req_d] = size["nu"]*snp + tape["nu"]*req_d
    assert ("nu" in found.snp, "nu" in found.req_d) == min(costs, key=lambda one: costs[one])
    assert found == snapset.cheapest(**SETS, size=size, tape_d=tape)


def test_sizes_and_a_strategy_contradict_each_other() -> None:
    with pytest.raises(ValueError, match="sizes choose the cheapest solution, and lazy is asked for"):
        snapset.solve(**SETS, strategy="lazy", size={"t": 8, "u": 8, "nu": 8})
    with pytest.raises(ValueError, match="no size is given of nu, u"):
        snapset.solve(**SETS, strategy="cheapest")


def test_a_choice_by_part_is_the_command_lines_text() -> None:
    sides = snapset.OptSides(plus1={"b", "a"}, kept={"w"})
    assert str(sides) == "Opt1+=a,b;Sbk+=w"
    eager = snapset.NamedStrategy.EAGER
    assert str(snapset.ByPart({"f@3": sides, "g@9#2": eager}, eager, name="mine")) == (
        "mine{eager;f@3:Opt1+=a,b;f@3:Sbk+=w;g@9#2:eager}")
    with pytest.raises(ValueError, match="step: no part's id"):
        snapset.ByPart({"step": sides})


def test_a_choice_by_part_is_the_one_that_the_text_means() -> None:
    """Of corpus/eager_wins.f90 one part on the other side."""
    path, head = str(CORPUS / "burgers_region.f90"), "burgers(u)>(cost)"
    one = snapset.ByPart({"burgers@13": snapset.OptSides(plus3={"nu"})}, name="mine")
    by_object = snapset.report([path], head, snapset.Choices(strategies=[one]))
    by_text = snapset.report([path], head, snapset.Choices(strategies="mine{lazy;burgers@13:Opt3+=nu}"))
    assert by_object == by_text
    assert by_object.parts[0].solutions["mine"].snp == ("nu", "u")
    lines = [snapset.MarkedLines(path, 20, 20)]
    assert snapset.report([path], head, regions=lines) == snapset.report([path], head, regions=[(path, 20, 20)])


def test_every_type_of_a_result_is_exported() -> None:
    """What results hold, as deep as their fields say: but for arithmetic's own terms and schedules' actions."""
    seen: set[type] = set()

    def look(kind: object) -> None:
        for inner in typing.get_args(kind):
            look(inner)
        if isinstance(kind, type) and kind.__module__.startswith("snapset") and kind not in seen:
            seen.add(kind)
            if is_dataclass(kind):
                for inner in typing.get_type_hints(kind).values():
                    look(inner)

    for one in (snapset.HeadResult, snapset.Explanation, snapset.ComparedHead, snapset.Verdict):
        look(one)
    public = {getattr(snapset, name) for name in snapset.__all__}
    inside = ("snapset.analysis.symbolic", "snapset.analysis.comparison.", "snapset.frontend.ir")
    missing = {one.__name__ for one in seen - public if not one.__module__.startswith(inside)}
    assert missing == set()
