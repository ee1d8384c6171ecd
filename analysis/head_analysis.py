"""What is known of a head before a strategy is chosen; :mod:`snapset.analysis.pipeline` makes it."""

from __future__ import annotations

from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.analysis_options import AnalysisOptions as AnalysisOptions
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen


@frozen
class Analysis:
    """Everything about a head that no strategy changes. ``order``: the adjoint codes, callers first. ``zero``: why
    the gradient is zero, where it is."""

    head: Head
    models: Models
    adjoints: Adjoints
    order: tuple[str, ...]
    zero: Diagnostic | None = None
