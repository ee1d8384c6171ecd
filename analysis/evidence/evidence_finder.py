"""Which statements put a location into a part's sets: use(C̄), out(C), out(C̄), out(D̄), Req.

Each of these is a least fixed point, so where it holds a location some statement put it there, and on the way from
there the set holds it everywhere. Of the statements that do, the nearest one is shown; calls and inner parts on the way
are entered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from snapset.analysis.dataflow.bitsets import singleton
from snapset.analysis.evidence.adjoint_reads import reads_in_part
from snapset.analysis.evidence.overwrites import changed_in_level, changed_in_part, written_in_first_run
from snapset.analysis.evidence.requirements import passed, required_before
from snapset.analysis.evidence.search import NONE_YET, Search, Steps
from snapset.analysis.evidence.steps import Chain, EvidenceStep
from snapset.analysis.evidence.ways import lines_of
from snapset.analysis.recording.strategies import Place


def chain(search: Search, name: str, place: Place, location: int) -> Chain:
    """The evidence that a set of a part, by the paper's name for it, holds a location."""
    return Chain(name, tuple(_with_lines(search, one) for one in _FINDERS[name](search, place, location) or ()))


def _with_lines(search: Search, step: EvidenceStep) -> EvidenceStep:
    nodes = search.adjoints.models.by_key[step.procedure].flow.nodes
    return replace(step, lines=lines_of(step.path, lambda node: nodes[node].span.line))


def _use_cbar(search: Search, place: Place, location: int) -> Steps | None:
    return reads_in_part(search, *search.at(place), place[2], location, NONE_YET)


def _out_c(search: Search, place: Place, location: int) -> Steps | None:
    return written_in_first_run(search, *search.at(place), place[2], location)


def _out_cbar(search: Search, place: Place, location: int) -> Steps | None:
    return changed_in_part(search, *search.at(place), place[2], location, NONE_YET)


def _out_dbar(search: Search, place: Place, location: int) -> Steps | None:
    adjoint, level = search.at(place)
    return changed_in_level(search, adjoint, level, level.graph.forward.succs.get(place[2], ()), location, NONE_YET)


def _req(search: Search, place: Place, location: int) -> Steps | None:
    """Also the derivative of an argument that the part, a call, passes."""
    adjoint, level = search.at(place)
    if level.parts[place[2]].passed & singleton(location):
        return (passed(search, adjoint.model, place[2], location),)
    return required_before(search, place, location, NONE_YET)


_FINDERS: Mapping[str, Callable[[Search, Place, int], Steps | None]] = {
    "Req": _req, "use(C̄)": _use_cbar, "out(C)": _out_c, "out(C̄)": _out_cbar, "out(D̄)": _out_dbar,
}
