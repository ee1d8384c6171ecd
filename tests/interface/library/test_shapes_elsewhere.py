"""An ALLOCATE that no head reaches tells a shape: results remembered without it do not serve with it, and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from snapset.cli.main import main

PROGRAM = """module grid
  integer, parameter :: n = 7
  real(8), allocatable :: h(:)
end module grid
subroutine p(x, y)
  use grid
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  h = h*x
!$AD CHECKPOINT-START
  h = h*h
!$AD CHECKPOINT-END
  y = sum(h*h)
end subroutine p
"""
SETUP = """subroutine init(k)
  use grid
  integer, intent(inout) :: k
  {0}
  k = k + 1
end subroutine init
"""
STATEMENTS = ("k = 2*k", "allocate (h(n))", "k = 3*k", "allocate(h(n + 1))", "if (allocated(h)) k = 4*k")
LENGTHS = ("size(h)", "7", "size(h)", "8", "size(h)")


def test_set_ups_that_change_are_felt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.f90").write_text(PROGRAM)

    def report(*options: str) -> str:
        assert main(["report", str(tmp_path / "p.f90"), str(tmp_path / "init.f90"), "--head", "p(x)>(y)", "--format",
                     "json", *options]) == 0
        return capsys.readouterr().out

    found = []
    for statement in STATEMENTS:
        (tmp_path / "init.f90").write_text(SETUP.format(statement))
        text = report("--cache-dir", str(tmp_path / "cache"))
        assert json.loads(text) == json.loads(report("--no-cache"))
        found.append(text)
    for text, length in zip(found, LENGTHS, strict=True):
        assert ("size(h)" in text) == (length == "size(h)")
        assert length == "size(h)" or str(8*int(length)) in text
