"""``snapset check`` on a project on disk, alone and under the real pre-commit program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.cli import main

from tests.support.command import unhurried
from tests.support.interface import revisions
from tests.support.paths import ROOT

DECAY = """\
subroutine decay(u, n, steps, cost)
  implicit none
  integer, intent(in) :: n, steps
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: rate(n)
  integer :: i, step
  do i = 1, n
    rate(i) = 1.0d-2
  end do
  do step = 1, steps
    !$AD CHECKPOINT-START
    do i = 1, n
      u(i) = u(i) - rate(i)*u(i)*u(i)
    end do
    !$AD CHECKPOINT-END
  end do
  cost = 0.0d0
  do i = 1, n
    cost = cost + u(i)**2
  end do
end subroutine decay
"""
# The part now changes what it reads: rate has to be saved too.
LARGER = DECAY.replace("*u(i)*u(i)\n", "*u(i)*u(i)\n      rate(i) = rate(i)*u(i)\n")
MOVED = "! a comment\n\n" + DECAY
PROJECT = """\
sources = ["*.f90"]
heads = ["decay(u)>(cost)"]
assume = { n = 1000 }
strategy = "lazy"
"""


Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Check:
    """``snapset check`` in the project's directory: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> tuple[int, str, str]:
        code = main.main(["check", *arguments])
        return code, *capfd.readouterr()

    return called


@pytest.fixture
def project(tmp_path: Path, check: Check) -> Path:
    """A configured project whose lock is up to date."""
    (tmp_path / "snapset.toml").write_text(PROJECT)
    (tmp_path / "decay.f90").write_text(DECAY)
    assert check("--update") == (0, "snapset.lock: 1 head, 1 part written\n", "")
    return tmp_path


def test_nothing_changed(project: Path, check: Check) -> None:
    assert check() == (0, "", "")


def test_from_below_the_project(project: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".git").mkdir()  # outside of a repository only the current directory counts
    (project / "deep").mkdir()
    monkeypatch.chdir(project / "deep")
    assert check() == (0, "", "")


def test_lines_that_move_are_no_change(project: Path, check: Check) -> None:
    (project / "decay.f90").write_text(MOVED)
    assert check() == (0, "", "")


def test_a_larger_snapshot_names_location_bytes_and_statement(project: Path, check: Check) -> None:
    (project / "decay.f90").write_text(LARGER)
    code, out, err = check()
    assert (code, err) == (1, "")
    assert out == """\
decay.f90:15: rate(i) = rate(i)*u(i)
  16000 bytes more to save (lazy), in 1 part
  decay, part 1
    lazy: Snp gains rate, 8000 bytes, snapshot 8000 -> 16000 bytes: C overwrites it now
    lazy: the tape of C gains u, 8000 bytes
    lazy: peak 8000*steps -> 16000*steps bytes
    lazy: traffic 8000*steps -> 24000*steps bytes
1 cause; to accept it: snapset check --update, and commit snapset.lock
"""


def test_accepted_and_smaller_again(project: Path, check: Check) -> None:
    (project / "decay.f90").write_text(LARGER)
    assert check("--update")[0] == 0
    assert check() == (0, "", "")
    (project / "decay.f90").write_text(DECAY)
    code, out, _ = check()
    assert code == 1
    assert "Snp loses rate, 8000 bytes (smaller)" in out


def test_an_update_of_one_head_keeps_the_others(project: Path, check: Check) -> None:
    (project / "other.f90").write_text(DECAY.replace("decay", "other"))
    head = ("--head", "other(u)>(cost)")
    assert check("--update", *head)[0] == 0
    text = (project / "snapset.lock").read_text()
    assert '"decay(u)>(cost)"."decay, part 1"' in text
    assert '"other(u)>(cost)"."other, part 1"' in text
    assert check(*head) == (0, "", "")
    code, out, _ = check()
    assert code == 1
    assert "other(u)>(cost): this head is no longer analysed" in out


def test_a_corrupt_lock_is_unusable_and_an_update_mends_it(project: Path, check: Check) -> None:
    lock = project / "snapset.lock"
    good = lock.read_text()
    lock.write_text(good + "<<<<<<< mine\n")
    line = good.count("\n") + 1
    assert check() == (2, "", f"snapset.lock:{line}:1: error: not valid TOML: an unresolved merge; take it from git "
                              "again, or write it anew with snapset check --update\n")
    assert check("--update")[0] == 0
    assert lock.read_text() == good


def test_findings_that_nobody_reads_still_fail(project: Path) -> None:
    (project / "decay.f90").write_text(LARGER)
    command = f"{sys.executable} -m snapset check | true; echo ${{PIPESTATUS[0]}}"
    done = unhurried(subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, text=True, check=False))
    assert (done.stdout, done.stderr) == ("1\n", "")


