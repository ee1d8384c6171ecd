"""A head replayed under one set of options after the other: what options do not change is made once."""

from __future__ import annotations

from collections.abc import Sequence

from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, Standard, compared, standard
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import Comparison
from snapset.frontend.ir import Program


class UnderOptions:
    """``compare(program, head, ...)`` for several options: modelled once, and its store-all adjoint run once."""

    def __init__(self, program: Program, head: Head, inputs: Inputs, wanted: ExperimentOptions) -> None:
        self.program = program
        self.head = head
        self.inputs = inputs
        self.wanted = wanted
        self.known: tuple[Models, Standard] | None = None  # of the program as it is

    def prepared(self, options: AnalysisOptions) -> tuple[Analysis, Standard]:
        """The analysis, and the store-all run of what it analyses: split mode adds variables to the program."""
        analysis = prepare(self.program, self.head, options, None if self.known is None else self.known[0])
        if self.known is not None and analysis.models.program is self.program:
            return analysis, self.known[1]
        ran = standard(analysis, self.inputs, self.wanted)
        if self.known is None and analysis.models.program is self.program:
            self.known = analysis.models, ran
        return analysis, ran

    def compared(self, strategies: Sequence[Strategy], options: AnalysisOptions) -> Comparison:
        analysis, ran = self.prepared(options)
        return compared(analysis, strategies, options, self.wanted, ran)
