"""A module whose file was not given: it is named, with its USE, and so is what comes from it."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset

SOURCE = """\
subroutine top(x, y)
  implicit none
  real(8) :: x, y
  call step(x)
  y = x*x
end subroutine
subroutine step(x)
  use phys, only: dt
  implicit none
  real(8) :: x
  x = x*x*dt
  dt = dt*x
end subroutine
"""
MODULE = "module phys\n  real(8) :: dt\nend module\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    one, other = tmp_path / "top.f90", tmp_path / "phys.f90"
    one.write_text(SOURCE)
    other.write_text(MODULE)
    return one, other


def test_the_module_its_use_and_what_to_do(files: tuple[Path, Path]) -> None:
    (said,) = [one for one in snapset.report([str(files[0])], "top(x)>(y)").diagnostics if one.code == "SN201"]
    assert (said.span.line, said.severity) == (8, "warning")
    assert said.message.startswith("no given file holds module `phys`")
    assert said.message.endswith("add the file with MODULE phys")


def test_what_comes_from_it_says_so_in_the_sets(files: tuple[Path, Path]) -> None:
    (part,) = snapset.report([str(files[0])], "top(x)>(y)").parts
    assert part.sets.use_c == ("missing_module::dt", "missing_module::dt=>", "x")  # it may be a pointer
    (part,) = snapset.report([str(one) for one in files], "top(x)>(y)").parts
    assert part.sets.use_c == ("phys::dt", "x")


def test_two_missing_modules_may_hold_one_variable(tmp_path: Path) -> None:
    """Both may pass on a third one's: what is read by one name and written by the other is saved."""
    file = tmp_path / "two.f90"
    file.write_text(SOURCE.replace("dt = dt*x", "call also(x)") + "subroutine also(x)\n  use other, only: dt\n"
                    "  real(8) :: x\n  dt = x\nend subroutine\n")  # fmt: skip
    part = snapset.report([str(file)], "top(x)>(y)").parts[0]
    assert part.solutions["lazy"].snp == ("missing_module::dt", "x")


def test_a_head_in_a_module_that_was_not_given(files: tuple[Path, Path]) -> None:
    with pytest.raises(snapset.InputError, match="none holds module 'ocean': add the file that does"):
        snapset.report([str(one) for one in files], "ocean%run(x)>(y)")
    with pytest.raises(snapset.InputError) as raised:
        snapset.report([str(one) for one in files], "phys%run(x)>(y)")
    assert "none holds" not in str(raised.value)
