"""``snapset schedule``: text, JSON by its schema, and what is unusable in one line."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
import snapset
from jsonschema import Draft202012Validator
from snapset.analysis.schedules.actions import Advance, Load
from snapset.cli.main import main
from snapset.documents.json_schema import json_schema

from tests.support.command import run
from tests.support.corpus import CORPUS
from tests.support.paths import ROOT
from tests.support.time_loops import LOOPS, file_of

BURG = file_of("loop_burgers_ab2")


def test_the_page_shows_what_the_docs_show() -> None:
    done = run("schedule", "corpus/loop_burgers_ab2.f90", "--head", "burg(u,nu)>(cost)", "--loop",
               "loop_burgers_ab2.f90:12", "--assume", "n=1000", "--assume", "nt=100", cwd=ROOT,
               PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    docs = (ROOT / "docs" / "loops.md").read_text()
    for line in done.stdout.splitlines():
        assert line.strip() in docs


def test_the_document_is_as_its_schema_says() -> None:
    texts = [run("schedule", file_of(name), "--head", LOOPS[name].head, "--loop", f"{file_of(name)}:{LOOPS[name].line}",
                 "--assume", "nt=9", "--memory", "9KB", "--actions", "best", "--format", "json").stdout
             for name in ("loop_ab3",)]
    texts.append(run("schedule", file_of("loop_while"), "--head", LOOPS["loop_while"].head, "--loop",
                     f"{file_of('loop_while')}:10", "--format", "json").stdout)
    for text in texts:
        Draft202012Validator(json_schema("schedule")).validate(json.loads(text))
    ab3, adaptive = map(json.loads, texts)
    assert [one["location"] for one in ab3["restart"]] == ["f0", "f1", "psi", "zeta"]
    assert adaptive["steps"] is None


@pytest.mark.parametrize(("arguments", "message"), [
    (("--loop", f"{BURG}:13"), ""),
    (("--loop", f"{BURG}:14"), "no DO loop begins in line 14; DO begins in line 12, line 13"),
    (("--loop", "burg"), "not FILE:LINE"),
    (("--loop", "other.f90:3"), "is none of the files read"),
    ((), "no loop given: say which with --loop FILE:LINE"),
    (("--loop", f"{BURG}:12", "--period", "0"), "not a number of iterations, 1 or more"),
    (("--loop", f"{BURG}:12", "--no-call-checkpoints", "--split", "f"), ""),
])  # fmt: skip
def test_what_is_unusable_is_one_line(arguments: tuple[str, ...], message: str,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["schedule", BURG, "--quiet", "--no-cache", "--head", "burg(u,nu)>(cost)", *arguments])
    said = capsys.readouterr().err
    assert (code, said.count("\n")) == ((2, 1) if message else (0, 0))
    assert message in said


def test_an_assigned_goto_out_of_the_loop_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.f90"
    path.write_text("subroutine p(x, y)\n  real(8) :: x, y\n  integer :: k, i\n  y = x\n  assign 10 to i\n"
                    "  do k = 1, 3\n    y = y*y\n"
                    "    goto i, (10, 20)\n  end do\n10 y = 2*y\n20 continue\nend subroutine\n")
    done = run("schedule", path, "--head", "p(x)>(y)", "--loop", f"{path}:6")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{path}:8:")
    assert done.stderr.count("\n") == 1


def test_the_pragma_and_the_project_file_name_loops(tmp_path: Path) -> None:
    (tmp_path / "t.f90").write_text(Path(BURG).read_text().replace("  do k", "  !$AD BINOMIAL-CKP 9 3 1\n  do k", 1))
    by_pragma = run("schedule", "t.f90", "--head", "burg(u,nu)>(cost)", cwd=tmp_path)
    assert "t.f90:13, nt steps" in by_pragma.stdout
    (tmp_path / "snapset.toml").write_text('sources = ["t.f90"]\nheads = ["burg(u,nu)>(cost)"]\nloops = ["t.f90:14"]\n')
    by_project = run("schedule", cwd=tmp_path)
    assert "t.f90:14, n - 2 steps" in by_project.stdout


def test_the_library_gives_the_same() -> None:
    (found,) = snapset.schedule([BURG], "burg(u,nu)>(cost)", f"{BURG}:12")
    assert str(found.sets.restart_bytes) == "16*n - 32"
    with pytest.raises(snapset.InputError, match="no loop given"):
        snapset.schedule([BURG], "burg(u,nu)>(cost)")


def test_the_table_has_the_figures_of_the_issue() -> None:
    """Burgers, n = 1000, 100 steps, 80 KB: derived by exhaustive programmes before any of this was written."""
    (found,) = snapset.schedule([BURG], "burg(u,nu)>(cost)", f"{BURG}:12", snapset.Choices(
        assume={"n": 1000, "nt": 100}), memory="80KB")
    rows = [(one.name, one.measured.forward_steps, one.measured.total, one.fits) for one in found.schedules]
    assert rows == [("all in memory", 100, 798400, False), ("mixed, unequal sizes", 301, 87824, True),
                    ("mixed, equal units", 352, 87824, True), ("revolve, 5 checkpoints", 416, 87824, True),
                    ("none (restart from the first)", 5050, 23952, True)]
    assert found.best is not None
    assert found.best.name == "mixed, unequal sizes"


def test_actions_pragma_and_picture(tmp_path: Path) -> None:
    picture = tmp_path / "p.svg"
    done = run("schedule", BURG, "--head", "burg(u,nu)>(cost)", "--loop", f"{BURG}:12", "--assume", "n=1000",
               "--assume", "nt=100", "--memory", "80KB", "--actions", "revolve", "--emit", "tapenade",
               "--picture", picture, PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "!$AD BINOMIAL-CKP 100 5 1" in done.stdout
    assert "5 snapshots of 15968 bytes; 416 forward steps" in done.stdout
    assert "EndReverse" in done.stdout
    assert picture.read_text().count("<path") > 300


def test_with_step_takes_the_working_storage_from_the_memory() -> None:
    choices = snapset.Choices(assume={"n": 1000, "nt": 100})
    (beside,) = snapset.schedule([BURG], "burg(u,nu)>(cost)", f"{BURG}:12", choices, memory=80000)
    (within,) = snapset.schedule([BURG], "burg(u,nu)>(cost)", f"{BURG}:12", choices, memory="87984+step")
    assert beside.best == within.best
    with pytest.raises(snapset.InputError, match="least budget that works is 15968 bytes"):
        snapset.schedule([BURG], "burg(u,nu)>(cost)", f"{BURG}:12", choices, memory=15967)


def test_a_loop_of_unknown_length_has_a_table_once_it_is_assumed() -> None:
    file, head = file_of("loop_while"), LOOPS["loop_while"].head
    (unknown,) = snapset.schedule([file], head, f"{file}:10", snapset.Choices(assume={"n": 10}), memory=400)
    assert (unknown.schedules, unknown.unknown) == ((), ("trips(adaptive:10)",))
    assert unknown.online is not None
    assert unknown.online.checkpoints == 5
    assert [(one.steps, one.runs) for one in unknown.online.guarantees] == [(6, 3), (21, 4), (56, 5), (126, 6)]
    with pytest.raises(snapset.InputError, match="too few for restart data, 80 bytes"):
        snapset.schedule([file], head, f"{file}:10", snapset.Choices(assume={"n": 10}), memory=79)
    (known,) = snapset.schedule([file], head, f"{file}:10", snapset.Choices(
        assume={"n": 10, "trips(adaptive:10)": 20}), memory=400)
    assert known.best is not None
    assert known.best.measured.sizes.steps == 20
    assert [one.name for one in known.schedules[-2:]] == ["online mixed", "online, 5 checkpoints"]


def test_what_holds_for_an_unknown_number_of_steps_is_said() -> None:
    arguments = (file_of("loop_while"), "--head", LOOPS["loop_while"].head, "--loop", f"{file_of('loop_while')}:10",
                 "--assume", "n=10", "--memory", "400")
    assert "no step is run more than 3 times up to 6 steps, 4 times up to 21" in " ".join(
        run("schedule", *arguments).stdout.split())
    document = json.loads(run("schedule", *arguments, "--format", "json").stdout)
    assert document["online"] == {"checkpoints": 5, "guarantees": [
        {"steps": 6, "runs": 3}, {"steps": 21, "runs": 4}, {"steps": 56, "runs": 5}, {"steps": 126, "runs": 6}]}


def test_replay_runs_the_loop_under_schedules() -> None:
    given = ("replay", BURG, "--head", "burg(u,nu)>(cost)", "--loop", f"{BURG}:12", "--set", "n=20", "--set", "nt=100",
             "--schedule", "best,revolve", "--memory", "1600")
    done = run(*given, PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "best yes 1728 276 94 99 same" in rows
    assert "revolve yes 1584 416 44 99 same" in rows
    document = json.loads(run(*given, "--format", "json").stdout)
    Draft202012Validator(json_schema("loop-replay")).validate(document)
    best = document["schedules"]["best"]
    assert best["as_predicted"] == "same"
    assert best["measured"] == best["predicted"]
    assert best["measured"]["read_bytes"] == read_by_hand(144, 288, 1600)


def read_by_hand(small: int, large: int, budget: int) -> int:
    """Dependencies, and what restarts one step, are small; what restarts more is large."""
    actions = snapset.best_schedule(steps=100, restart=large, dependencies=small, budget=budget,
                                    restart_by_span=[small, large]).actions
    total = 0
    for at, action in enumerate(actions):
        if isinstance(action, Load):
            run = itertools.takewhile(lambda one: isinstance(one, Advance), actions[at + 1:])
            total += large if sum(one.j - one.i for one in run) > 1 else small
    return total


@pytest.mark.parametrize(("arguments", "message"), [
    (("--schedule", "best"), "--schedule needs the bytes there are"),
    (("--schedule", "best", "--memory", "much"), "no size; write bytes"),
    (("--schedule", "best", "--memory", "80KB+tape"), "write bytes, or bytes+step"),
    (("--schedule", "quick", "--memory", "80KB"), "--schedule quick: no such schedule"),
    (("--schedule", "best", "--memory", "10"), "least budget that works is"),
    (("--period", "2"), "are for --schedule"),
    (("--schedule", "best", "--memory", "80KB", "--divide", "binary"), "leave --loop out, or --divide"),
])  # fmt: skip
def test_what_replay_cannot_do_is_one_line(arguments: tuple[str, ...], message: str,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["replay", BURG, "--quiet", "--no-cache", "--head", "burg(u,nu)>(cost)", "--loop", f"{BURG}:12",
                 *arguments])
    said = capsys.readouterr().err
    assert (code, said.count("\n")) == (2, 1)
    assert message in said


GRID = ("schedule", str(CORPUS / "adaptive_grid.f"), "--head", "f(x)>(y)", "--loop", "adaptive_grid.f:11")


@pytest.mark.wide
def test_a_plain_run_counts_what_no_formula_tells() -> None:
    """Siskind's Fig. 8 for l = 53, n = 2: sum m = 182, max m = 32, by the reference table; a step leaves 48 m + 12
    bytes (two rotations of x, theta twice, m, the trip count and j)."""
    done = run(*GRID, "--set", "n=2", "--set", "l=53", "--set", "phi=3", "--memory", "4KB", "--format", "json")
    (found,) = [json.loads(done.stdout)]
    Draft202012Validator(json_schema("schedule")).validate(found)
    (said,) = found["diagnostics"]
    assert "the loop of line 14 runs at most 32, 3.4 on average, a ratio of 9.32" in said["message"]
    table = {one["name"].split(",")[0]: one for one in found["schedules"]}
    assert table["all in memory"]["forward_steps"] == 53
    assert table["all in memory"]["peak_bytes"] == 48*182 + 12*53
    assert table["none (restart from the first)"]["peak_bytes"] == 16 + 48*32 + 12
    assert found["divide"]["fits"]
    assert found["divide"]["peak_bytes"] <= 4000 + 48*32 + 12


def test_what_divide_and_conquer_takes_is_what_the_plan_says(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--set", "n=2", "--set", "l=11", "--set", "phi=3", "--format", "json", "--quiet", "--no-cache")
    assert main([*GRID, *given, "--memory", "1500B+step"]) == 0
    found = json.loads(capsys.readouterr().out)["divide"]
    assert main(["divide", *GRID[1:4], *given, "--memory", "1500", "--plan", "--mid", "optimal"]) == 0
    plan = json.loads(capsys.readouterr().out)["divisions"][0]
    assert found["peak_bytes"] == plan["predicted_peak_bytes"]


@pytest.mark.parametrize(("given", "message"), [
    (("m=2",), "'m' is no input of f"),
    (("l=0", "n=2"), ""),
    (("n=-1",), ""),
    (("l=x",), "--set l=x"),
])
def test_inputs_that_are_unusable_are_one_line(given: tuple[str, ...], message: str,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    code = main([*GRID, "--quiet", "--no-cache", *(word for one in given for word in ("--set", one))])
    said = capsys.readouterr().err
    assert (code, said.count("\n")) == ((2, 1) if message else (0, 0)), said
    assert message in said


UNTOLD = """module state
  real(8) :: u(6), spent