# ---------------------------------------------------------------- the real pre-commit


def git(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return revisions.git(project, *arguments, PRE_COMMIT_HOME=str(project.parent / "pre-commit-home"))


@pytest.mark.wide
def test_a_commit_that_makes_a_snapshot_larger_is_stopped(project: Path, check: Check) -> None:
    """The published hook, but run from this Python instead of one pre-commit installs (that needs a network)."""
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
    hook = hook.replace("language: python", "language: system")
    hook = hook.replace("entry: snapset", f"entry: {sys.executable} -m snapset")
    indented = "".join(f"      {line}\n" for line in hook.splitlines())
    (project / ".pre-commit-config.yaml").write_text(f"repos:\n  - repo: local\n    hooks:\n{indented}")
    git(project, "init", "--quiet")
    install = [sys.executable, "-m", "pre_commit", "install"]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(project.parent / "pre-commit-home")}
    subprocess.run(install, cwd=project, env=environment, check=True, capture_output=True)
    git(project, "add", ".")
    first = git(project, "commit", "--quiet", "-m", "first")
    assert first.returncode == 0, first.stderr

    (project / "decay.f90").write_text(LARGER)
    stopped = git(project, "commit", "--quiet", "-am", "larger")
    assert stopped.returncode == 1
    said = stopped.stderr + stopped.stdout
    assert "\ndecay.f90:15: rate(i) = rate(i)*u(i)\n  changed, 16000 bytes more to save (lazy), in 1 part\n" in said
    assert "    lazy: Snp gains rate, 8000 bytes" in said
    assert ("1 cause; to accept it: snapset check --update (or git add -u, then pre-commit run snapset-update "
            "--hook-stage manual), and commit snapset.lock\n") in said

    lock = (project / "snapset.lock").read_text()
    git(project, "add", "-u")  # what is not staged pre-commit puts aside
    accept = [sys.executable, "-m", "pre_commit", "run", "snapset-update", "--hook-stage", "manual"]
    accepted = subprocess.run(accept, cwd=project, env=environment, check=False, capture_output=True, text=True)
    assert "snapset.lock: 1 head, 1 part written\n" in accepted.stdout
    assert (project / "snapset.lock").read_text() != lock
    assert check() == (0, "", "")
    assert git(project, "commit", "--quiet", "-am", "larger, accepted").returncode == 0

    (project / "decay.f90").write_text(re.sub(r"\brate\b", "speed", LARGER))
    assert git(project, "commit", "--quiet", "-am", "renamed").returncode == 0
    reformatted = "! moved\n\n" + re.sub(r" *([=+]) *", r" \1 ", re.sub(r"\brate\b", "speed", LARGER)).upper()
    (project / "decay.f90").write_text(reformatted)
    again = git(project, "commit", "--quiet", "-am", "reformatted")
    assert again.returncode == 0, again.stdout + again.stderr

    (project / "other.f90").write_text(DECAY.replace("decay", "other"))
    heads = '["decay(u)>(cost)", "other(u)>(cost)"]'
    (project / "snapset.toml").write_text(PROJECT.replace('["decay(u)>(cost)"]', heads))
    git(project, "add", ".")
    added = git(project, "commit", "--quiet", "-m", "a head")
    (line,) = [one for one in (added.stdout + added.stderr).splitlines() if "other(u)>(cost)" in one]
    assert (added.returncode, line) == (1, (
        "other.f90:13: other(u)>(cost): this head is not in the lock; to accept it: snapset check --update (or "
        "git add -u, then pre-commit run snapset-update --hook-stage manual), and commit snapset.lock"))


@pytest.mark.wide
def test_the_configuration_that_is_shown_gets_a_commit_that_exists(tmp_path: Path) -> None:
    """``rev: v0.1.0`` stood there, a tag that nobody had made."""
    page = (ROOT / "docs" / "project.md").read_text()
    block = page.partition("    # .pre-commit-config.yaml\n")[2].partition("\n\n")[0]
    config = re.sub(r"(repo: )\S+", rf"\1{tmp_path / 'snapset'}", textwrap.dedent(block))
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
    revisions.repository(tmp_path / "snapset", {".pre-commit-hooks.yaml": hooks})
    newest = revisions.commit(tmp_path / "snapset")
    named = re.search(r"^    rev: (\S+)", config, re.MULTILINE)
    assert named is not None
    assert revisions.git(tmp_path / "snapset", "rev-parse", "--verify", named[1]).returncode == 0
    revisions.repository(tmp_path / "work", {".pre-commit-config.yaml": config})
    done = subprocess.run([sys.executable, "-m", "pre_commit", "autoupdate", "--bleeding-edge"],
                          env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home")}, cwd=tmp_path / "work",
                          check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"    rev: {newest} " in (tmp_path / "work" / ".pre-commit-config.yaml").read_text()
