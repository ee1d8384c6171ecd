"""The programs whose sets are recorded: of the random generators by kind and number, of the corpus by name and way.

``stretches 12`` is the program that ``python -m tests.generators.fuzz --kind stretches --only 12`` shows, with its
options; ``constructs 12 recompute`` one of many constructs, ``further 12 recompute`` one of the rarer ones, too, and
``corpus burgers_region recompute`` one of ours, analysed that way (``WAYS`` of the recorded cases); ``loops rotations
12`` the outermost loops of a program, each as the time loop.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from random import Random

from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.analysis.recording.recorded.recorded_lines import WAYS
from tests.generators.constructs.programs import FEATURES, HEAD, program
from tests.generators.constructs.trial import inputs_of
from tests.generators.further import ALL_FEATURES
from tests.generators.fuzz import KINDS, case
from tests.support.corpus import CORPUS, parse_expected


@dataclass(frozen=True)
class ExactProgram:
    """``sum``: of the text, so that a generator that writes another program is not taken for an analysis that says
    something else of the same one."""

    name: str
    text: str
    head: str
    options: AnalysisOptions
    inputs: Inputs
    file: str = "case.f90"

    @property
    def sum(self) -> str:
        return f"{zlib.crc32(self.text.encode()):08x}"


def exact_program(name: str) -> ExactProgram:
    kind, one, *way = name.removeprefix("loops ").split(" ")
    if kind == "corpus":
        (path,) = (found for found in CORPUS.glob(f"{one}.*") if found.suffix != ".expected")
        head = parse_expected(path.with_suffix(".expected").read_text()).head
        return ExactProgram(name, path.read_text(), head, WAYS[" ".join(way)],
                            Inputs({"dt": 1e-3} if one == "calls" else {}), path.name)
    if kind in ("constructs", "further"):
        generated = program(int(one), FEATURES if kind == "constructs" else ALL_FEATURES)
        return ExactProgram(name, generated.text, HEAD, WAYS[" ".join(way)], inputs_of(generated))
    made = case(Random(int(one)), (), KINDS[kind])
    return ExactProgram(name, made.text, made.head, AnalysisOptions(
        call_checkpoints=made.calls, context=made.context, recompute=made.recompute, dag=made.dag, **made.others),
                        Inputs(made.values))
