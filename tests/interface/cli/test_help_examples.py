"""Every example that a --help shows is run, on programs that fit it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from snapset.analysis.proof import verify as proof
from snapset.analysis.proof.verify import verify
from snapset.cli.main import main

from tests.support.command import run
from tests.support.corpus import CORPUS
from tests.support.interface.verdicts import all_verdicts

COMMANDS = ("report", "check", "diff", "replay", "schedule", "divide", "messages", "dag", "verify", "explain",
            "compare", "init", "schema", "completion")
FILES = {"burgers.f90": "burgers_region.f90", "relax.f90": "eager_wins.f90", "burg.f90": "loop_burgers_ab2.f90",
         "grid.f": "adaptive_grid.f", "halo.f90": "mpi_halo.f90"}
OCEAN = """\
module ocean
  type mesh
    real(8) :: area(6)
  end type mesh
  type(mesh) :: grid
contains
  subroutine advance(temp, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: temp(n)
    grid%area = 2*grid%area
    temp = temp*temp*grid%area(1)
  end subroutine advance
  subroutine step(temp, n, misfit)
    integer, intent(in) :: n
    real(8), intent(in) :: temp(n)
    real(8), intent(out) :: misfit
    real(8) :: t(n)
    grid%area = 1
    t = temp
    call advance(t, n)
    call advance(t, n)
    misfit = sum(t*t)
  end subroutine step
end module ocean
"""
MODEL = """\
subroutine step(q, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: q
  real(8) :: a, b
  a = sin(q) + n
  b = a*q
  q = a*b
end subroutine step
subroutine run(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i
  y = x
  !$AD BINOMIAL-CKP n 3 1
  do i = 1, n
    y = y*sin(y)
  end do
end subroutine run
"""
UNFIT = ("trace.jsonl", "gcov.json", "_b.f90", "v1.0", "Opt3+=")
"""What a run of MPI, gcov or Tapenade has written; a tag; options that this program's parts have not."""
SHORTER = {"l=401": "l=23", "n=100": "n=8", "10000": "500", "123456": "100", "nsteps=20": "nsteps=3",
           "set n=50": "set n=5"}


def examples(command: str) -> list[str]:
    """The lines that show a call, without what is said of them, pipes and redirections."""
    found = re.findall(rf"^  (snapset {command}\b.*)$", run(command, "--help").stdout, re.MULTILINE)
    return [re.split(r"  +|\s[|>#]\s", one)[0] for one in found if "CODE..." not in one]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with all programs, a project file and a lock."""
    place = tmp_path_factory.mktemp("examples")
    for name, there in FILES.items():
        shutil.copy(CORPUS / there, place / name)
    (place / "src").mkdir()
    (place / "include").mkdir()
    for name in ("src/ocean.F90", "src/ocean.f90", "model.f90"):
        (place / name).write_text(OCEAN if "ocean" in name else MODEL)
    (place / "snapset.toml").write_text('sources = ["burgers.f90"]\nheads = ["burgers(u)>(cost)"]\n')
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"],
                  ["commit", "-qm", "two", "--allow-empty"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=place, check=True)
    return place


@pytest.mark.sample(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_the_help_run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    found = examples(command)
    assert found
    monkeypatch.chdir(folder)
    monkeypatch.setattr(proof, "verify", lambda claim: verify(claim) if claim else all_verdicts())
    if command == "init":
        monkeypatch.chdir(folder / "src")
        (folder / "snapset.toml").rename(folder / "kept")
    elif command == "check":
        assert main(["check", "--update"]) == 0
    for one in found:
        if not any(word in one for word in UNFIT):
            for old, new in SHORTER.items():
                one = one.replace(old, new)
            words = [word for given in shlex.split(one)[1:] for word in
                     (sorted(str(path) for path in Path().glob(given)) if "*" in given and "/" in given else [given])]
            code = main([*words, *(["--quiet"] if command not in ("init", "schema", "completion") else [])])
            assert code in (0, 1), (one, capsys.readouterr().err)
    if command == "init":
        (folder / "kept").rename(folder / "snapset.toml")


def test_a_name_is_no_hint_for_itself(folder: Path, monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    """``no part's Opt3 holds 'a' ...; did you mean 'a'?``, as Opt1 holds it."""
    monkeypatch.chdir(folder)
    assert main(["report", "relax.f90", "--head", "relax(x)>(y)", "--strategy", "Opt3+=a", "--quiet"]) == 2
    assert "did you mean 'a'" not in capsys.readouterr().err
