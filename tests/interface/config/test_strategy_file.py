"""--strategy-file: a choice for many parts, committed beside the sources."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from snapset.cli.main import main

SOURCE = """subroutine relax(x, y)
  real(8) :: x, y, a, v
  a = x*x
  v = x*x
  y = v*v
  !$AD CHECKPOINT-START
  v = 2d0*a
  !$AD CHECKPOINT-END
  y = y + a*v
end subroutine
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "relax.f90").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*options: str) -> int:
    return main(["report", "relax.f90", "--head", "relax(x)>(y)", "--sets", *options])


def test_its_strategy_is_named_after_it(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "ours.txt").write_text("# v is small\n\nrelax@7: Sbk+=v\n")
    assert run("--strategy", "lazy", "--strategy-file", "ours.txt") == 0
    rows = {line.split("   ")[0].strip(): line.split() for line in capsys.readouterr().out.splitlines()}
    assert rows["solution"] == ["solution", "lazy", "ours"]
    assert (rows["Snp"], rows["Sbk"]) == (["Snp", "v", "(8)", "-"], ["Sbk", "-", "v", "(8)"])


@pytest.mark.parametrize(("data", "said"), [
    (b"eager\nOpt5+=a\n", "ours.txt:2:1: error: cannot read 'Opt5+=a'"),
    (b"\n# nothing\n", "no choice in ours.txt"),
    (b"eager\n\xff\xfe\n", "ours.txt:2:1: error: not a text"),
    (b"relax@8: lazy\n", "no checkpointed part is called relax@8; did you mean 'relax@7'?"),
    (None, "ours.txt"),
])
def test_what_is_no_strategy_is_one_line(data: bytes | None, said: str, here: Path,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    if data is not None:
        (here / "ours.txt").write_bytes(data)
    assert run("--strategy-file", "ours.txt") == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_device_is_no_strategy(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(here / "pipe")
    assert run("--strategy-file", "pipe") == 2
    assert "pipe is no regular file" in capsys.readouterr().err
