"""The programs of benchmarks/realistic/ push no more than docs/tapenade.md says, and their gradient is right, poisoned.

What Tapenade pushes is in the same table; where we push more today, the page names the program.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import snapset

from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "tapenade.md").read_text()
PROGRAMS = sorted(one for one in (ROOT / "benchmarks" / "realistic").iterdir() if one.suffix in (".f", ".f90"))
QUICK = ("combustion", "dambreak", "radiation", "snowpack", "spectral", "semi_lagrange")  # what is computed again


def figures(name: str) -> tuple[int, int, int, bool]:
    """Bytes pushed: Tapenade's, lazy and optimal with --recompute; is Tapenade's gradient right?"""
    row = re.search(rf"^\| `{re.escape(name)}` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|.*\| (.*)\|$", PAGE, re.MULTILINE)
    assert row is not None, f"docs/tapenade.md has no row for {name}"
    peer, lazy, optimal = (int(row[at].replace(",", "")) for at in (1, 2, 3))
    return peer, lazy, optimal, not row[4].strip()


@pytest.mark.sample(3)
@pytest.mark.parametrize("source", [
    pytest.param(path, marks=() if path.stem in QUICK else pytest.mark.slow, id=path.stem) for path in PROGRAMS])
def test_bytes_are_those_of_the_page(source: Path) -> None:
    head = source.with_suffix(".head").read_text().strip()
    choices = snapset.Choices(strategies="lazy,optimal", recompute=True)
    found = snapset.replay([str(source)], head, choices)
    _, lazy, optimal, _ = figures(source.name)
    for run, most in zip(found.runs, (lazy, optimal), strict=True):
        assert run.equal, (run.name, run.error)
        assert (run.traffic_bytes or 0) - (run.control_bytes or 0) <= most, run.name


def test_where_more_is_pushed_than_by_tapenade_the_page_says_so() -> None:
    more = {path.name for path in PROGRAMS if (row := figures(path.name))[3] and max(row[1:3]) > row[0]}
    (said,) = re.findall(r"^More than Tapenade with `--recompute` alone in (.*?),", PAGE, re.MULTILINE)
    assert more == set(re.findall(r"`([^`]+)`", said))
