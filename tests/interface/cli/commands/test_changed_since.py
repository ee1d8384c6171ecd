"""``report --changed-since``: the parts that a change touches, in themselves or below, and no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from snapset.cli.main import main

MODEL = """\
subroutine model(x, y)
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  call first(x)
  call second(x)
  !$AD CHECKPOINT-START
  x = x*x
  y = x*x
  !$AD CHECKPOINT-END
  y = y*y
end subroutine
subroutine first(x)
  real(8), intent(inout) :: x
  call inner(x)
end subroutine
subroutine inner(x)
  real(8), intent(inout) :: x
  x = x*sin(x)
end subroutine
subroutine second(x)
  real(8), intent(inout) :: x
  x = x*x
end subroutine
"""
OPTIONS = ["report", "m.f90", "--head", "model(x)>(y)", "--quiet", "--no-cache", "--changed-since"]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("m.f90").write_text(MODEL)
    commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]
    for words in (["init", "-q"], ["add", "m.f90"], commit):
        subprocess.run(["git", *words], check=True)
    return tmp_path


@pytest.mark.parametrize(("old", "new", "parts"), [
    ("x*sin(x)", "x*cos(x)", ["model@4", "first@14"]),
    ("  x = x*x\n  y = x*x\n", "  x = x*x*2\n  y = x*x\n", ["model@7"]),
    ("  x = x*x\nend", "  x = x*x*x\nend", ["model@5"]),
    ("  y = y*y\n", "  y = y*y*y\n", []),
    ("  x = x*sin(x)\n", "  x = X*sin( x )  ! sine\n", []),
])
def test_the_parts_that_a_change_touches(repository: Path, old: str, new: str, parts: list[str],
                                         capsys: pytest.CaptureFixture[str]) -> None:
    assert MODEL.count(old) == 1
    Path("m.f90").write_text(MODEL.replace(old, new))
    assert main([*OPTIONS, "HEAD"]) == 0
    out = capsys.readouterr().out
    assert [line.split(":")[0] for line in out.splitlines() if "@" in line and not line.startswith(" ")] == parts
    assert ("no checkpointed part has changed since HEAD" in out) == (not parts)


def test_a_file_that_the_revision_does_not_have_is_new(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.f90").rename("n.f90")
    assert main([*["n.f90" if one == "m.f90" else one for one in OPTIONS], "HEAD"]) == 0
    assert "model@7" in capsys.readouterr().out


@pytest.mark.parametrize(("more", "message"), [
    (["nowhere"], "nowhere: no revision of this repository"), (["HEAD", "--sets"], "--sets says otherwise"),
    (["HEAD", "--format", "json"], "--format json says otherwise"), (["HEAD", "--part", "model@7"], "--part says"),
])
def test_what_cannot_be_is_one_line(repository: Path, more: list[str], message: str,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*OPTIONS, *more]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
