"""Each option of each command with nothing as its value, and with nonsense: one line and exit code 2, or an answer."""

from __future__ import annotations

import re
from argparse import Action
from pathlib import Path

import pytest
from snapset.cli.main import command_table, main

MARCH = """\
subroutine march(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t
  integer :: i
  t = x
  do i = 1, n
    !$AD CHECKPOINT-START
    t = t*sin(t)
    !$AD CHECKPOINT-END
  end do
  y = t
end subroutine
"""
FILE = ["march.f90", "--head", "march(x)>(y)"]
BEGINNINGS = {
    "report": FILE, "check": FILE, "diff": ["HEAD", "."], "replay": [*FILE, "--set", "n=3"],
    "messages": [*FILE, "--set", "n=3", "--ranks", "2"], "divide": [*FILE, "--set", "n=3"], "dag": FILE,
    "schedule": [*FILE, "--assume", "n=6"], "explain": [*FILE, "--at", "march@10", "t"],
    "compare": ["march.f90", "--source", "march.f90", "--head", "march(x)>(y)"], "verify": ["--claim", "dh7-valid"],
    "init": ["--print"], "schema": ["report"], "completion": ["bash"],
}
LEFT = ("--help", "--version")


def options(command: str) -> list[Action]:
    grammar, _ = command_table()[command]
    return [one for one in grammar()._actions if one.option_strings and not {*LEFT} & {*one.option_strings}]


@pytest.mark.sample(4)
@pytest.mark.parametrize("command", sorted(command_table()))
def test_no_value_makes_more_than_a_line(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("march.f90").write_text(MARCH)
    for one in options(command):
        name = one.option_strings[-1]
        for value in ("", "x", "-1", "x:y"):
            words = [name] if one.nargs == 0 else [f"{name}={value}"] if name.startswith("--") else [name, value]
            code = main([command, *BEGINNINGS[command], "--quiet", *words])
            out, err = capsys.readouterr()
            assert code in (0, 1, 2), words
            assert "Traceback" not in err, words
            if code == 2:
                assert out == "", words
                assert re.fullmatch(r"[^\n]*error: [^\n]+\n", err), (words, err)
            if one.nargs == 0:
                break


def test_every_command_is_looked_at() -> None:
    assert set(BEGINNINGS) == set(command_table())
