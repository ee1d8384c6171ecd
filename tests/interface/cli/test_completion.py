"""Completion is asked of a real bash; every command and option is in every script."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from snapset.cli.grammar.shell_completion import SHELLS
from snapset.cli.main import command_table, main


def printed(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(("words", "offered"), [
    (["snapset", "re"], {"report", "replay"}),
    (["snapset", "check", "--form"], {"--format"}),
    (["snapset", "check", "--format", "s"], {"sarif"}),
    (["snapset", "explain", "--format", "sarif"], set()),  # others have it
    (["snapset", "report", "--format", "html"], {"html"}),
    (["snapset", "completion", ""], {*SHELLS, "-h", "--help", "--debug"}),
    (["snapset", "report", "mod"], {"model one.f90"}),
    (["snapset", "check", "--baseline", "mod"], {"model one.f90"}),
])
def test_bash(words: list[str], offered: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model one.f90").write_text("")
    (tmp_path / "complete.sh").write_text(printed("bash", capsys) + """
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _snapset; printf '%s\\n' "${COMPREPLY[@]}"
""")
    done = subprocess.run(["bash", "complete.sh", *words], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert {line for line in done.stdout.splitlines() if line} == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_there(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(shell, capsys)
    for name, (grammar, _) in command_table().items():
        assert name in text
        for flag in grammar()._option_string_actions:
            wanted = rf"-l {flag[2:]}\b" if shell == "fish" and flag.startswith("--") else re.escape(flag.lstrip("-"))
            assert re.search(wanted, text), (name, flag)
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=text, text=True, check=False).returncode == 0


def test_an_unknown_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
