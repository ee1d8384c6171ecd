"""Options that only a long run shows: ``replay --max-bytes`` and ``--max-steps``, ``verify --quiet``."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from snapset.analysis.proof import verify as proof
from snapset.cli import main
from snapset.cli.running import progress

SOURCE = """subroutine f(x, y, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i
  y = x
  do i = 1, n
    y = sin(y)*x
  end do
end subroutine f
"""
Here = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    monkeypatch.chdir(tmp_path)
    Path("f.f90").write_text(SOURCE)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main.main(list(arguments))
        out, err = capfd.readouterr()
        return code, out, err

    return command


def replayed(here: Here, *more: str) -> tuple[int, str, str]:
    return here("replay", "f.f90", "--head", "f(x)>(y)", "--set", "n=1000", "--quiet", *more)


def test_max_bytes_ends_a_run_that_keeps_more(here: Here) -> None:
    """Store-all keeps 8 bytes for y a turn, and what it takes to remember each statement."""
    code, out, err = replayed(here, "--max-bytes", "5000")
    assert (code, out) == (2, "")
    assert err.startswith("f.f90:")
    assert "the store-all adjoint keeps over 5000 bytes" in err
    assert err.count("\n") == 1
    assert replayed(here, "--max-bytes", "100000000")[0] == 0
    assert replayed(here)[0] == 0


def test_max_steps_ends_a_run_that_takes_more(here: Here) -> None:
    code, out, err = replayed(here, "--max-steps", "500")
    assert (code, out) == (2, "")
    assert "(--max-steps)" in err
    assert err.count("\n") == 1
    assert replayed(here, "--max-steps", "5000")[0] == 0


@pytest.mark.parametrize("option", ["--max-bytes", "--max-steps"])
@pytest.mark.parametrize("wrong", ["0", "-1", "many", "1.5"])
def test_a_limit_is_a_whole_number(option: str, wrong: str, here: Here) -> None:
    code, out, err = replayed(here, f"{option}={wrong}")
    assert (code, out) == (2, "")
    assert option in err
    assert err.count("\n") == 1


def test_verify_says_what_it_does_unless_quiet(monkeypatch: pytest.MonkeyPatch, here: Here) -> None:
    whole = proof.verify

    def slow(*arguments: Any, **options: Any) -> Any:
        time.sleep(0.3)
        return whole(*arguments, **options)

    monkeypatch.setattr(proof, "verify", slow)
    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, said, err = here("verify", "--claim", "dh7-complete")
    assert (code, err) == (0, "snapset: proving the claims about the equations (0 s)\n")
    assert here("verify", "--claim", "dh7-complete", "--quiet") == (0, said, "")
