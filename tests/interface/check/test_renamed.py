"""A consistent renaming between lock and today is no change, and said once; anything else is not taken for one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from snapset.cli.main import main

from tests.analysis.recording.test_called_tape import CALLED, STEP

HEAD = ("--head", "top(x)>(y)", "--no-cache", "--tape-scalars")


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    Path("a.f90").write_text(CALLED + STEP)
    main(["check", "a.f90", *HEAD, "--update"])

    def check(text: str) -> list[str]:
        Path("a.f90").write_text(text)
        capsys.readouterr()
        code = main(["check", "a.f90", *HEAD])
        out, err = capsys.readouterr()
        assert code == bool(out)
        return [*(line.removeprefix("note: ") for line in err.splitlines()), *out.splitlines()]

    return check


def test_a_variable(findings) -> None:  # type: ignore[no-untyped-def]
    assert findings(re.sub(r"\bn\b", "zz", CALLED) + STEP) == [
        "a.f90:5: top, call of step 1: renamed: n is zz now"]


def test_a_procedure(findings) -> None:  # type: ignore[no-untyped-def]
    assert findings((CALLED + STEP).replace("step", "march")) == [
        "a.f90:5: top, call of march 1: renamed: step is march now"]


def test_another_variable_that_was_there_before_is_no_renaming(findings) -> None:  # type: ignore[no-untyped-def]
    """n is still declared: what the formulas count is another thing now."""
    found = findings(CALLED.replace("integer :: n, k", "integer :: n, k, m").replace("x(n)", "x(m)")
                     .replace("y, n)", "y, n, m)").replace("step(n,", "step(m,") + STEP)
    assert found
    assert not any("renamed" in one for one in found)


def test_a_renaming_and_a_change_are_both_said(findings) -> None:  # type: ignore[no-untyped-def]
    found = findings((CALLED + STEP.replace("    t = a(i)*a(i)\n", "    t = a(i)*a(i)\n    t = t*t\n")).replace(
        "step", "march"))
    assert any("renamed: step is march now" in one for one in found)
    assert any("tape of C" in one for one in found)


SEVERAL = """module m
  real(8) :: state(3)
contains
  subroutine top(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: u
    u = x
    state = x
    call first(u, x)
    call second(u)
    u = u*u
    call first(u, x)
    y = u*state(1)
  end subroutine
  subroutine first(a, b)
    real(8) :: a, b, loc
    loc = a*a
    a = loc*b*state(2)
    state(2) = a*loc
    call third(a)
    a = a*a
  end subroutine
  subroutine second(c)
    real(8) :: c
    call third(c)
    c = c*c*state(1)
    state(1) = c
  end subroutine
  subroutine third(d)
    real(8) :: d, tmp
    tmp = sin(d)
    d = tmp*d
    d = d*tmp
  end subroutine
end module
"""


@pytest.mark.parametrize(("renamed", "said"), [
    ({"first": "one", "second": "two"}, ["first is one", "second is two"]),
    ({"first": "second_", "third": "first_", "second": "third_"},
     ["first is second_", "second is third_", "third is first_"]),
    ({"a": "aa", "d": "dd"}, ["a is aa", "d is dd"]),
    ({"a": "aa", "d": "dd", "third": "last", "u": "v"}, ["a is aa", "d is dd", "third is last", "u is v"]),
    ({"state": "field"}, ["state is field", "state is field"]),
    ({"tmp": "work"}, []),
])
def test_several_procedures_and_what_stands_in_callees(
        renamed: dict[str, str], said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str]) -> None:
    """Each name once for each procedure of the head, also one that only stands in a callee's tape (`third::d`)."""
    monkeypatch.chdir(tmp_path)
    Path("a.f90").write_text(SEVERAL)
    main(["check", "a.f90", *HEAD, "--update"])
    Path("a.f90").write_text(re.sub(r"\w+", lambda match: renamed.get(match[0], match[0]), SEVERAL))
    capsys.readouterr()
    assert main(["check", "a.f90", *HEAD]) == 0
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert all("renamed:" in line for line in lines), lines
    assert sorted(line.partition("renamed: ")[2].partition(" now")[0] for line in lines) == sorted(said)


def test_two_renames_and_a_change_are_no_rename_of_what_changed(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.f90").write_text(SEVERAL)
    main(["check", "a.f90", *HEAD, "--update"])
    changed = SEVERAL.replace("    d = d*tmp\n", "    d = d*tmp\n    d = d*d\n")
    Path("a.f90").write_text(re.sub(r"\bd\b", "dd", changed))
    capsys.readouterr()
    main(["check", "a.f90", *HEAD])
    assert any("third::dd" in line or "tape" in line for line in capsys.readouterr().out.splitlines())
