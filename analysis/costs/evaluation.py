"""The model's figures as numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.numeric_value import value
from snapset.frontend.base.frozen_records import frozen


@frozen
class Prediction:
    """Bytes of a head's adjoint under one strategy; None where a size or trip count is not known."""

    peak: int | None
    traffic: int | None


def predicted(adjoints: Adjoints, order: Sequence[str], records: Mapping[str, ProcedureRecord],
              assume: Mapping[str, int]) -> Prediction:
    """Peak and traffic of the whole head, with ``assume`` giving values to sizes and trip counts.

    ``order``: the adjoint codes, callers first.
    Names are the head's (``n``, ``size(x)``, ``trips(procedure:line)``), lower case and without blanks.
    Exact where control flow is static; where it branches, the worse side counts.
    """
    cost = CostModel(HeadStructure(adjoints, order), records).head()
    given = valued(assume)
    return Prediction(value(cost.peak, given), value(cost.traffic, given))


def valued(assume: Mapping[str, int]) -> Callable[[Sym], int | None]:
    """Looks names up in ``assume``."""
    return lambda sym: assume.get("".join(sym.name.split()).lower())
