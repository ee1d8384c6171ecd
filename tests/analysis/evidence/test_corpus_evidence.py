"""Every location that a part of the corpus saves has its evidence, and every step of it is in the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.evidence.part_explanation import Explanation, HeadExplainer
from snapset.analysis.evidence.steps import Chain, EvidenceStep
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.load import load_program

from tests.support.corpus import CORPUS, parse_expected

EXPECTED = sorted(CORPUS.glob("*.expected"))
some = pytest.mark.parametrize("programs", [EXPECTED[::3], pytest.param(EXPECTED, marks=pytest.mark.wide)],
                               ids=["some", "all"])
NO_ASSIGNMENT = re.compile(
    r"\s*(do|if|else|select|call|end|where|forall|allocate|deallocate|subroutine|function)\b|.*=>", re.IGNORECASE)


@cache
def explainer(expected: Path, strategy: str) -> HeadExplainer:
    (source,) = (path for path in CORPUS.glob(f"{expected.stem}.*") if path.suffix != ".expected")
    (head,) = parse_heads(parse_expected(expected.read_text()).head)
    return HeadExplainer(load_program([str(source)]), head, *parse_strategies(strategy))


def saved(one: HeadExplainer) -> Iterator[Explanation]:
    for place in one.parts:
        choice = one.records[place[0]].levels[place[1]].solved[place[2]].choice
        for index in members(choice.snp | choice.sbk | choice.req_d | choice.req_c):
            yield one.explanation(place, index, costs=False)


def not_saved(one: HeadExplainer) -> Iterator[Explanation]:
    for place in one.parts:
        choice = one.records[place[0]].levels[place[1]].solved[place[2]].choice
        space = one.adjoints.by_key[place[0]].model.space
        for index in members(space.all() & ~(choice.snp | choice.sbk | choice.req_d | choice.req_c)):
            yield one.explanation(place, index, costs=False)


def is_way(flow: FlowGraph, path: tuple[int, ...]) -> bool:
    """Does each node follow the one before it, or, where the search went against control, come before it? An inner part
    is one node, which what is behind it follows."""
    behind = {level.enter: level.after for level in flow.levels}
    return all(two in flow.succs[one] or one in flow.succs[two] or two == behind.get(one) or one == behind.get(two)
               for one, two in pairwise(path))


def check_step(one: HeadExplainer, chain: Chain, step: EvidenceStep) -> None:
    model = one.adjoints.models.by_key[step.procedure]
    assert step.path, step
    node = model.flow.nodes[step.path[-1]]
    assert (node.span.file, node.span.line) == (step.file, step.line)
    assert is_way(model.flow, step.path), (chain.set, step)
    found = [i for i, info in enumerate(model.space.infos) if info.name == step.location]
    effect = model.effects[node.index]
    if step.role in ("reads", "overwrites"):
        touched = effect.out if step.role == "overwrites" else effect.use
        assert any(touched >> i & 1 for i in found) or step.note, (chain.set, step)
    if step.role == "calls":
        assert node.index in model.calls


@pytest.mark.sample(3)
@pytest.mark.parametrize("strategy", ["lazy", "eager"])
@pytest.mark.parametrize("expected", EXPECTED, ids=lambda path: path.stem)
def test_what_is_saved_has_its_evidence(expected: Path, strategy: str) -> None:
    one = explainer(expected, strategy)
    for found in saved(one):
        sides = {why.sets for why in found.reasons}
        assert sides, found
        for chain in found.chains:
            assert chain.steps, (found.part.id, found.location, chain.set)
            for step in chain.steps:
                check_step(one, chain, step)


@some
def test_the_last_line_names_the_variable(programs: list[Path]) -> None:
    """Read off the source, not asked of the analysis: statements of programs in which nothing has two names."""
    wrong, right = [], 0
    for expected in programs:
        one = explainer(expected, "lazy")
        for found in saved(one):
            for chain in found.chains:
                step = chain.steps[-1]
                line = Path(step.file).read_text().splitlines()[step.line - 1]
                variable = re.split(r"%|=>|\[|\(", step.location.rpartition("::")[2].strip("/"))[0]
                if step.role == "unknown" or NO_ASSIGNMENT.match(line) or line.rstrip().endswith("&"):
                    continue
                if re.search(rf"(?<!\w){re.escape(variable)}(?!\w)", line, re.IGNORECASE):
                    right += 1
                else:
                    wrong.append((expected.stem, step.line, step.location))
    assert right > (700 if programs == EXPECTED else 150)
    assert {stem for stem, *_ in wrong} <= TWO_NAMES, wrong


TWO_NAMES = {  # pointers, EQUIVALENCE; a mask, a statement function stand elsewhere
    "associate_pointer", "chosen_physics", "equivalence", "equivalence_partial", "equivalence_shifted", "particles",
    "pointer_families", "pointers", "statement_function", "where_mask", *(one.stem for one in CORPUS.glob("mpi_*.f90")),
}  # fmt: skip


@some
def test_what_is_not_saved_has_a_reason(programs: list[Path]) -> None:
    """Its sets are those that the reason speaks of, and what the reason names is shown."""
    count = 0
    for expected in programs:
        one = explainer(expected, "lazy")
        for found in not_saved(one):
            count += 1
            (why,) = found.reasons
            assert why.text
            assert set(why.sets) <= set(found.member.names)
            for chain in found.chains:
                assert chain.steps, (expected.stem, found.part.id, found.location, chain.set)
                for step in chain.steps:
                    check_step(one, chain, step)
    assert count > (200 if programs == EXPECTED else 50)
