"""Every corpus program gives the sets that were derived by hand, and stays within what Tapenade saves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.results import HeadResult
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.load import load_program

from tests.support.corpus import CORPUS, compare, parse_expected, rewrite

EXPECTED = sorted(CORPUS.glob("*.expected"))

# What Tapenade 3.16 (option -b) pushes just before the first run of each part of the six reference programs,
# read off its generated code.
TAPENADE_SAVES = {
    ("burgers_region", "burgers@13"): {"nu", "u"},
    ("straight_line", "mix@15"): {"a", "b", "c", "t"},
    ("eager_wins", "relax@17"): {"a", "b"},
    ("calls", "shallow@46"): {"h", "v", "work"},
    ("calls", "advance@23"): set(),
    ("nested", "chain@16"): {"a", "b", "p", "q"},
    ("fixed_form", "orbit@13"): {"dt", "pos"},
}


def source_of(expected: Path) -> Path:
    sources = [path for path in sorted(CORPUS.glob(f"{expected.stem}.*")) if path.suffix != ".expected"]
    assert len(sources) == 1, f"one source beside {expected.name}, not {sources}"
    return sources[0]


@cache
def result_of(expected: Path) -> HeadResult:
    """The tool's answer for the program beside ``expected``, lazily and eagerly."""
    program = load_program([str(source_of(expected))], ReadOptions())
    head = parse_heads(parse_expected(expected.read_text()).head)[0]
    return analyse(program, head, parse_strategies("lazy,eager"), AnalysisOptions())


@pytest.mark.sample(3)
@pytest.mark.parametrize("expected", EXPECTED, ids=lambda path: path.stem)
def test_corpus_program(expected: Path, request: pytest.FixtureRequest) -> None:
    result = result_of(expected)
    if request.config.getoption("--update-corpus"):
        expected.write_text(rewrite(expected.read_text(), result))
        return
    lines = compare(parse_expected(expected.read_text()), result)
    if lines:
        pytest.fail("\n".join([f"{source_of(expected).name} differs from {expected.name}:", *lines]), pytrace=False)


def test_every_program_has_expectations() -> None:
    assert {path.stem for path in CORPUS.glob("*.f*")} == {path.stem for path in EXPECTED}


@pytest.mark.parametrize(("name", "part"), sorted(TAPENADE_SAVES))
def test_lazy_snapshot_is_within_tapenades(name: str, part: str) -> None:
    parts = {found.id: found for found in result_of(CORPUS / f"{name}.expected").parts}
    assert set(parts[part].solutions["lazy"].snp) <= TAPENADE_SAVES[name, part]


def test_trips_of_a_loop_that_only_restores_are_known() -> None:
    """loop_taped_only.f90: the bound m is overwritten after the loop: taped there, or the trips are recorded."""
    (part,) = result_of(CORPUS / "loop_taped_only.expected").parts
    for solution in part.solutions.values():
        assert (16, "w") in {(entry.line, entry.location) for entry in solution.tape}
        bound_taped = any(entry.line == 18 and entry.location == "m" for entry in solution.tape)
        trips_recorded = any(entry.line == 15 for entry in solution.control)
        assert bound_taped or trips_recorded
