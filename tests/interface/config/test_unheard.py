"""A name given in an option, or in the project file, that nothing has: it is said, with the nearest one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from snapset.cli.main import main
from snapset.frontend.base.nearest_name import nearest

MARCH = """\
subroutine march(u, nsteps, cost)
  integer :: nsteps, unused, k
  real(8) :: u, cost
  do k = 1, nsteps
    call step(u)
  end do
  call solve(u)
  cost = u*u
end subroutine
subroutine step(u)
  real(8) :: u
  u = u*u
end subroutine
"""
HEAD = ("--head", "march(u)>(cost)", "--no-cache")


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """``said("report", ...)``: the lines on stderr, and the exit code."""
    (tmp_path / "march.f90").write_text(MARCH)
    monkeypatch.chdir(tmp_path)

    def lines(*arguments: str) -> tuple[int, list[str]]:
        capsys.readouterr()
        code = main(list(arguments))
        return code, capsys.readouterr().err.splitlines()

    return lines


def project(text: str) -> None:
    Path("snapset.toml").write_text(f'sources = ["march.f90"]\nheads = ["march(u)>(cost)"]\n{text}')


@pytest.mark.parametrize("command", [("report",), ("check", "--update"), ("dag", "--weights", "bytes"),
                                     ("explain", "--at", "step", "u")])
def test_an_assumed_name_that_no_formula_contains(said, command: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    what = "no cost depends on it" if command[0] == "dag" else "no formula contains it"
    code, lines = said(*command, "march.f90", *HEAD, "--assume", "nstep=5")
    near = "" if command[0] == "dag" else "; did you mean 'nsteps'?"
    assert code == 0
    assert lines[0].startswith(f"note: --assume nstep: {what}{near}")
    assert said(*command, "march.f90", *HEAD, "--assume", "nsteps=5")[1] == []
    assert said(*command, "march.f90", *HEAD, "--assume", "unused=5")[1] == [f"note: --assume unused: {what}"]
    assert said(*command, "march.f90", *HEAD, "--assume", "nstep=5", "--quiet")[1] == []


def test_json_has_it_too(said, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    """In every head's document, also from the page that is stored; ``--quiet`` is about stderr."""
    heads = ("--head", "march(u)>(cost)", "--head", "step(u)>(u)", "--format", "json")
    for quiet in ((), ("--quiet",)):
        assert main(["report", "march.f90", *heads, "--assume", "nstep=5", *quiet]) == 0
        documents = json.loads(capsys.readouterr().out)
        assert [one["notes"] for one in documents] == [
            ["--assume nstep: no formula contains it; did you mean 'nsteps'?"]]*2
    assert main(["report", "march.f90", *heads, "--assume", "nsteps=5"]) == 0
    assert [one["notes"] for one in json.loads(capsys.readouterr().out)] == [[], []]


def test_replay_says_it_too(said) -> None:  # type: ignore[no-untyped-def]
    Path("one.f90").write_text(MARCH.replace("  call solve(u)\n", ""))
    for strategy in ("lazy", "optimal"):
        options = ("replay", "one.f90", *HEAD, "--strategy", strategy)
        assert said(*options, "--assume", "nstep=5")[1] == [
            "note: --assume nstep: nothing has that name; did you mean 'nsteps'?"]
        assert said(*options, "--assume", "nsteps=5")[1] == []


def test_in_the_project_file_a_name_of_the_program_may_serve_another_head(said) -> None:  # type: ignore[no-untyped-def]
    project("assume = { nstep = 5, unused = 2, nsteps = 3 }\n")
    said("check", "--update")
    for arguments in (("report",), ("report",), ("check",)):  # the second time from the cache
        code, lines = said(*arguments)
        assert (code, lines) == (0, ["note: snapset.toml: assume: nstep: nothing has that name; did you mean "
                                     "'nsteps'?"])  # fmt: skip
    assert said("report", "--head", "march(u)>(cost)")[1] == []  # the others' names are for the others


def test_effects_of_what_nobody_calls(said) -> None:  # type: ignore[no-untyped-def]
    project('[effects]\nsolv = "inout"\nstep = "none"\nsolve = "inout"\n')
    assert said("report")[1] == ["note: snapset.toml: effects: solv: no call of it; did you mean 'solve'?",
                                 "note: snapset.toml: effects: step: its source is there and counts"]  # fmt: skip


SIMILAR = {
    "head": (("--head", "marhc(u)>(cost)"), "did you mean 'march'?"),
    "independent": (("--head", "march(nstep)>(cost)"), "did you mean 'nsteps'?"),
    "region": ((*HEAD, "--region", "mrach.f90:5-5"), "did you mean 'march.f90'?"),
    "file": (("march.f09", *HEAD), "march.f09:1:1: error: file does not exist; did you mean 'march.f90'?"),
    "strategy": ((*HEAD, "--strategy", "eger"), "unknown strategy 'eger'; did you mean 'eager'?"),
    "no strategy": ((*HEAD, "--strategy", " "), "--strategy names none; use lazy, eager"),
    "pattern": (("m*.f77", *HEAD), "m*.f77: no file matches"),
    "partition": ((*HEAD, "--strategy", "Opt1+=uu"), "no part's Opt1 holds 'uu'"),
}


@pytest.mark.parametrize("name", SIMILAR)
def test_what_is_unusable_names_the_nearest(said, name: str) -> None:  # type: ignore[no-untyped-def]
    options, words = SIMILAR[name]
    code, (line,) = said("report", "march.f90", *options)
    assert code == 2
    assert words in line


def test_a_project_key_a_claim_and_a_split(said, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    project("asume = { n = 5 }\n")
    assert said("report")[1][0].endswith("did you mean 'assume'?")
    assert "did you mean 'dh7-complete'?" in said("verify", "--claim", "dh7-complet")[1][0]
    project("")
    main(["report", "--split", "stpe"])
    assert "did you mean 'step'?" in " ".join(capsys.readouterr().out.split())


def test_nothing_near_is_nothing() -> None:
    assert nearest("zzz", ["n", "nsteps"]) == ""
    assert nearest("nstep", ["nsteps", "n"]) == "; did you mean 'nsteps'?"


@pytest.mark.parametrize("command", [("explain", "--at", "step", "u"), ("dag",), ("check", "--update")])
def test_a_name_that_is_split_for_nothing(said, command: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    code, lines = said(*command, "march.f90", *HEAD, "--split", "stp")
    assert code == 0
    assert lines[0].startswith("note: split 'stp': the heads reach no procedure of that name")
    assert lines[0].endswith("did you mean 'step'?")
    assert said("check", "--update", "march.f90", *HEAD, "--split", "step")[1] == []


def test_two_revisions(said) -> None:  # type: ignore[no-untyped-def]
    """A name that a formula of one of them contains is heard."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for text in (MARCH, MARCH.replace("do k = 1, nsteps", "do k = 1, 7")):
        Path("march.f90").write_text(text)
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
            subprocess.run([*git, *command], check=True)
    assert said("diff", "HEAD~1", "HEAD", "march.f90", *HEAD, "--assume", "nsteps=5")[1] == []
    assert said("diff", "HEAD~1", "HEAD", "march.f90", *HEAD, "--assume", "nstep=5")[1] == [
        "note: --assume nstep: no formula contains it; did you mean 'nsteps'?"]
