"""``import snapset``: what it gives, and that it prints nothing."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import snapset
from snapset.frontend.ir import Program
from snapset.library import head_runs
from snapset.library.analysis import Choices

from tests.support.corpus import CORPUS

BURGERS = str(CORPUS / "burgers_region.f90")
RELAX = str(CORPUS / "eager_wins.f90")
HEADS = ("burgers(u)>(cost)", "relax(x)>(y)")


@pytest.mark.parametrize("name", snapset.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(snapset, name).__doc__
    assert name in dir(snapset)


def test_no_other_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        snapset.nonsense  # noqa: B018


def test_report(capfd: pytest.CaptureFixture[str]) -> None:
    result = snapset.report([BURGERS], HEADS[0])
    (part,) = result.parts
    assert part.solutions["lazy"].snp == ("u",)
    assert part.solutions["eager"].snp == ("nu", "u")
    assert json.dumps(snapset.to_json(result, {"n": 10}))
    assert capfd.readouterr() == ("", "")


def test_load_then_analyse_is_the_same() -> None:
    program = snapset.load([BURGERS], snapset.ReadOptions(form="free"))
    assert snapset.analyse(program, HEADS[0]) == snapset.report([BURGERS], HEADS[0])


def test_choices() -> None:
    result = snapset.report([RELAX], HEADS[1], Choices(strategies="eager"))
    assert result.strategies == ("eager",)


def test_several_heads_with_any_executor() -> None:
    alone = snapset.reports([BURGERS, RELAX], [*HEADS, HEADS[0]])
    assert [result.head for result in alone] == list(HEADS)
    with ThreadPoolExecutor(2) as executor:
        assert snapset.reports([BURGERS, RELAX], HEADS, executor=executor) == alone


def test_a_worker_unpacks_the_program_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What heads share, models and all, hangs on the program: three heads in two tasks, one worker, one program."""
    heads = ("burgers(u)>(cost)", "burgers(u)>(u)", "burgers(u)>(cost, u)")
    alone = snapset.reports([BURGERS], heads)
    programs: list[Program] = []
    unpacked = head_runs._unpacked

    def counted(given: bytes) -> Program:
        programs.append(unpacked(given))
        return programs[-1]

    monkeypatch.setattr(head_runs, "_unpacked", counted)
    monkeypatch.setattr(head_runs, "TASKS", 2)
    with ThreadPoolExecutor(1) as executor:
        assert snapset.reports([BURGERS], heads, executor=executor) == alone
    first, second = programs
    assert first is second


def test_analyse_wants_one_head() -> None:
    program = snapset.load([BURGERS])
    with pytest.raises(snapset.InputError, match="2 heads where one is wanted"):
        snapset.analyse(program, "burgers(u)>(cost) burgers(nu)>(cost)")


def test_input_errors_carry_their_place() -> None:
    with pytest.raises(snapset.InputError, match=r"nowhere\.f90"):
        snapset.load(["nowhere.f90"])


def test_a_number_in_place_of_extents_is_told() -> None:
    with pytest.raises(TypeError, match=r"sizes\['x'\] is 3 where an array's extents are wanted, .* goes to values"):
        snapset.replay(["corpus/burgers_region.f90"], "burgers(u)>(cost)", sizes={"x": 3})  # type: ignore[dict-item]
