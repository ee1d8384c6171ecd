"""One random program under every set of options, against store-all, and store-all against the compiled original."""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import Program
from snapset.frontend.load import load_text

from tests.generators.constructs.native import Native
from tests.generators.constructs.programs import HEAD, Generated
from tests.support.execution import UnderOptions, with_one_further

LIMIT = 2_000_000  # statements
OPTION_SETS: Mapping[str, tuple[str, AnalysisOptions]] = {
    "plain": ("lazy,eager,optimal", AnalysisOptions()),
    "recompute": ("lazy", AnalysisOptions(recompute=True)),
    "whole": ("lazy", AnalysisOptions(first_run="whole")),
    "context": ("lazy", AnalysisOptions(context=True)),
    "split": ("lazy,eager", AnalysisOptions()),
    "no calls": ("lazy", AnalysisOptions(call_checkpoints=False)),
    "by value": ("lazy,eager", AnalysisOptions(recompute=True, dag=True)),
}
TWICE = re.compile(r"SN10\d")  # what a second run does otherwise: then another gradient is announced


class AnyNames(Strategy):
    """A partition that, unlike a user's, may name what is not optional anywhere."""

    def named_pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset()


@dataclass(slots=True)
class Verdict:
    """``wrong``: by option set and strategy. ``warned``: the same, where a diagnostic says that a second run does
    something else. ``refused``: why the machine does not execute it. ``broken``: a traceback. ``native``: what the
    compiled program says of store-all's gradient and of the value."""

    number: int
    wrong: dict[str, str] = field(default_factory=dict)
    warned: dict[str, str] = field(default_factory=dict)
    refused: str = ""
    broken: str = ""
    native: str = ""
    runs: Counter[str] = field(default_factory=Counter)

    @property
    def bad(self) -> bool:
        return bool(self.wrong or self.broken) or self.native not in ("right", "rough", "")


def options_of(one: Generated, random: Random) -> dict[str, tuple[tuple[Strategy, ...], AnalysisOptions]]:
    """The option sets with this program's own random choices: a partition, what is split, and one set of the others."""
    found = {}
    for name, (strategies, options) in OPTION_SETS.items():
        chosen = list(parse_strategies(strategies))
        if name in ("plain", "recompute", "split"):
            sides = {f"{opt}+": frozenset(n for n in one.names if random.randrange(2)) for opt in "123"}
            chosen.append(AnyNames("partition", "partition", sides))
        if name == "split":
            some = frozenset(n for n in one.procedures if random.randrange(2))
            options = AnalysisOptions(split=some)
        found[name] = tuple(chosen), options
    found["one further"] = parse_strategies("lazy,eager"), with_one_further((), str(one.number))[0]
    return found


def inputs_of(one: Generated) -> Inputs:
    return Inputs({"x": list(one.x), "n": len(one.x), "m": 3})


def judge(one: Generated, native: Native | None, limit: int = LIMIT, only: str = "") -> Verdict:
    """All there is to say of one program; of one option set and strategy if ``only`` names them."""
    verdict = Verdict(one.number)
    try:
        program = load_text(one.text)
        if native is not None and native.failure:
            verdict.native = native.failure
            return verdict
        trial = Trial(one, program, limit)
        for name, (strategies, options) in options_of(one, Random(one.number)).items():
            strategies = tuple(s for s in strategies if only in ("", f"{name} {s.name}"))
            if strategies:
                trial.under(name, strategies, options, verdict)
        if native is not None:
            verdict.native = trial.against(native)
    except InputError as error:
        verdict.refused = str(error)
    except Exception:
        verdict.broken = traceback.format_exc(limit=-4)
    return verdict


class Trial:
    """One program, run under one set of options after the other."""

    def __init__(self, one: Generated, program: Program, limit: int) -> None:
        self.inputs = inputs_of(one)
        (self.head,) = parse_heads(HEAD)
        self.replayed = UnderOptions(program, self.head, self.inputs, ExperimentOptions(limit=limit, predict=False))

    def under(self, name: str, strategies: tuple[Strategy, ...], options: AnalysisOptions, verdict: Verdict) -> None:
        found = self.replayed.compared(strategies, options)
        warned = sorted({d.code for d in found.diagnostics if TWICE.match(d.code)})
        for run in found.runs:
            verdict.runs[f"{name} {run.name}"] += 1
            if not run.equal:
                what = run.error or "another gradient"
                (verdict.warned if warned else verdict.wrong)[f"{name} {run.name}"] = " ".join((what, *warned))

    def against(self, native: Native) -> str:
        """Value and store-all gradient against the compiled original."""
        _, ran = self.replayed.prepared(AnalysisOptions())
        value = primal(self.head, ran.machine, self.inputs)
        if not abs(value - native.value) <= 1e-12*max(1.0, abs(native.value)):
            return f"value: the machine has {value!r}, gfortran {native.value!r}"
        gradient = [float(g) for g in ran.gradient.values["x"]]
        near = native.near(gradient)
        return near if near != "wrong" else f"gradient: the machine has {gradient}, differences {list(native.slopes)}"
