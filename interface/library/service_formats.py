"""``snapset report --format sarif|github|junit|markdown``: results whole, and for SARIF their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snapset.frontend.base.diagnostics import InputError
from snapset.render.formats import report_annotations, write
from snapset.render.formats.annotations import Flow, flow
from snapset.render.layout.byte_figures import Figures

if TYPE_CHECKING:
    from snapset.analysis.evidence.part_explanation import HeadExplainer
    from snapset.analysis.results import HeadResult, Part
    from snapset.library.analysis import Choices
    from snapset.library.session import Session


def run(session: Session, results: Sequence[HeadResult], choices: Choices, figures: Figures, form: str) -> str:
    """The text. For SARIF the session's program is asked why each saved location is."""
    evidence = _Evidence(session, choices) if form == "sarif" else _no_flows
    return write(report_annotations.outcome(results, figures, evidence), form)


def _no_flows(result: HeadResult, part: Part) -> tuple[Flow, ...]:
    return ()


class _Evidence:
    """For the parts of all heads, under the first strategy: why each saved location is."""

    def __init__(self, session: Session, choices: Choices) -> None:
        self.session = session
        self.choices = choices
        self.explainers: dict[str, HeadExplainer | None] = {}

    def __call__(self, result: HeadResult, part: Part) -> tuple[Flow, ...]:
        from snapset.analysis.dataflow.bitsets import members

        explainer = self._explainer(result)
        strategy = next(iter(result.strategies), "")
        if explainer is None or strategy not in part.solutions:
            return ()
        solution = part.solutions[strategy]
        place = next(at for at, one in explainer.parts.items() if one.id == part.id)
        space = explainer.adjoints.by_key[place[0]].model.space
        found: list[Flow] = []
        for location in sorted({*solution.snp, *solution.sbk}):
            for index in members(space.named(location)):
                chains = explainer.explanation(place, index, costs=False).chains
                found += [flow(f"{location} is in {one.set}", one.steps) for one in chains if one.steps]
        return tuple(found)

    def _explainer(self, result: HeadResult) -> HeadExplainer | None:
        from snapset.analysis.evidence.part_explanation import HeadExplainer
        from snapset.library.analysis import analysis_options, parse_strategies

        head = result.head
        if head not in self.explainers:
            self.session.stage(f"looking for the statements behind {head}")
            mine = next(one for one in self.session.heads if one.text == head)
            strategy = parse_strategies(self.choices.strategies)[0]
            try:
                self.explainers[head] = HeadExplainer(self.session.program(), mine, strategy,
                                                      analysis_options(self.choices), result)
            except InputError:
                self.explainers[head] = None
        return self.explainers[head]
