"""The equations against execution: a choice is valid exactly when the adjoint run under it has the right gradient."""

from __future__ import annotations

from itertools import product

import pytest
from snapset.analysis.activity.differentiation_head import Head, find_procedure, parse_heads
from snapset.analysis.equations import Partition, PartSets, SnapshotChoice, is_valid, solution
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import prepare
from snapset.analysis.proof.witness_programs import NAMES, one_part
from snapset.analysis.recording import to_be_recorded
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.gradient import Gradient, planned, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.ir import Program
from snapset.frontend.load import load_program, load_text

from tests.support.corpus import CORPUS, parse_expected

CONTEXTS = list(product((0, 1), repeat=5))
Loaded = tuple[Head, Machine, Analysis]


def prepared(program: Program, head: str) -> Loaded:
    (found,) = parse_heads(head)
    analysis = prepare(program, found)
    return found, Machine(analysis.models.program, find_procedure(program, found).key), analysis


def run(parts: Loaded) -> Gradient:
    head, machine, analysis = parts
    records = record_program(analysis.adjoints, analysis.order, LAZY)
    return planned(head, machine, analysis, records, Inputs())[0]


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_choice_is_valid_exactly_when_its_gradient_is_right(context: tuple[int, int, int, int, int],
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """Every context, every choice for v: all 512 cases."""
    shown = one_part(frozenset(name for name, held in zip(NAMES, context, strict=True) if held))
    parts = prepared(load_text(shown.program), shown.head)
    v = parts[2].adjoints.by_key[parts[1].root].model.space.named(shown.location)
    expected, _ = store_all(*parts[:2], Inputs())
    right = set()
    for entry in product((0, 1), repeat=4):
        def chosen(sets: PartSets, partition: Partition, entry: tuple[int, ...] = entry) -> SnapshotChoice:
            lazy = solution(sets, partition)
            four = zip((lazy.sbk, lazy.snp, lazy.req_d, lazy.req_c), entry, strict=True)
            return SnapshotChoice.of((held & ~v) | (v if wanted else 0) for held, wanted in four)

        monkeypatch.setattr(to_be_recorded, "solution", chosen)
        if run(parts).same(expected):
            right.add(entry)
    assert right == {entry for entry in product((0, 1), repeat=4) if is_valid(PartSets.of(context),
                                                                              SnapshotChoice.of(entry))}


def test_the_choice_7_misses_in_a_larger_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every location for which (7) misses Sbk alone, kept that way at every part."""
    found = 0

    def alone(sets: PartSets, partition: Partition) -> SnapshotChoice:
        nonlocal found
        lazy = solution(sets, partition)
        opt0 = sets.req & (sets.out_c | sets.out_dbar) & ~sets.use_cbar & ~sets.out_cbar
        found |= opt0
        return SnapshotChoice(sbk=lazy.sbk | opt0, snp=lazy.snp & ~opt0, req_d=lazy.req_d & ~opt0, req_c=lazy.req_c)

    path = CORPUS / "table_classes.f90"
    head = parse_expected(path.with_suffix(".expected").read_text()).head
    parts = prepared(load_program([str(path)]), head)
    expected, _ = store_all(*parts[:2], Inputs())
    monkeypatch.setattr(to_be_recorded, "solution", alone)
    assert run(parts).same(expected)
    assert found
