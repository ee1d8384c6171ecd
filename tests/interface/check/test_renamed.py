"""A consistent renaming between lock and today is one change, said once; anything else is not taken for one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from snapset.cli.main import main

from tests.analysis.recording.test_called_tape import CALLED, STEP

HEAD = ("--head", "top(x)>(y)", "--no-cache")


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    Path("a.f90").write_text(CALLED + STEP)
    main(["check", "a.f90", *HEAD, "--update"])

    def check(text: str) -> list[str]:
        Path("a.f90").write_text(text)
        capsys.readouterr()
        code = main(["check", "a.f90", *HEAD])
        lines = capsys.readouterr().out.splitlines()
        assert code == bool(lines)
        return lines

    return check


def test_a_variable(findings) -> None:  # type: ignore[no-untyped-def]
    assert findings(re.sub(r"\bn\b", "zz", CALLED) + STEP) == [
        "a.f90:5: top, call of step 1: renamed: n is zz now; accept with --update"]


def test_a_procedure(findings) -> None:  # type: ignore[no-untyped-def]
    assert findings((CALLED + STEP).replace("step", "march")) == [
        "a.f90:5: top, call of march 1: renamed: step is march now; accept with --update"]


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
