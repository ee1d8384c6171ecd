"""A head without parts, and a gradient that is zero: what is said of it is true, and names the statement."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset
from snapset.render.pages.report_text import render

from tests.support.command import run

SUBROUTINES = """\
subroutine step(n, a)
  integer :: n
  real(8) :: a(n)
  a(1) = a(1)*a(1)
end subroutine
subroutine rounded(x, k)
  real(8) :: x(3)
  integer :: k
  k = nint(x(1))
end subroutine
"""


def reported(tmp_path: Path, body: str, head: str = "top(x)>(y)", **choices: object) -> snapset.HeadResult:
    """``body`` begins on line 15 of a file, behind two subroutines and the declarations of ``top``."""
    file = tmp_path / "top.f90"
    file.write_text(f"{SUBROUTINES}subroutine top(x, y, n)\n  real(8) :: x(3), y, c(3), t(3)\n"
                    f"  integer :: n, k\n  c = 2\n{body}end subroutine\n")  # fmt: skip
    return snapset.report([str(file)], head, snapset.Choices(**choices))  # type: ignore[arg-type]


CUT = {
    "integer": ("  call step(3, x)\n  k = int(x(1))\n  y = real(k)\n", 16,
                "k, computed here from x, is of type integer"),
    "constants": ("  call step(3, c)\n  y = c(1)\n", 16, "y gets its value here, from c, which has nothing of x"),
    "overwritten dependent": ("  call step(3, x)\n  y = x(1)\n  y = 3\n", 17, "y is overwritten here"),
    "overwritten independent": ("  x = 1\n  call step(3, x)\n  y = x(1)\n", 15, "x is overwritten here"),
    "subscript": ("  y = c(int(x(1)))\n", 15, "y depends here on x through an integer, a comparison, a subscript"),
    "inside a callee": ("  call rounded(x, k)\n  y = k\n", 9, "k, computed here from x, is of type integer"),
    "condition": ("  if (x(1) > 0) then\n    y = 1\n  else\n    y = 2\n  end if\n", 18, "from constants"),
    "text": ("  block\n  character(20) :: s\n  write (s, *) x(1)\n  read (s, *) y\n  end block\n", 17, "as text"),
    "nothing": ("  call step(3, x)\n", 11, "nothing that top runs gives y a value"),
}  # fmt: skip


@pytest.mark.parametrize("name", CUT)
def test_a_gradient_that_is_zero_is_said_at_the_statement_that_makes_it_so(tmp_path: Path, name: str) -> None:
    body, line, words = CUT[name]
    result = reported(tmp_path, body)
    (said,) = [one for one in result.diagnostics if one.code == "SN303"]
    assert (said.span.line, said.severity) == (line, "warning")
    assert said.message.startswith("no derivative leads from x to y, so the gradient is zero")
    assert words in said.message


SMOOTH = {
    "through a call": "  call step(3, x)\n  y = x(1)\n",
    "in a branch": "  y = 0\n  if (n > 2) y = x(2)\n",
    "through a local": "  t = x\n  k = int(x(1))\n  y = t(k)\n",
}


@pytest.mark.parametrize("name", SMOOTH)
def test_a_gradient_that_may_be_nonzero_is_not_complained_of(tmp_path: Path, name: str) -> None:
    assert not [one for one in reported(tmp_path, SMOOTH[name]).diagnostics if one.code == "SN303"]


def test_the_replayed_gradient_is_zero_where_it_is_said(tmp_path: Path) -> None:
    """The machine's store-all adjoint, which knows nothing of activity, agrees in every case and contradicts none."""
    for body, zero in [*((one[0], True) for one in CUT.values()), *((one, False) for one in SMOOTH.values())]:
        if "write" in body:
            continue  # the machine does not write texts
        reported(tmp_path, body)
        found = snapset.replay([str(tmp_path / "top.f90")], "top(x)>(y)", values={"n": 5, "x": [1.2, 1.3, 1.4]})
        assert any(one.code == "SN401" for one in found.diagnostics) == zero, body


