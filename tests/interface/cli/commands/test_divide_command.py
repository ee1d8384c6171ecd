"""``snapset divide`` as a user types it: text, JSON, plan, one capsule, picture, budgets, what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import snapset
from snapset.analysis.divide.split_points import MIDS
from snapset.cli.main import main
from snapset.frontend.base.diagnostics import InputError

from tests.support.command import run
from tests.support.corpus import CORPUS

# 3 elements, the call, the loop's start, 40 times 6 and its last test, the sum: 247 steps.
WORK = (str(CORPUS / "long_callee.f90"), "--head", "head(x)>(y)", "--quiet")


def documents(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["divide", *WORK, *arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_row_for_each_choice_of_split_points() -> None:
    done = run("divide", *WORK, "--leaf", "10")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["divide,", "bisection", "yes"] in [row[:3] for row in rows]
    assert ["divide,", "binomial", "yes"] in [row[:3] for row in rows]
    assert ["divide,", "optimal", "yes"] in [row[:3] for row in rows]
    assert "247 steps (elements); binary" in done.stdout


def test_replay_divides_too() -> None:
    one, other = run("divide", *WORK, "--leaf", "10"), run("replay", *WORK, "--divide", "binary", "--leaf", "10")
    assert other.returncode == 0
    kept = [[line for line in done.stdout.splitlines() if "divide," not in line] for done in (one, other)]
    assert kept[0] == kept[1]  # beside the times


def test_the_plan_s_figures_are_those_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    for more in (["--leaf", "7"], ["--time", "2", "--leaf", "20", "--divide", "treeverse"],
                 ["--space", "2", "--time", "3", "--steps", "statements"]):
        planned, ran = documents(capsys, *more, "--plan"), documents(capsys, *more)
        assert planned["reference"] is None
        for plan, whole in zip(planned["divisions"], ran["divisions"], strict=True):
            run_ = whole.pop("run")
            assert plan.pop("run") is None
            assert plan == whole
            assert run_["equal"]
            assert run_["peak_bytes"] == plan["predicted_peak_bytes"]
            assert run_["recomputed_steps"] == plan["recomputed_steps"]
            assert run_["tape_bytes"] == max(leaf["tape_bytes"] for leaf in plan["leaves"])


def test_the_document_is_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = documents(capsys, "--leaf", "30", "--mid", "optimal")["divisions"]
    assert found["rule"] == {"snapshots": 3, "reruns": 3, "leaf_steps": 30, "given": "log"}
    at = 247
    for leaf in found["leaves"]:
        assert (leaf["end"], leaf["first"] < leaf["end"]) == (at, True)
        at = leaf["first"]
    assert at == 0
    assert [one["at"] for one in found["capsules"]] == sorted(one["at"] for one in found["splits"])
    assert all(one["data_bytes"] <= one["live_to_end_bytes"] <= one["state_bytes"] for one in found["capsules"])
    assert {tuple(one["variables"]) for one in found["capsules"]} <= {("a", "k", "z"), ("k", "z"), ("z",)}


def test_one_capsule() -> None:
    done = run("divide", *WORK, "--at", "67")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "Capsule of head(x)>(y) at step 67 of 247" in text
    assert "long_callee.f90:5, in head, entered at step 0" in text
    assert "runs at" in text
    assert "in the loop of line 12: 30 iterations left" in text
    assert "live: a (8), k (4), z (24)" in text


def test_one_capsule_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = documents(capsys, "--at", "67")
    assert found["divisions"] == []
    assert found["capsule"]["size"]["data_bytes"] == 36
    head, work = found["capsule"]["procedures"]
    assert (head["line"], work["procedure"], work["entered"]) == (5, "work", 4)
    assert work["loops"] == [{"line": 12, "left": 30}]
    assert {"name": "x", "bytes": 24} not in work["live"]


def test_memory_is_kept_or_the_least_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    seen = []
    for room in (100_000, 800, 500):
        (found,) = documents(capsys, "--memory", str(room), "--mid", "optimal")["divisions"]
        assert found["run"]["peak_bytes"] <= room
        seen.append(found["run"]["recomputed_steps"])
    assert seen == sorted(seen)
    assert main(["divide", *WORK, "--memory", "1", "--mid", "optimal"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: --memory 1: no division of this run keeps within it; the least that works is ")
    least = said.split()[-1]
    (found,) = documents(capsys, "--memory", least, "--mid", "optimal")["divisions"]
    assert found["run"]["peak_bytes"] == int(least)
    assert main(["divide", *WORK, "--memory", str(int(least) - 1), "--mid", "optimal"]) == 2
    capsys.readouterr()


def test_memory_that_is_enough_for_some_split_points_only(capsys: pytest.CaptureFixture[str]) -> None:
    """Halves need more capsules than the others. Where all three were asked for, nothing ran."""
    least = {}
    for mid in MIDS:
        assert main(["divide", *WORK, "--memory", "1", "--mid", mid]) == 2
        least[mid] = int(capsys.readouterr().err.split()[-1])
    assert least["optimal"] < least["bisection"]
    found = documents(capsys, "--memory", str(least["bisection"] - 1))
    assert [one["mid"] for one in found["divisions"]] == ["binomial", "optimal"]
    assert all(one["run"]["peak_bytes"] < least["bisection"] for one in found["divisions"])
    assert found["too_large"] == [{"mid": "bisection", "least_bytes": least["bisection"]}]
    assert main(["divide", *WORK, "--memory", str(least["bisection"] - 1)]) == 0
    assert f"bisection: nothing keeps within --memory; the least that works is {least['bisection']}" in " ".join(
        capsys.readouterr().out.split())
    assert main(["divide", *WORK, "--memory", "1"]) == 2
    assert int(capsys.readouterr().err.split()[-1]) == min(least.values())


def test_the_least_memory_of_halves_is_no_more_than_what_other_options_find(capsys: pytest.CaptureFixture[str]) -> None:
    """They were given the reruns of eq. (23), so that their leaves were far longer than asked for."""
    grid = ("divide", str(CORPUS / "adaptive_grid.f"), "--head", "f(x)>(y)", "--set", "n=4", "--set", "l=7", "--set",
            "phi=3", "--quiet", "--plan", "--mid", "bisection")
    assert main([*grid, "--memory", "1"]) == 2
    least = int(capsys.readouterr().err.split()[-1])
    for leaf in ("4", "16", "64"):
        assert main([*grid, "--leaf", leaf, "--log", "--format", "json"]) == 0
        assert least <= json.loads(capsys.readouterr().out)["divisions"][0]["predicted_peak_bytes"]


def test_leaves_of_so_many_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    for found in documents(capsys, "--leaf", "200B")["divisions"]:
        assert max(leaf["tape_bytes"] for leaf in found["leaves"]) <= 200
        assert found["run"]["equal"]
    assert main(["divide", *WORK, "--leaf", "1b"]) == 2
    assert "a leaf tapes" in capsys.readouterr().err


def test_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    assert main(["divide", *WORK, "--leaf", "20", "--mid", "bisection", "--plan", "--picture", str(path)]) == 0
    root = ET.parse(path).getroot()
    colours = [one.get("stroke") for one in root.iter("{http://www.w3.org/2000/svg}path")]
    titles = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}title")]
    assert {"#009e73", "#d55e00", "#0072b2", "#e6b800", "#cc79a7"} == set(colours)
    assert colours.count("#d55e00") == colours.count("#0072b2") == colours.count("#009e73") + 1
    assert any("bytes of" in one and "long_callee.f90" in one for one in titles)


def test_the_loop_s_schedule_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Iterations of 1 and of 40 inner steps: the loop's leaves are as long as they are."""
    worst = (str(CORPUS / "inner_worst.f90"), "--head", "worst(x)>(y)", "--quiet", "--leaf", "20", "--mid", "optimal")
    assert main(["divide", *worst, "--loop", "6:2", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    loop, (divided,) = found["loop"], found["divisions"]
    assert (loop["line"], loop["snapshots"], loop["iterations"], loop["equal"]) == (6, 2, 5, True)
    assert loop["capsules"] <= 2
    assert loop["tape_bytes"] > 4*divided["run"]["tape_bytes"]
    assert main(["divide", *worst, "--loop", "6:2"]) == 0
    assert "loop 6, s = 2" in capsys.readouterr().out


def test_the_loop_beside_it_may_stand_in_a_callee(capsys: pytest.CaptureFixture[str]) -> None:
    """Called for 5 and for 6 steps: all of them are units of one schedule."""
    file = str(CORPUS / "loop_nested_call.f90")
    given = ["divide", file, "--head", "twice(x)>(y)", "--set", "n=6", "--set", "nt=5", "--quiet", "--no-cache",
             "--leaf", "100", "--format", "json"]
    assert main([*given, "--loop", "16:3"]) == 0
    loop = json.loads(capsys.readouterr().out)["loop"]
    assert (loop["iterations"], loop["equal"]) == (11, True)


@pytest.mark.parametrize(("arguments", "said"), [
    (["--loop", "13"], "--loop 13: no DO that counts begins there; such begin at work: 12"),
    (["--loop", "12:x"], "not a line"),
    (["--leaf", "0"], "not a number of steps"),
    (["--leaf", "x"], "not a number of steps"),
    (["--memory", "many"], "not a number of bytes"),
    (["--memory", "5MB", "--leaf", "3"], "--memory chooses"),
    (["--log", "--space", "3"], "--log chooses"),
    (["--at", "5000"], "the run has 247 steps"),
    (["--at", "5", "--picture", "x.svg"], "leave one of them out"),
    (["--picture", "x.png"], "ends in .svg"),
    (["--set", "nobody=3"], "no input"),
    (["--divide", "ternary"], "invalid choice"),
])
def test_what_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["divide", *WORK, *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--leaf", "3"], ["--divide", "binary", "--necessity"],
                                       ["--divide", "binary", "--strategy", "lazy"]])
def test_what_replay_refuses(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", *WORK, *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_read_is_refused_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    head = (CORPUS / "read_io.expected").read_text().partition("head: ")[2].splitlines()[0]
    assert main(["divide", str(CORPUS / "read_io.f90"), "--head", head, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "read_io.f90:" in said
    assert "replay does not execute" in said


# ---------------------------------------------------------------- the library, over a program of one's own


class Squares:
    """x becomes sin(x) again and again; a capsule is (step, x), its adjoint a number."""

    def __init__(self) -> None:
        self.resumed = 0

    def interrupt(self, capsule: tuple[int, float], steps: int, most: int) -> tuple[tuple[int, float], int]:
        from math import sin

        at, x = capsule
        for _ in range(steps):
            x = sin(x)
        return (at + steps, x), steps

    def resume(self, capsule: tuple[int, float]) -> float:
        raise AssertionError("no driver runs to the end")

    def adjoint(self, capsule: tuple[int, float], steps: int, adjoint: float) -> float:
        from math import cos, sin

        seen = [capsule[1]]
        for _ in range(steps - 1):
            seen.append(sin(seen[-1]))
        for x in reversed(seen):
            adjoint *= cos(x)
        return adjoint


@pytest.mark.parametrize("driver", ["binary", "treeverse"])
def test_a_program_of_one_s_own(driver: str) -> None:
    whole = Squares().adjoint((0, 1.0), 100, 1.0)
    assert snapset.divide(Squares(), (0, 1.0), 100, 1.0, leaf=3, log=True, mid="optimal", driver=driver) == whole
    assert snapset.divide(Squares(), (0, 1.0), 100, 1.0, space=2, leaf=1, driver=driver) == whole


def test_capsules_that_are_processes() -> None:
    """The example of docs/divide.md: by divisions, and at once."""
    done = subprocess.run([sys.executable, str(CORPUS.parent / "docs" / "fork_capsules.py")], capture_output=True,
                          text=True, timeout=120, check=True)
    divided, whole = done.stdout.split()
    assert divided == whole


def test_what_the_library_refuses() -> None:
    for more in ({}, {"log": True, "space": 1}, {"leaf": 1, "mid": "middle"}, {"leaf": 1, "driver": "ternary"}):
        with pytest.raises(InputError):
            snapset.divide(Squares(), (0, 1.0), 10, 1.0, **more)  # type: ignore[arg-type]
