"""Every command as text, as JSON and as a page, as in the files of ``golden/``; of a page its words, line by line.

What report, check, diff and compare write for services stands in :mod:`test_formats`. SNAPSET_UPDATE_GOLDEN=1 writes
the files anew.
"""

from __future__ import annotations

import os
import re
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest
from snapset.cli.main import command_table, main

from tests.analysis.comparison.adjoint_cases import CALLS
from tests.analysis.comparison.compiled_adjoint import without
from tests.interface.render.formats.test_formats import FILES, GOLDEN, LARGER
from tests.support.corpus import CORPUS
from tests.support.interface.html_tree import read_page, words_of
from tests.support.interface.revisions import commit, repository

LOOP = """\
subroutine march(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t
  integer :: i
  t = x
  do i = 1, n
    t = t*sin(t)
  end do
  y = t
end subroutine
"""
RUN = ["run.f90", "--head", "run(x)>(y)"]
MARCH = ["march.f90", "--head", "march(x)>(y)"]
COMMANDS = {
    "report": (["report"], 0),
    "check": (["check"], 1),
    "diff": (["diff", "HEAD~1", "HEAD"], 1),
    "compare": (["compare", "a_b.f90", "--source", "o.f90", "--head", "model(x)>(y)"], 1),
    "dump": (["report", *RUN, "--dump", "to-be-recorded"], 0),
    "explain": (["explain", *RUN, "--at", "run@7", "t"], 0),
    "code": (["explain", "SN105"], 0),
    "replay": (["replay", *RUN, "--set", "x=2", "--necessity"], 0),
    "loop": (["replay", *MARCH, "--loop", "march.f90:8", "--set", "n=6", "--set", "x=2", "--schedule", "best",
              "--memory", "24"], 0),
    "schedule": (["schedule", *MARCH, "--loop", "march.f90:8", "--assume", "n=6", "--memory", "24"], 0),
    "divide": (["divide", *MARCH, "--set", "n=3", "--set", "x=2", "--leaf", "4"], 0),
    "messages": (["messages", "mpi_ring.f90", "--head", "model(x)>(y)", "--ranks", "2"], 0),
    "dag": (["dag", *RUN], 0),
    "verify": (["verify", "--claim", "opt1-in-snp0-any"], 0),
    "init": (["init", "--print"], 0),
    "schema": (["schema", "schedule"], 0),
}


NO_PAGE = ("dump", "html")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    repository(tmp_path, {**FILES, "snapset.toml": FILES["snapset.toml"].replace("*.f90", "run.f90")})
    assert main(["check", "--update", "--no-cache"]) == 0
    commit(tmp_path)
    (tmp_path / "run.f90").write_text(LARGER.replace("  print *, b\n", ""))
    commit(tmp_path)
    (tmp_path / "march.f90").write_text(LOOP)
    (tmp_path / "o.f90").write_text(CALLS.original)
    (tmp_path / "a_b.f90").write_text(without(CALLS.adjoint, 22))
    shutil.copy(CORPUS / "mpi_ring.f90", tmp_path)
    capsys.readouterr()
    return tmp_path


@pytest.mark.sample(2)
@pytest.mark.parametrize(("command", "form"), [
    *((command, form) for command in COMMANDS for form in ("text", "json", "html") if (command, form) != NO_PAGE),
    ("report", "pushes"), ("report", "taf")])
def test_as_in_the_file(command: str, form: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if command == "init":
        for path in (*project.glob("*.toml"), *project.glob("*.lock"), project / "a_b.f90"):
            path.unlink()
    arguments, code = COMMANDS[command]
    quiet = [] if command in ("schema", "init") else ["--quiet"]
    assert main([*arguments, *quiet, "--format", form]) == code
    out = capsys.readouterr().out.replace(str(project), "PROJECT").replace(version("snapset"), "(of snapset)")
    if form == "html":
        out = "".join(f"{line}\n" for line in words_of(read_page(out)))
    if command == "divide":  # how long it took
        pattern = r'(?<="slowdown": )[\d.e-]+' if form == "json" else r"(?m)(?<=[ |]) *\d+\.\d+$"
        out = re.sub(pattern, "(measured)", out)
    file = GOLDEN / f"every_{command}.{form}"
    if os.environ.get("SNAPSET_UPDATE_GOLDEN"):
        file.write_text(out)
    assert out == file.read_text()


def test_every_format_of_every_command_has_its_file() -> None:
    """As the grammar of each command has its formats."""
    lacking = []
    for command, (grammar, _) in command_table().items():
        for action in grammar()._actions:
            if "--format" in action.option_strings:
                lacking += [f"{command}.{form}" for form in action.choices or ()
                            if not any((GOLDEN / f"{prefix}{command}.{form}").exists() for prefix in ("", "every_"))]
    assert not lacking