contains
  subroutine advance(n)
    integer, intent(in) :: n
    real(8) :: x
    integer :: i
    do i = 1, n
      x = u(i)
      do while (x > 0.5d0)
        x = 0.5d0*x*x
        u(i) = u(i)*(1d0 + 0.1d0*x)
      end do
      u(i) = u(i) - 0.1d0*u(i)**2
    end do
  end subroutine
  subroutine march(n, steps)
    integer, intent(in) :: n, steps
    integer :: k
    do k = 1, steps
      call advance(n)
      u(1:n) = u(1:n)*u(1:n)
    end do
  end subroutine
end module
subroutine p(x, n, y)
  use state
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  u = x
  call march(n, 9)
  y = sum(u)
end subroutine
"""


def test_a_loop_in_a_callee_whose_steps_no_formula_tells_is_measured(tmp_path: Path,
                                                                     capsys: pytest.CaptureFixture[str]) -> None:
    """It was told that the run does not come to the loop; and that what a step leaves is not known. The table's figures
    are those that the machine measures under each schedule."""
    path = tmp_path / "t.f90"
    path.write_text(UNTOLD)
    given = [str(path), "--head", "p(x)>(y)", "--loop", f"{path}:20", "--set", "n=5", "--set", "x=0.9", "--memory",
             "300", "--format", "json", "--quiet", "--no-cache"]
    assert main(["schedule", *given]) == 0
    (found,) = [json.loads(capsys.readouterr().out)]
    assert found["measured"]
    table = {one["name"].split(",")[0]: one for one in found["schedules"] if one["fits"]}
    assert main(["replay", *given, "--schedule", "revolve,none"]) == 0
    ran = json.loads(capsys.readouterr().out)["schedules"]
    for name, row in (("revolve", "revolve"), ("none", "none (restart from the first)")):
        assert ran[name]["equal"]
        assert ran[name]["measured"]["peak_bytes"] == table[row]["peak_bytes"]
        assert ran[name]["measured"]["forward_steps"] == table[row]["forward_steps"]


def test_the_table_counts_what_a_step_takes_while_it_is_reversed(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a step that is a call: its snapshot, and above it what it tapes inside."""
    one = LOOPS["loop_nested_call"]
    given = [file_of("loop_nested_call"), "--head", one.head, "--loop", f"loop_nested_call.f90:{one.line}", "--set",
             "n=6", "--set", "nt=5", "--memory", "100", "--format", "json", "--quiet", "--no-cache"]
    assert main(["schedule", *given]) == 0
    table = {one["name"].split(",")[0]: one for one in json.loads(capsys.readouterr().out)["schedules"]}
    assert main(["replay", *given, "--schedule", "revolve,none"]) == 0
    ran = json.loads(capsys.readouterr().out)["schedules"]
    assert ran["revolve"]["measured"]["peak_bytes"] == table["revolve"]["peak_bytes"]
    assert ran["none"]["measured"]["peak_bytes"] == table["none (restart from the first)"]["peak_bytes"]