NO_PARTS = {
    "no call": ("  y = x(1)*x(2)\n", {}, "no !$AD CHECKPOINT-START, no call, no --region"),
    "intrinsic": ("  call random_number(c)\n  y = x(1)*x(2)*c(1)\n", {},
                  "no !$AD CHECKPOINT-START, no call, no --region"),
    "never reached": ("  y = x(1)*x(2)\n  return\n  call step(3, x)\n", {},
                      "no !$AD CHECKPOINT-START, no call, no --region"),
    "zero": ("  call step(3, c)\n  y = c(1)\n", {}, "1 call (step at {}:15) without an adjoint: for the gradient is "
             "zero, see SN303"),
    "idle": ("  call step(3, c)\n  y = x(1)*c(1)\n", {}, "1 call (step at {}:15) without an adjoint: no derivative "
             "passes through it"),
    "two": ("  call step(3, c)\n  call step(3, c)\n  y = x(1)*c(1)\n", {},
            "2 calls (step at {0}:15, step at {0}:16) without an adjoint: no derivative passes through them"),
    "three": (3*"  call step(3, c)\n" + "  y = x(1)*c(1)\n", {},
              "3 calls (step at {0}:15, step at {0}:16, step at {0}:17) without an adjoint: "
              "no derivative passes through them"),
    "four": (4*"  call step(3, c)\n" + "  y = x(1)*c(1)\n", {},
             "4 calls (step at {0}:15, step at {0}:16, step at {0}:17 and 1 more) without an adjoint: "
             "no derivative passes through them"),
    "split": ("  call step(3, x)\n  y = x(1)\n", {"split": ("step",)}, "1 call (step at {}:15) in split mode"),
    "not wanted": ("  call step(3, x)\n  y = x(1)\n", {"call_checkpoints": False},
                   "1 call (step at {}:15) in split mode"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_PARTS)
def test_why_nothing_is_checkpointed(tmp_path: Path, name: str) -> None:
    body, choices, words = NO_PARTS[name]
    result = reported(tmp_path, body, **choices)  # type: ignore[arg-type]
    assert result.parts == ()
    assert result.no_parts == words.format(tmp_path / "top.f90")
    assert snapset.to_json(result)["no_parts"] == result.no_parts
    assert f"Nothing is checkpointed: {result.no_parts}." in render(result, width=1000)


def test_a_marked_part_that_carries_no_derivative_is_named(tmp_path: Path) -> None:
    file = tmp_path / "idle.f90"
    file.write_text("subroutine top(x, y)\n  real(8) :: x, y\n  call idle\n  y = x*x\ncontains\n  subroutine idle\n"
                    "    real(8) :: z\n    !$AD CHECKPOINT-START\n    z = 1\n    !$AD CHECKPOINT-END\n"
                    "  end subroutine\nend subroutine\n")  # fmt: skip
    result = snapset.report([str(file)], "top(x)>(y)")
    assert result.no_parts == (f"1 call (idle at {file}:3) without an adjoint; 1 marked part ({file}:8) in what has no "
                               "adjoint: no derivative passes through them")  # fmt: skip


def test_the_command_says_the_same_cold_and_warm(tmp_path: Path) -> None:
    """Also where an edit makes a part of what was kept useless."""
    reported(tmp_path, "  call step(3, x)\n  y = x(1)\n")
    cache = tmp_path / "cache"
    first = run("report", "top.f90", "--head", "top(x)>(y)", "--cache-dir", cache, cwd=tmp_path)
    assert "SN303" not in first.stdout
    reported(tmp_path, "  call step(3, x)\n  y = c(1)\n")
    for _ in range(2):
        found = run("report", "top.f90", "--head", "top(x)>(y)", "--cache-dir", cache, cwd=tmp_path)
        assert "top.f90:16:3: warning SN303" in found.stdout
        assert "peak bytes" in found.stdout
        assert found.stdout == run("report", "top.f90", "--head", "top(x)>(y)", "--no-cache", cwd=tmp_path).stdout


def test_a_head_without_real_arguments(tmp_path: Path) -> None:
    file = tmp_path / "count.f90"
    file.write_text("subroutine count(n)\n  integer :: n\n  n = n + 1\nend subroutine\n")
    (said,) = snapset.report([str(file)], "count").diagnostics
    assert (said.code, said.span.line) == ("SN303", 1)
    assert said.message.startswith("count has no real argument that could be its independents")
