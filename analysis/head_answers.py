"""What was made of a head, whole, for as long as the program says what it said.

Of 72 heads one changed statement reaches two. Of each other one some hundred answers are remembered, each with what was
read for it; to go along them all is to ask the program the same few questions at their ends: which statements a
procedure has, where it stands, whom it calls. So these are kept, with what was made of the head: where the program
answers each as it did, nothing that was read can be otherwise, and what was made is right still.

The questions are those that the engine has marked as ``live`` and has asked in that run, whoever asked; nobody lists
them. What is read of the program without a question is the head's place, the names of its procedures, and what was said
when it was read: a hash of these is kept beside them (``facts``). What reads more than that has no such answer: a head
whose program was changed for it (pointers to procedures, calls in split mode), one in which anything communicates, and
lists that the source declares.
"""

from __future__ import annotations

from typing import Any

from snapset.analysis.activity.differentiation_head import Head, find_procedure
from snapset.analysis.allocation.message_hazards import MessageHazards
from snapset.analysis.analysis_options import AnalysisOptions
from snapset.analysis.costs.module_shapes import ModuleShapes
from snapset.analysis.incremental.query_engine import Engine, Node, Stamp
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.program_facts import SharedFacts
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.procedure_pointers import in_run_of
from snapset.frontend.ir import Program
from snapset.frontend.persistence.fingerprint import digest


@frozen
class HeadAnswer:
    """What was made of a head, and what the program said for it. ``asked``: questions, each with its answer's stamp."""

    facts: bytes
    asked: tuple[tuple[Node, Stamp], ...]
    made: Any

    def holds(self, program: Program, head: Head, options: AnalysisOptions, shared: SharedFacts) -> bool:
        """Does the program say the same for the head, under the options that the answer was found for?"""
        try:
            root = find_procedure(program, head).key
        except InputError:
            return False
        if _facts(program, root, shared) != self.facts or not _as_read(program, root):
            return False
        models = Models(program, options.effects, root, options.distinct_pointers, Engine(), shared=shared)
        ModuleShapes(models)  # these answer, too
        MessageHazards(models, root)
        return models.engine.says(self.asked)


def head_answer(program: Program, models: Models, messages: MessageHazards, options: AnalysisOptions, made: Any,
                ) -> HeadAnswer | None:
    """What was ``made`` of a head by an analysis that is done, whose ``models`` and ``messages`` these are; None where
    it may depend on more. ``program``: as it was read."""
    root = models.root
    if (root is None or models.program is not program or program.declared or options.split
            or not _as_read(program, root) or messages.any()):
        return None
    return HeadAnswer(_facts(program, root, models.shared), models.engine.said(), made)


def _as_read(program: Program, root: str) -> bool:
    return in_run_of(program, root) is program


def _facts(program: Program, root: str, shared: SharedFacts) -> bytes:
    """A hash of what is read of the program without asking."""
    said = shared.overlays.once("facts", "", lambda: digest(repr((tuple(program.procedures), program.diagnostics,
                                                                  program.whole is not False))))
    return digest(said, repr(program.procedures[root].span))
