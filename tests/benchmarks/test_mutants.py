"""The mutants: what is changed, whose tests are asked, what counts as a kill, and that nothing is left behind."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.mutants.changes import Changes, mutants_of
from benchmarks.mutants.equivalent import equivalents, key
from benchmarks.mutants.rooms import ROOMS, digest
from tests.support.paths import ROOT

CHANGED = (
    ("a & b", ["a | b"]),
    ("~a", ["a"]),
    ("a <= b", ["a < b"]),
    ("a is not b", ["a is b"]),
    ("f(3)", ["f(4)", "pass"]),
    ("c = True", ["c = False"]),
    ("if a:\n    b()", ["if a:\n    pass", "if not a:\n    b()"]),
    ("if a < b and c:\n    d = b", ["if a <= b and c:\n    d = b", "if a < b or c:\n    d = b",
                                    "if not (a < b and c):\n    d = b"]),
    ("for a in b:\n    break", ["for a in b:\n    pass"]),
    ("assert a == b", []),
    ("raise ValueError(1 + 1)", []),
    ("zip(a, b, strict=True)", ["pass"]),
    ("a: Literal[3] = b", []),
)


@pytest.mark.parametrize(("text", "expected"), CHANGED, ids=[text for text, _ in CHANGED])
def test_the_small_changes_of_a_statement(text: str, expected: list[str]) -> None:
    def module() -> ast.Module:
        return ast.parse("def f():\n" + "".join(f"    {line}\n" for line in text.splitlines()))

    count = Changes()
    assert ast.unparse(count.visit(module())) == ast.unparse(module())
    found = [ast.unparse(Changes(number).visit(module())) for number in range(len(count.places))]
    assert [one.replace("\n    ", "\n").partition("\n")[2] for one in found] == expected


def test_changes_alike_are_numbered() -> None:
    walk = Changes()
    walk.visit(ast.parse("def f():\n    return [1, 1]\ndef g():\n    return 1\n"))
    assert [(name, what) for name, _, _, what in walk.places] == [
        ("f", "1 is 2"), ("f", "1 is 2 (2)"), ("g", "1 is 2")]


def test_every_equivalent_mutant_is_one() -> None:
    """A line stays only as long as there is such a mutant."""
    every = {key(mutant) for room in ROOMS.values() for mutant in mutants_of(room)}
    assert [one for one in equivalents() if one not in every] == []


def test_every_room_has_its_modules_and_tests() -> None:
    assert [test for room in ROOMS.values() for test in room.tests if not (ROOT / test).exists()] == []
    assert all(room.modules and path.exists() for room in ROOMS.values() for _, path in room.modules)


TOY = """
def more(a, b):
    return a + b

def halved(a):
    while a > 1:
        a = a // 2
    return a

def alike(a):
    if a >= 0:
        return a
    return 0 - a

def alone(a):
    return a - 1

def dear():
    return sum(range(6_000_000))
"""
TESTS = """
import pathlib, pytest, toy

@pytest.fixture(scope="module")
def dear():
    return [toy.dear() for _ in range(5)]

def test_first(dear):
    assert dear

def test_second(dear):
    assert toy.more(2, 3) == 5

def test_the_end(tmp_path):
    (tmp_path / "left").write_text("")
    assert toy.halved(9) == 1

def test_alike():
    assert toy.alike(0) == 0

SEEN = []

def test_sees():
    SEEN.append(1)

def test_has_seen():
    assert SEEN
    assert toy.alone(7)

def test_alone():
    assert toy.alone(1) in (0, 2) and sum(range(10**5))
"""
TRY = """
import sys
from pathlib import Path
from benchmarks.mutants import processes
from benchmarks.mutants.__main__ import report, run
from benchmarks.mutants.changes import mutants_of
from benchmarks.mutants.rooms import Room
from benchmarks.mutants.trials import Trials

here, processes.SLACK = Path.cwd(), 0.2
room = Room("toy", (("toy", here / "toy.py"),), ("test_toy.py",))
chosen = [one for one in mutants_of(room) if one.function != "dear"]
trials = Trials(chosen, [room], jobs=1, budget=30, survey=here / "survey")
print(run(trials, here), report(trials, []))
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A room of one module and its tests, all of it tried; what was printed."""
    place = tmp_path_factory.mktemp("toy")
    for name, text in (("toy.py", TOY), ("test_toy.py", TESTS), ("pytest.ini", "[pytest]\nmarkers = slow\n")):
        (place / name).write_text(text)
    done = subprocess.run([sys.executable, "-B", "-c", TRY], cwd=place, capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": f"{place}:{ROOT}", "TMPDIR": str(place)})
    return place, done.stdout.splitlines()


def ends(lines: list[str], what: str) -> str:
    """How the mutant ended, and by which test: its line without the place."""
    (line,) = [one for one in lines if f": {what}" in one]
    return f"{line.partition(':')[0]}{line.partition(f': {what}')[2]}"


def test_a_killed_mutant_names_its_test(toy: tuple[Path, list[str]]) -> None:
    """The first test of those that share a dear fixture pays for it; another that is tried without the first takes
    longer than it did, which is no kill, and is given more time."""
    assert ends(toy[1], "Add is Sub in `a + b`") == "killed by test_toy.py::test_second"


def test_what_does_not_end_is_killed(toy: tuple[Path, list[str]]) -> None:
    assert ends(toy[1], "FloorDiv is Mult in `a // 2`") == "killed by test_toy.py::test_the_end (limit of time)"


def test_what_no_test_notices_survives(toy: tuple[Path, list[str]]) -> None:
    assert ends(toy[1], "GtE is Gt in `a >= 0`") == "survives"


def test_a_statement_that_no_test_runs(toy: tuple[Path, list[str]]) -> None:
    assert [line for line in toy[1] if line.startswith("no test runs it")] == [
        "no test runs it: toy:13 alike: 0 is 1 (2)", "no test runs it: toy:13 alike: Sub is Add in `0 - a`"]


def test_each_mutant_has_one_end(toy: tuple[Path, list[str]]) -> None:
    of = [line.partition(":")[0] for line in toy[1] if ": toy:" in line]
    assert (f"toy: {of.count('killed')} of {len(of)} killed ({of.count('killed')/len(of):.0%}), 0 of them by exact "
            "sets and recorded cases, 0 equivalent, of ") in (
        "".join(toy[1]))
    assert (len(of), of.count("killed")) == (11, 5)


def test_a_test_that_fails_alone_kills_nothing(toy: tuple[Path, list[str]]) -> None:
    """``test_has_seen`` passes after another only: it is left out, and the change is judged by the others."""
    assert "fails without any change: test_toy.py::test_has_seen" in toy[1]
    assert ends(toy[1], "Sub is Add in `a - 1`") == "survives"


def test_nothing_is_left_behind(toy: tuple[Path, list[str]]) -> None:
    assert sorted(path.name for path in toy[0].iterdir()) == ["pytest.ini", "survey", "test_toy.py", "toy.py"]


def test_a_survey_knows_the_sources_and_the_tests(toy: tuple[Path, list[str]]) -> None:
    head, *lines = (toy[0] / "survey").read_text().splitlines()
    assert head == f"toy={digest([toy[0] / 'toy.py'])}"
    assert [line.split("\t")[0] for line in lines] == [
        f"{digest([toy[0] / 'test_toy.py'])} test_toy.py::{name}" for name in (
            "test_first", "test_second", "test_the_end", "test_alike", "test_sees", "test_has_seen", "test_alone")]
