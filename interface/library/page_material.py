"""Finds what the page of a report is made of.

Evidence is that of the first strategy. A part of some hundred variables gets it for the saved ones first; what is left
out of the page is left to ``snapset explain``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.analysis.results import HeadResult
from snapset.library.analysis import analysis_options, parse_strategies
from snapset.library.page_contents import HeadMaterial, PageMaterial

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.evidence.part_explanation import Explanation, HeadExplainer
    from snapset.analysis.pipeline import HeadAnalysis
    from snapset.analysis.recording.strategies import Place
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.analysis.replay.experiment.measurements import Comparison
    from snapset.library.analysis import Choices
    from snapset.library.session import Session

MOST_IN_PART = 60
"""Variables of a part that are explained."""


def explained_heads(session: Session, choices: Choices) -> tuple[HeadExplainer, ...] | None:
    """The session's heads, each analysed once for its result and for the evidence. None where earlier runs remember
    something: then the result is had for less, and the evidence by an analysis of its own."""
    from snapset.analysis.evidence.part_explanation import HeadExplainer

    first = parse_strategies(choices.strategies)[0]
    options = analysis_options(choices)

    def explained(analysis: HeadAnalysis) -> HeadExplainer:
        return HeadExplainer(analysis.program, analysis.given, first, options, analysis=analysis)

    return session.afresh(choices, explained)


def material(session: Session, choices: Choices, results: Iterable[HeadResult], inputs: Inputs | None = None,
             explainers: Iterable[HeadExplainer] | None = None) -> PageMaterial:
    """Of the results of the session's heads. ``inputs``: the heads are executed on them. ``explainers``: of the heads,
    where they have been made.

    Raises InputError for inputs that do not fit, as :func:`snapset.replay` does.
    """
    heads = []
    made = repeat(None) if explainers is None else explainers
    for head, result, explainer in zip(session.heads, results, made, strict=False):
        session.stage(f"looking for the statements behind {head.text}")
        why = _Evidence(explainer or _explainer(session, choices, head, result)) if result.parts else {}
        run = None if inputs is None else _run(session, choices, head, inputs)
        heads.append(HeadMaterial(result, why, run))
    return PageMaterial(tuple(heads), dict(_lines(session.files)))


def _explainer(session: Session, choices: Choices, head: Head, result: HeadResult) -> HeadExplainer:
    from snapset.analysis.evidence.part_explanation import HeadExplainer

    strategy = parse_strategies(choices.strategies)[0]
    return HeadExplainer(session.program(), head, strategy, analysis_options(choices), result)


class _Evidence(Mapping[tuple[str, str], "Explanation"]):
    """By a part's id and a location's name, why it is saved there, or why not: looked for when it is asked for, since
    a large program's page shows but a part of it."""

    def __init__(self, explainer: HeadExplainer) -> None:
        self.explainer = explainer
        self.places = {(part.id, explainer.adjoints.by_key[place[0]].model.space.infos[index].name): (place, index)
                       for place, part in explainer.parts.items() for index in _asked(explainer, place)}

    def __getitem__(self, asked: tuple[str, str]) -> Explanation:
        return self.explainer.explanation(*self.places[asked], costs=False)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def _asked(explainer: HeadExplainer, place: Place) -> list[int]:
    """The locations of a part that somebody may ask for: those that are kept, then those that an adjoint reads."""
    from snapset.analysis.dataflow.bitsets import members

    record = explainer.records[place[0]].levels[place[1]].solved[place[2]]
    choice, sets = record.choice, record.sets
    kept = choice.snp | choice.sbk | choice.req_d | choice.req_c
    return list(dict.fromkeys([*members(kept), *members(sets.use_cbar | sets.req)]))[:MOST_IN_PART]


def _run(session: Session, choices: Choices, head: Head, inputs: Inputs) -> Comparison:
    from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare

    session.stage(f"executing {head.text}")
    return compare(session.program(), head, parse_strategies(choices.strategies), inputs, analysis_options(choices),
                   ExperimentOptions(profile=True), session.stage)


def _lines(files: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What files include is not quoted."""
    for file in files:
        try:
            text = Path(file).read_text(errors="replace")
        except OSError:
            continue
        yield file, tuple(line.expandtabs().rstrip() for line in text.removesuffix("\n").split("\n"))
