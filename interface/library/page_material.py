"""Finds what the page of a report is made of.

Evidence is that of the first strategy. A part of some hundred variables gets it for the saved ones first; what is left
out of the page is left to ``snapset explain``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.analysis.results import HeadResult
from snapset.library.analysis import analysis_options, parse_strategies
from snapset.library.page_contents import HeadMaterial, PageMaterial

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.evidence.part_explanation import Explanation, HeadExplainer
    from snapset.analysis.recording.strategies import Place
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.analysis.replay.experiment.measurements import Comparison
    from snapset.library.analysis import Choices
    from snapset.library.session import Session

MOST_IN_PART = 60
"""Variables of a part that are explained."""


def material(session: Session, choices: Choices, results: Iterable[HeadResult],
             inputs: Inputs | None = None) -> PageMaterial:
    """Of the results of the session's heads. ``inputs``: the heads are executed on them.

    Raises InputError for inputs that do not fit, as :func:`snapset.replay` does.
    """
    heads = []
    for head, result in zip(session.heads, results, strict=True):
        session.stage(f"looking for the statements behind {head.text}")
        why = dict(_why(session, choices, head)) if result.parts else {}
        run = None if inputs is None else _run(session, choices, head, inputs)
        heads.append(HeadMaterial(result, why, run))
    return PageMaterial(tuple(heads), dict(_lines(session.files)))


def _why(session: Session, choices: Choices, head: Head) -> Iterator[tuple[tuple[str, str], Explanation]]:
    from snapset.analysis.evidence.part_explanation import HeadExplainer

    strategy = parse_strategies(choices.strategies)[0]
    explainer = HeadExplainer(session.program(), head, strategy, analysis_options(choices))
    for place, part in explainer.parts.items():
        for index in _asked(explainer, place):
            found = explainer.explanation(place, index, costs=False)
            yield (part.id, found.location), found


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