def test_long_formulas_leave_room_for_words(tmp_path: Path) -> None:
    """They took the page's width, and one letter stood in each line beside them."""
    path = tmp_path / "t.f90"
    path.write_text("subroutine p(x, n, m, l, nt, y)\n  integer :: n, m, l, nt, k\n  real(8) :: x, y, q\n"
                    "  real(8) :: first(n, m), second(m, l), third(n, l), fourth(n, n)\n  first = x\n  second = x\n"
                    "  third = x\n  fourth = x\n  q = 0\n  do k = 1, nt\n    first = first*first\n"
                    "    second = second*second\n    third = third*third\n    fourth = fourth*fourth\n"
                    "    q = q + x\n  end do\n  y = sum(first) + sum(second) + sum(third) + sum(fourth)\n"
                    "end subroutine\n")
    done = run("schedule", path, "--head", "p(x)>(y)", "--loop", f"{path}:10", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("restored by others" in line for line in lines)
    assert any("first, fourth," in line for line in lines)


def test_steps_that_depend_on_a_loop_around_are_counted_or_unknown(tmp_path: Path) -> None:
    """It was a KeyError: no number is that of the iteration of the loop around. The table is for the last time that the
    loop is entered, when it has most steps (for the first time it would say too little)."""
    path = tmp_path / "t.f90"
    path.write_text("subroutine p(x, m, y)\n  integer :: m, e, k\n  real(8) :: x, y\n  y = x\n  do e = 1, m\n"
                    "    do k = 1, 3 + e\n      y = sin(y)*x\n    end do\n  end do\nend subroutine\n")
    given = ("schedule", path, "--head", "p(x)>(y)", "--loop", f"{path}:6", "--memory", "32B")
    unknown, counted = run(*given, "--assume", "m=3"), run(*given, "--set", "m=3")
    assert (unknown.returncode, unknown.stderr) == (0, "")
    assert "no table of schedules without numbers" in unknown.stdout
    assert (counted.returncode, counted.stderr) == (0, "")
    assert ["all", "in", "memory", "6"] in [line.split()[:4] for line in counted.stdout.splitlines()]
