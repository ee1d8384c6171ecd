"""Options that say opposite things are refused in one line, by every command that has both; none does so in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.cli.grammar.contradictions import CONTRADICTIONS, EVERYWHERE, NEEDED
from snapset.cli.main import command_table

from tests.interface.cli.test_bad_input import GOOD, HEAD, Here, here, refused

__all__ = ["here"]

VALUES = {
    "--cache-dir": ("kept",), "--executor": ("dask:nowhere:1",), "--jobs": ("2",), "--pareto-picture": ("p.svg",),
    "--picture": ("p.svg",), "--top": ("3",), "--sort": ("bytes",), "--ranks": ("2",), "--schedule": ("best",),
    "--loop": ("good.f90:6",), "--memory": ("1KB",), "--disk": ("1MB@1MB/s",), "--period": ("2",), "--at": ("3",),
    "--divide": ("binary",), "--mid": ("optimal",), "--space": ("3",), "--time": ("2",), "--leaf": ("100",),
    "--set": ("n=4",), "--seed": ("5",), "--sends": ("buffered",), "--messages-plan": ("log",),
    "--nested-log": ("keep",), "--max-bytes": ("1000",), "--max-steps": ("1000",), "--wildcards": ("w.json",),
    "--messages": ("m.jsonl",), "--seconds": ("1",), "--search-seed": ("3",), "--delta": ("0.5",),
    "--step-time": ("2",),
}
FIRST = {"compare": ("good_b.f90", "--source", "good.f90"), "diff": ("HEAD", ".", "good.f90")}


def written(option: str, value: str = "", command: str = "") -> list[str]:
    if command == "divide" and option == "--loop":
        return ["--loop", "6"]
    return [option, value] if value else [option, *VALUES.get(option, ())]


def pairs() -> list[tuple[str, list[str], list[str]]]:
    """Each command with each pair of options that it has and refuses."""
    found = []
    for command, (grammar, _) in command_table().items():
        parser = grammar()
        for one in (*EVERYWHERE, *CONTRADICTIONS.get(command, ())):
            for other in one.others:
                if parser.destination(one.option) and parser.destination(other):
                    found += [(command, written(one.option, value), written(other, command=command))
                              for value in one.values or ("",)]
    return found


@pytest.mark.parametrize(("command", "one", "other"), pairs(), ids=" ".join)
def test_no_pair_is_taken(command: str, one: list[str], other: list[str], here: Here) -> None:
    first = FIRST.get(command, ("good.f90",))
    for options in ([*one, *other], [*other, *one]):
        said = refused(here, command, *first, *HEAD, *options)
        assert other[0] in said or one[0] in said
        assert "--help" in said
    assert not Path("kept").exists()
    assert not Path("p.svg").exists()


def test_every_option_of_the_table_is_there() -> None:
    table = {command: grammar() for command, (grammar, _) in command_table().items()}
    for command, every in CONTRADICTIONS.items():
        for one in every:
            assert all(table[command].destination(option) for option in (one.option, *one.others)), (command, one)
    for command, needed in NEEDED.items():
        assert all(table[command].destination(option) for pair in needed for option in pair), command


@pytest.mark.parametrize(("command", "option", "other"),
                         [(command, *pair) for command, every in NEEDED.items() for pair in every])
def test_what_means_nothing_alone_is_refused(command: str, option: str, other: str, here: Here) -> None:
    said = refused(here, command, "good.f90", *HEAD, *written(option))
    assert said.startswith(f"error: {option} is for {other}: give that too")


def test_poison_is_one_or_the_other(here: Here) -> None:
    assert "not allowed with" in refused(here, "replay", "good.f90", *HEAD, "--poison", "--no-poison")


@pytest.mark.parametrize("command", ["report", "replay", "check", "dag", "schedule"])
def test_the_result_never_takes_the_place_of_what_is_read(command: str, here: Here) -> None:
    Path("also.f90").symlink_to("good.f90")
    for name in ("good.f90", "./good.f90", "also.f90"):
        assert refused(here, command, "good.f90", *HEAD, "-o", name) == \
            f"error: --output {name}: that file is read; give another name"
    assert Path("good.f90").read_text() == GOOD


@pytest.mark.parametrize("name", ["snapset.toml", "snapset.lock"])
def test_nor_that_of_the_project_file_and_the_lock(name: str, here: Here) -> None:
    Path("snapset.toml").write_text('sources = ["good.f90"]\nheads = ["f(x)>(y)"]\n')
    Path("snapset.lock").write_text("kept")
    before = Path(name).read_text()
    assert "that file is read" in refused(here, "report", "-o", name)
    assert Path(name).read_text() == before


def test_nor_that_of_an_adjoint(here: Here) -> None:
    Path("good_b.f90").write_text("kept")
    said = refused(here, "compare", "good_b.f90", "--source", "good.f90", *HEAD, "-o", "good_b.f90")
    assert said == "error: --output good_b.f90: that file is read; give another name"


def valued() -> list[tuple[str, str]]:
    """Each command with each of its options that take a value."""
    return [(command, max(action.option_strings, key=len)) for command, (grammar, _) in command_table().items()
            for action in grammar()._actions if action.option_strings and action.nargs != 0]


@pytest.mark.parametrize(("command", "option"), valued())
def test_an_option_that_is_given_nothing_is_not_left_out(command: str, option: str, here: Here) -> None:
    first = FIRST.get(command, ("good.f90",))
    values = ["", "x"] if (command, option) == ("explain", "--at") else [""]
    said = refused(here, command, *first, option, *values)
    assert option in said
    assert ": nothing is given; write a value" in said


def test_nor_is_a_file(here: Here) -> None:
    assert "nothing is given" in refused(here, "report", "good.f90", "", *HEAD)


def test_lines_given_twice_are_one_part(here: Here) -> None:
    once = here("report", "good.f90", *HEAD, "--region", "good.f90:6-6")
    assert here("report", "good.f90", *HEAD, *2*("--region", "good.f90:6-6")) == once
    assert once[0] == 0
