"""May and must are told apart by mypy: mixing them up is an error, what is sound is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api
from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, Must, exactly, members, set_of, union

SNIPPET = """\
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, union
from snapset.analysis.procedures.effect_sets import Effect

def mixed(use: May, out: May, kill: Must, visible: Exact) -> None:
{lines}
"""
SOUND = (
    "a: May = use | out",
    "a: May = use & out",
    "a: May = use & ~kill",
    "a: Must = kill & ~out",
    "a: Must = kill | kill & kill",
    "a: Must = ~use",
    "a: May = ~kill",
    "a: May = use & visible & ~visible | visible",
    "a: Must = visible & kill | visible",
    "a: May = use if out else EMPTY",
    "a: Must = union(one for one in (kill, kill))",
    "a: Must = exactly(use)",
    "a = Effect(use=use, out=visible, kill=kill & visible)",
)
MIXED = (
    "a: Must = use",
    "a: May = kill",
    "a: May = use | kill",
    "a: Must = kill | out",
    "a: Must = kill & use",
    "a: May = use & kill",
    "a: May = use & ~out",
    "a: Must = kill & ~kill",
    "a: May = ~use",
    "a: May = use | 4",
    "a: Must = union(one for one in (kill, use))",
    "a: Exact = use | visible",
    "a = Effect(kill=out)",
    "a = Effect(use=use, out=kill)",
    "a = Effect(kill=Effect(out=out).out)",
)


def complaints(lines: tuple[str, ...], folder: Path) -> set[str]:
    """The lines, each in a block of its own, that mypy does not accept."""
    text = SNIPPET.format(lines="\n".join(f"    if use:\n        {line}" for line in lines).replace("a:", "a{}:"))
    for number in range(text.count("a{}")):
        text = text.replace("a{}", f"a{number}", 1)
    file = folder / "snippet.py"
    file.write_text(text)
    said, _, _ = api.run(["--strict", "--follow-imports=silent", "--no-error-summary", "--cache-dir",
                          str(folder / "cache"), str(file)])  # fmt: skip
    numbers = [int(one) for one in re.findall(r"snippet\.py:(\d+): error", said)]
    first = text[: text.index("    if use:")].count("\n") + 2
    return {lines[(number - first) // 2] for number in numbers}


@pytest.mark.wide
def test_mypy_accepts_what_is_sound_and_nothing_else(tmp_path: Path) -> None:
    assert complaints(SOUND, tmp_path) == set()
    assert complaints(MIXED, tmp_path) == set(MIXED)


def test_at_run_time_they_are_numbers() -> None:
    assert May is Must is Exact is exactly is int
    assert (EMPTY, EVERYTHING) == (0, -1)


@pytest.mark.parametrize("indices", [(), (0,), (3, 70, 1)])
def test_sets_of_indices(indices: tuple[int, ...]) -> None:
    assert list(members(set_of(indices))) == sorted(indices)
    assert union(1 << index for index in indices) == set_of(indices)
