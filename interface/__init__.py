"""snapset: what a reverse-mode adjoint must save at each checkpoint.

    import snapset
    result = snapset.report(["burgers.f90"], head="burgers(u)>(cost)")
    for part in result.parts:
        print(part.id, part.solutions["lazy"].snp)

:func:`report` and :func:`reports` answer for files; :func:`load` and :func:`analyse` do it in two steps;
:func:`solve` needs no Fortran at all, only a part's sets, and their bytes to give the cheapest choice;
:mod:`snapset.flow` analyses the flow graph of an AD tool that has its own parser;
:func:`to_json` makes ``--format json``'s document.
:func:`minimal_solutions` walks all solutions of a part; :func:`verify` proves or refutes the claims about the
equations.
:func:`compare` judges the adjoint that an AD tool made of a head: what it saves too much, what is missing.
:func:`explain` tells which statements make a part save a variable, or why it need not.
:func:`replay` executes an adjoint with the sets and compares its gradient; :func:`replay_document` makes its JSON.
Bytes in results are :class:`Quantity`: formulas that add, compare, take numbers, and turn into sympy expressions.
:func:`best_schedule` says when to store, restart and reverse the steps of a loop, from sizes alone.
:func:`schedule` gives what restarts a time loop, and what its adjoint needs of each step.
:func:`divide` runs the adjoint of any program that can be interrupted and resumed, by divide and conquer.
:mod:`snapset.dag` chooses what to store and what to recompute, on graphs an AD tool built itself.
Nothing prints, nothing is kept between calls. Input that is unusable raises :class:`InputError`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snapset import dag, flow
    from snapset.analysis.comparison.verdicts.compared_head import ComparedHead, SavedValue
    from snapset.analysis.comparison.verdicts.missing_values import MissingValue
    from snapset.analysis.equations import NamedSolution
    from snapset.analysis.evidence.part_explanation import Explanation, OtherChoice
    from snapset.analysis.evidence.reasons import Membership, Reason
    from snapset.analysis.evidence.steps import Chain, EvidenceStep
    from snapset.analysis.placement.part_choice import cheapest
    from snapset.analysis.proof.verify import Counterexample, Verdict, verify
    from snapset.analysis.proof.witness_programs import Witness
    from snapset.analysis.recording.minimal_solutions import (
        MinimalSolution,
        MinimalSolutions,
        minimal_solutions,
        minimal_solutions_of,
    )
    from snapset.analysis.replay.experiment.measurements import (
        Comparison,
        Difference,
        Lost,
        Necessity,
        Numbers,
        PushedBytes,
        Reference,
        StrategyRun,
    )
    from snapset.analysis.replay.experiment.used_inputs import InputUsed
    from snapset.analysis.results import (
        AgainEntry,
        ContextCode,
        ControlEntry,
        Frontier,
        FrontierPoint,
        HeadResult,
        MessageCall,
        Move,
        Optimality,
        OptionalSets,
        Part,
        PartMessages,
        PushedPlace,
        Sets,
        Solution,
        SplitCall,
        TapeEntry,
        Total,
    )
    from snapset.analysis.schedules.best_schedule import BestSchedule, InfeasibleBudgetError, best_schedule
    from snapset.analysis.symbolic.comparison import Truth
    from snapset.analysis.symbolic.numeric_value import UnknownSizeError
    from snapset.analysis.symbolic.polynomials import Quantity
    from snapset.frontend.base.default_kinds import DefaultKinds
    from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
    from snapset.frontend.base.source_model import ReadOptions
    from snapset.library.adjoint_comparison import compare
    from snapset.library.analysis import Choices, analyse, load, report, reports
    from snapset.library.choosing.part_solving import solve
    from snapset.library.choosing.strategy_objects import ByPart, MarkedLines, NamedStrategy, OptSides
    from snapset.library.divide import divide
    from snapset.library.explanation import explain
    from snapset.library.replay import replay
    from snapset.library.schedule import schedule
    from snapset.render.records.replay_json import replay_document
    from snapset.render.records.report_json import to_json

__version__: str
"""As of the installed package; see the changelog for what a version promises."""

__all__ = [
    "AgainEntry",
    "BestSchedule",
    "ByPart",
    "Chain",
    "Choices",
    "ComparedHead",
    "Comparison",
    "ContextCode",
    "ControlEntry",
    "Counterexample",
    "DefaultKinds",
    "Diagnostic",
    "Difference",
    "EvidenceStep",
    "Explanation",
    "Frontier",
    "FrontierPoint",
    "HeadResult",
    "InfeasibleBudgetError",
    "InputError",
    "InputUsed",
    "Lost",
    "MarkedLines",
    "Membership",
    "MessageCall",
    "MinimalSolution",
    "MinimalSolutions",
    "MissingValue",
    "Move",
    "NamedSolution",
    "NamedStrategy",
    "Necessity",
    "Numbers",
    "OptSides",
    "Optimality",
    "OptionalSets",
    "OtherChoice",
    "Part",
    "PartMessages",
    "PushedBytes",
    "PushedPlace",
    "Quantity",
    "ReadOptions",
    "Reason",
    "Reference",
    "SavedValue",
    "Sets",
    "Solution",
    "Span",
    "SplitCall",
    "StrategyRun",
    "TapeEntry",
    "Total",
    "Truth",
    "UnknownSizeError",
    "Verdict",
    "Witness",
    "analyse",
    "best_schedule",
    "cheapest",
    "compare",
    "dag",
    "divide",
    "explain",
    "flow",
    "load",
    "minimal_solutions",
    "minimal_solutions_of",
    "replay",
    "replay_document",
    "report",
    "reports",
    "schedule",
    "solve",
    "to_json",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name's module when it is first asked for: ``import snapset`` stays light."""
    homes = {
        "snapset.frontend.base.default_kinds": ("DefaultKinds",),
        "snapset.library.adjoint_comparison": ("compare",),
        "snapset.analysis.comparison.verdicts.compared_head": ("ComparedHead", "MissingValue", "SavedValue"),
        "snapset.analysis.evidence.steps": ("Chain", "EvidenceStep"),
        "snapset.analysis.evidence.reasons": ("Membership", "Reason"),
        "snapset.analysis.replay.experiment.used_inputs": ("InputUsed",),
        "snapset.library.analysis": ("Choices", "analyse", "load", "report", "reports"),
        "snapset.analysis.recording.minimal_solutions": (
            "MinimalSolution",
            "MinimalSolutions",
            "minimal_solutions",
            "minimal_solutions_of",
        ),
        "snapset.analysis.equations": ("NamedSolution",),
        "snapset.library.choosing.part_solving": ("solve",),
        "snapset.library.choosing.strategy_objects": ("ByPart", "MarkedLines", "NamedStrategy", "OptSides"),
        "snapset.analysis.evidence.part_explanation": ("Explanation", "OtherChoice"),
        "snapset.analysis.placement.part_choice": ("cheapest",),
        "snapset.analysis.proof.witness_programs": ("Witness",),
        "snapset.analysis.proof.verify": ("Counterexample", "Verdict", "verify"),
        "snapset.analysis.replay.experiment.measurements": (
            "Comparison", "Difference", "Lost", "Necessity", "Numbers", "PushedBytes", "Reference", "StrategyRun",
        ),
        "snapset.analysis.schedules.best_schedule": ("BestSchedule", "InfeasibleBudgetError", "best_schedule"),
        "snapset.analysis.results": (
            "AgainEntry", "ContextCode", "ControlEntry", "Frontier", "FrontierPoint", "HeadResult", "MessageCall",
            "Move", "Optimality", "OptionalSets", "Part", "PartMessages", "PushedPlace", "Sets", "Solution",
            "SplitCall", "TapeEntry", "Total",
        ),
        "snapset.analysis.symbolic.comparison": ("Truth",),
        "snapset.analysis.symbolic.numeric_value": ("UnknownSizeError",),
        "snapset.analysis.symbolic.polynomials": ("Quantity",),
        "snapset.frontend.base.diagnostics": ("Diagnostic", "InputError", "Span"),
        "snapset.frontend.base.source_model": ("ReadOptions",),
        "snapset.render.records.replay_json": ("replay_document",),
        "snapset.library.explanation": ("explain",),
        "snapset.library.divide": ("divide",),
        "snapset.library.replay": ("replay",),
        "snapset.library.schedule": ("schedule",),
        "snapset.render.records.report_json": ("to_json",),
    }
    if name == "__version__":
        from importlib.metadata import version

        return version("snapset")
    if name in ("dag", "flow"):
        return import_module(f"snapset.{name}")
    for module, names in homes.items():
        if name in names:
            if module.startswith("snapset.analysis.proof."):
                from snapset.frontend.base.optional_packages import optional

                optional("sympy", "proof", f"snapset.{name}")
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
