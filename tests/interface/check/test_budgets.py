"""Budgets of the project file: held to by ``snapset check``, one line and exit code 2 where they are malformed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interface.check.test_precommit import PROJECT, Check, check, project  # noqa: F401

HEAD, PART = '"decay(u)>(cost)"', '"decay, part 1"'


def budget(project: Path, text: str, assume: str = "n = 1000, steps = 10") -> None:  # noqa: F811
    (project / "snapset.toml").write_text(PROJECT.replace("n = 1000", assume) + f"\n[budgets]\n{text}\n")


def test_what_holds_is_not_said(project: Path, check: Check) -> None:  # noqa: F811
    budget(project, f'{PART} = {{ snapshot = 8000 }}\n{HEAD} = {{ peak = "80KB", strategy = "lazy" }}')
    check("--update")
    assert check() == (0, "", "")


def test_an_update_says_what_it_does_not_accept(project: Path, check: Check) -> None:  # noqa: F811
    """The lock is written all the same: a commit that follows would fail in CI."""
    budget(project, f"{PART} = {{ snapshot = 7999 }}")
    code, out, err = check("--update")
    assert (code, err) == (1, "")
    assert out == """\
snapset.lock: 1 head, 1 part written
decay.f90:13: decay, part 1: lazy: snapshot 8000 bytes, 1 over its budget of 7999; a budget holds until the project \
file gives another one
"""
    (project / "snapset.lock").unlink()
    budget(project, '"decay, part 7" = { snapshot = 7999 }')
    assert check("--update")[0] == 2
    assert not (project / "snapset.lock").exists()


def test_what_does_not(project: Path, check: Check) -> None:  # noqa: F811
    """1000 elements of 8 bytes, ten times."""
    budget(project, f'{PART} = {{ snapshot = 7999 }}\n{HEAD} = {{ peak = 79000, traffic = "1GB" }}')
    check("--update")
    code, out, err = check()
    assert (code, err) == (1, "")
    assert out == """\
decay.f90:13: decay, part 1
    lazy: snapshot 8000 bytes, 1 over its budget of 7999
snapset.toml:8: decay(u)>(cost)
    lazy: peak 80000 bytes, 1000 over its budget of 79000
2 causes; a budget holds until the project file gives another one
"""


def test_a_formula_is_no_figure(project: Path, check: Check) -> None:  # noqa: F811
    budget(project, f"{HEAD} = {{ peak = 79000 }}", "n = 1000")
    check("--update")
    code, out, _ = check()
    assert code == 1
    assert "lazy: peak is 8000*steps bytes: its budget of 79000 bytes needs numbers, by assume" in out


@pytest.mark.parametrize(("text", "said"), [
    ('"decay, part 7" = { snapshot = 1 }', "no head or part is called so; did you mean 'decay, part 1'?"),
    (f"{HEAD} = {{ snapshot = 1 }}", "a head has no snapshot, only peak, traffic"),
    (f"{PART} = {{ memory = 1 }}", "unknown figure memory"),
    (f"{PART} = {{ peak = -1 }}", "must be bytes"),
    (f'{PART} = {{ peak = "much" }}', "no size"),
    (f"{PART} = {{ peak = true }}", "must be bytes"),
    (f"{PART} = 8000", "must be a table of tables"),
    (f'{PART} = {{ strategy = "lazy" }}', "no figure"),
    (f'{PART} = {{ peak = 1, strategy = "eager" }}', "strategy eager is not analysed; analysed are lazy"),
])
def test_malformed(text: str, said: str, project: Path, check: Check) -> None:  # noqa: F811
    budget(project, text)
    code, out, err = check()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("snapset.toml:")
    assert said in err
