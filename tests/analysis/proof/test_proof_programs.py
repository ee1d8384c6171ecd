"""The programs shown with counterexamples: analysed, each has its location exactly in the sets it is shown for."""

from __future__ import annotations

from itertools import product

import pytest
from snapset import analyse
from snapset.analysis.proof.verify import Verdict
from snapset.analysis.proof.witness_programs import NAMES, Witness, one_part, two_parts
from snapset.frontend.load import load_text
from snapset.library.analysis import Choices

from tests.support.interface.verdicts import all_verdicts

CONTEXTS = [frozenset(name for name, held in zip(NAMES, bits, strict=True) if held)
            for bits in product((False, True), repeat=5)]


@pytest.fixture(scope="module")
def verdicts() -> tuple[Verdict, ...]:
    return all_verdicts()


def memberships(shown: Witness) -> frozenset[str]:
    """What the analyser says: the sets of the witness's parts that its location is in."""
    result = analyse(load_text(shown.program, name="s.f90"), shown.head, Choices(strategies=shown.strategy))
    assert tuple(part.id for part in result.parts) == shown.parts
    found = set()
    for number, part in enumerate(result.parts, 1):
        suffix = str(number) if len(result.parts) > 1 else ""
        found |= {name + suffix for name in NAMES if shown.location in getattr(part.sets, name)}
    return frozenset(found)


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: "-".join(sorted(context)) or "nowhere")
def test_every_context_occurs_in_a_program(context: frozenset[str]) -> None:
    assert memberships(one_part(context)) == context


@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("written", [False, True])
def test_two_parts_that_use_v(required: bool, written: bool) -> None:
    shown = two_parts(required=required, written=written)
    assert memberships(shown) == shown.inside


@pytest.mark.wide
def test_every_counterexample_has_a_program_that_has_it(verdicts: tuple[Verdict, ...]) -> None:
    for one in verdicts:
        for counter in one.counterexamples:
            assert counter.witness is not None, one.id
            found = memberships(counter.witness)
            if one.id == "tame-trimmed":  # told in terms of the part's statements
                assert found == {"out_cbar"}
                continue
            assert set(counter.inside) <= found, one.id
            assert not set(counter.outside) & found, one.id
