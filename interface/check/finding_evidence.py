"""The statements behind a finding: why a location is in a set today in which it was not when the lock was written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from snapset.analysis.evidence.steps import EvidenceStep
from snapset.check.lock_comparison import Finding
from snapset.check.lock_file import keys
from snapset.frontend.base.diagnostics import InputError, Span

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.evidence.part_explanation import HeadExplainer
    from snapset.analysis.results import HeadResult
    from snapset.frontend.ir import Program
    from snapset.library.analysis import Choices

SETS = {"req": "Req", "use_cbar": "use(C̄)", "out_c": "out(C)", "out_cbar": "out(C̄)", "out_dbar": "out(D̄)"}
MOST = 60
"""Locations of a head that evidence is looked for: whoever changes more does not read them one by one."""


def with_evidence(findings: Sequence[Finding], program: Program, heads: Iterable[Head],
                  results: Iterable[HeadResult], choices: Choices) -> tuple[Finding, ...]:
    """The same findings, those that a set explains with the statements that put the location there; sorted."""
    by_head = {result.head: (head, result) for head, result in zip(heads, results, strict=True)}
    found: list[Finding] = []
    for name in dict.fromkeys(one.head for one in findings):
        mine = [one for one in findings if one.head == name]
        if name in by_head and any(one.because for one in mine):
            mine = _of_head(mine, program, *by_head[name], choices)
        found += mine
    return tuple(sorted(found))


def _of_head(findings: list[Finding], program: Program, head: Head, result: HeadResult,
             choices: Choices) -> list[Finding]:
    from snapset.analysis.evidence.part_explanation import HeadExplainer
    from snapset.library.analysis import analysis_options, parse_strategies

    wanted = list(dict.fromkeys((one.part, one.location, one.because) for one in findings if one.because))[:MOST]
    strategies = {one.name: one for one in parse_strategies(choices.strategies)}
    used = next(one.strategy for one in findings if one.because)
    try:
        explainer = HeadExplainer(program, head, strategies[used], analysis_options(choices), result)
    except (InputError, KeyError):
        return findings
    ids = {key: part.id for key, part in keys(result.parts).items()}
    steps = {one: _steps(explainer, ids.get(one[0], ""), one[1], SETS[one[2]]) for one in wanted}
    return [_explained(one, steps.get((one.part, one.location, one.because), ())) for one in findings]


def _steps(explainer: HeadExplainer, part: str, location: str, name: str) -> tuple[EvidenceStep, ...]:
    from snapset.analysis.dataflow.bitsets import members
    from snapset.analysis.evidence.evidence_finder import chain

    for place, found in explainer.parts.items():
        if found.id == part:
            space = explainer.adjoints.by_key[place[0]].model.space
            for index in members(space.named(location)):
                steps = chain(explainer.search, name, place, index).steps
                if steps:
                    return steps
    return ()


def _explained(one: Finding, steps: tuple[EvidenceStep, ...]) -> Finding:
    if not steps:
        return one
    last = steps[-1]
    span = one.span if one.set.startswith("tape") else Span(last.file, last.line, last.line)
    return replace(one, span=span, evidence=steps)
