"""Meaning never hangs on object identity: which nodes of a program are one object changes no answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_program, load_text, mark_lines
from snapset.render.records.report_json import to_json

from tests.generators import random_fortran
from tests.generators.sections import random_stretches
from tests.support.corpus import CORPUS, parse_expected
from tests.support.frontend.nodes import objects, separated, shared
from tests.support.paths import ROOT

PACKAGES = ("frontend", "analysis", "interface")
EXPECTED = [pytest.param(path, marks=pytest.mark.wide) if path.stem == "semi_implicit" else path  # five seconds
            for path in sorted(CORPUS.glob("*.expected"))]
HEAD = random_fortran.HEAD

# Comparisons by identity, and why each is none of the program's nodes.
ALLOWED: Mapping[str, str] = {
    "type(value) is Fraction": "a class", "operator is And": "a class", "operator is Or": "a class",
    "operator is Implies": "a class", "operator is Equivalent": "a class", "kind is MappingProxyType": "a class",
    "kind is Span": "a class", "found is Span": "a class", "found is read_only": "a function",
    "found is LOST": "a mark", "procedure is LOST": "a mark", "make is Quantity.__mul__": "a function",
    "self.now is not _END": "a mark", "reader.now is not _END": "a mark",
    "side[at] is not NO_EFFECT": "a mark",
    "one.default is not MISSING": "a mark", "one.default_factory is not MISSING": "a mark",
    "one.default is MISSING": "a mark", "one.default_factory is MISSING": "a mark",
    "other.__class__ is self.__class__": "a class",
    "high is low": "formulas, and equal ones give the same", "self is other": "formulas, and one equals itself",
    "cost is before": "costs, kept where nothing changed", "rest[e] is old.rest[e]": "costs", "found is best": "costs",
    "rest[t] is old.rest[t]": "costs", "pushes is not before.pushes": "costs", "one is other": "costs",
    "before.records[key] is not record": "results of a fixpoint, kept where nothing changed",
    "states is entries": "one of two tables", "near is self.above": "one of two sides of a picture",
    "buckets is taken": "one of two curves",
    "now is then": "None or not",
    "known[0] is not space": "spaces of locations, a new one where a callee's model is another",
    "error.slot is not one": "memory of the machine",
    "array is owner": "memory of the machine", "slot is find(s)": "memory of the machine",
    "slot is before": "memory of the machine", "a is slot.lost": "memory of the machine",
    "frame is self.root": "frames of the machine",
    "found is self.found": "places in a format", "found is not self.found": "places in a format",
    "reached.leaf is not place.leaf": "what generated code calls",
    "space is self.first": "communicators", "space is not self.rest": "communicators",
    "self._space(one.communicator, one.tag)[0] is not self.rest": "communicators",
    "row is best": "rows of a table",
    "one is actions": "lists of actions", "one.content is content": "a member of an enumeration",
    "one.where is level": "a member of an enumeration", "part.held is where": "a member of an enumeration",
    "target is kind.WORK": "a member of an enumeration", "target is kind.NONE": "a member of an enumeration",
    "what is Storing.DEPENDENCIES_IN_MEMORY": "a member of an enumeration",
    "what is (Storing.KEEP_ON_DISK if part.held is DISK else Storing.RESTART_IN_MEMORY)": "a member of an enumeration",
    "one is not trace": "traces of answers", "known[0] is trace": "traces of answers",
    "self._stamps.get(node, _GONE) is _GONE": "a mark",
    "self.direction is Direction.BACKWARD": "a member of an enumeration",
    "problem.direction is Direction.BACKWARD": "a member of an enumeration",
    "type(self).merge is not DataFlowProblem.merge": "a function",
    "known.program is program": "whole programs, each loaded once",
    "shared.program is program": "whole programs, each loaded once",
    "shared.program is not program": "whole programs, each loaded once",
    "found.a is memory": "memory of the machine", "found.a is not memory": "memory of the machine",
    "was() is memory": "memory of the machine",
    "one[0].a is not one[1]": "memory of the machine", "slot is one[0]": "memory of the machine",
    "one is last": "entries of the machine's trace", "before.lost is now": "memory of the machine",
    "type(found.get(name)) is not int": "a class", "type(one) is int": "a class", "type(value) is int": "a class",
    "type(factor) is int": "a class", "type(whole) is int": "a class", "type((n := (a * factor))) is int": "a class",
    "one is not same[0]": "diagnostics, of which the first is told",
    "entry[1] is not seen": "messages that arrived", "one[0] is not probe": "probes that wait",
    "self._space(one.communicator, one.tag)[0] is self.first": "communicators", "where is space": "communicators",
    "memory.cell(run, ref) is not buffer.cell": "memory of a rank", "run is not buffer.run": "a procedure that runs",
    "sub is Ellipsis": "a mark",
    "kind is not int": "a class", "kind is tuple": "a class",
    "here[key] is not scope.unit": "an answer kept for the very tuple", "items[at] is not one": "as it came or not",
    "known.items is unit.items": "hashes kept for the very tuple, else made anew",
    "seat is not by": "processes", "other is not seat": "processes", "one is seat": "processes",
    "seen.space is self.rest": "communicators", "space is self.space": "communicators",
    "entry is not seen": "messages that arrived",
    "type(b) is np.ndarray": "a class", "type((view := b[index])) is np.ndarray": "a class",
    "type(total) is int": "a class", "overlays.program is program": "whole programs, each loaded once",
    "in_run_of(program, root) is program": "whole programs", "models.program is not program": "whole programs",
    "required is self.required": "one of two solutions",
    "new is not old": "kept where nothing changed", "value is not getattr(node, name)": "kept where nothing changed",
    "body is not procedure.body": "kept where nothing changed",
    "one._field_type is _SAMPLE": "a mark", "one.default is one.default_factory is MISSING": "a mark",
    "one.kw_only is MISSING": "a mark", "value is MISSING": "a mark",
    "below is fine": "one of two sizes", "one is LOST": "a mark",
    "one.a is memory": "memory of the machine", "stamp is not _GONE": "a mark",
    "one is array": "memory of the machine", "owner_of(one[0]) is owner": "memory of the machine",
    "other is not found": "tables of what is live",
    "signal.getsignal(signal.SIGINT) is signal.default_int_handler": "a function",
    "self._made[name][0] is not of": "what was generated last, made again for anything else",
}  # fmt: skip
# The machine tells memory by identity: it is the memory that is the same, not what it holds.
MEMORY = re.compile(r"\b(a|b|slot|old|new|values|s\[k\])$|_owner")


# Members of enumerations: what a schedule stores, and where.
MEMBER = re.compile(r" is (not )?((Content|StorageLevel)\.[A-Z]+|DISK|MEMORY|WORK|RESTART|DEPENDENCIES|NOTHING)$")


@cache
def nodes() -> tuple[tuple[str, ast.Name | ast.Compare], ...]:
    """The names and the comparisons of all modules, each with its module's file: one walk for both tests."""
    return tuple((str(path.relative_to(ROOT)), node) for package in PACKAGES
                 for path in sorted((ROOT / package).rglob("*.py")) for node in ast.walk(ast.parse(path.read_text()))
                 if isinstance(node, ast.Name | ast.Compare))


def test_only_the_memo_asks_for_an_objects_identity() -> None:
    asking = {name for name, node in nodes()
              if isinstance(node, ast.Name) and node.id == "id" and isinstance(node.ctx, ast.Load)}
    memory = {"analysis/replay/divide/divide_experiment.py", "analysis/replay/divide/memory_image.py",
              "analysis/replay/divide/elements/held_memory.py", "analysis/replay/divide/leaves/planned_leaf.py",
              "analysis/replay/memory/allocations.py", "analysis/replay/memory/element_copies.py",
              "analysis/replay/memory/associations.py", "analysis/messages/skeleton/skeleton_calls.py"}
    # The machine's memory, and requests that a rank has open.
    assert asking == {"frontend/base/memo.py", *memory}


def test_no_nodes_are_compared_by_identity() -> None:
    """A new comparison belongs in the list above with its reason, or asks for ids or places instead."""
    found = {}
    for name, node in nodes():
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops) and not any(
                isinstance(one, ast.Constant) for one in (node.left, *node.comparators)):
            text = ast.unparse(node)
            memory = name.startswith("analysis/replay/") and MEMORY.search(text)
            if not memory and not MEMBER.search(text):
                found[text] = f"{name}:{node.lineno}"
    assert {text: found[text] for text in found.keys() - ALLOWED.keys()} == {}


# ---------------------------------------------------------------- the same answers


def loaded(expected: Path) -> tuple[ir.Program, str]:
    (source,) = (path for path in CORPUS.glob(f"{expected.stem}.*") if path.suffix != ".expected")
    return load_program([str(source)]), parse_expected(expected.read_text()).head


def report(program: ir.Program, head: str, options: AnalysisOptions | None = None) -> object:
    strategies = parse_strategies("lazy,eager,optimal")
    return to_json(analyse(program, parse_heads(head)[0], strategies, options or AnalysisOptions()))


def test_programs_are_separated_and_shared() -> None:
    program, _ = loaded(CORPUS / "burgers_region.expected")
    assert separated(program) == shared(program) == program
    places = objects(program)
    assert len(set(objects(separated(program)))) == len(places)
    assert len(set(objects(shared(program)))) < len(set(places)) < len(places)


@pytest.mark.sample(8)
@pytest.mark.parametrize("expected", EXPECTED, ids=lambda path: path.stem)
def test_what_is_one_object_changes_no_report(expected: Path) -> None:
    """With no node shared and with all equal nodes shared; what is read lies between these two."""
    program, head = loaded(expected)
    assert report(separated(program), head) == report(shared(program), head)


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", [*range(10), *(pytest.param(n, marks=pytest.mark.slow) for n in range(10, 60))])
def test_what_is_one_object_changes_no_report_of_a_random_program(number: int) -> None:
    text = random_fortran.program(Random(number)) if number % 2 else random_stretches.program(Random(number))
    options = AnalysisOptions(recompute=number % 3 == 0, context=number % 4 == 0, first_run="whole" if number % 5 == 0
                              else "trimmed", call_checkpoints=number % 7 != 0)
    program = load_text(text)
    assert report(separated(program), HEAD, options) == report(shared(program), HEAD, options)


@pytest.mark.parametrize("number", range(4))
def test_what_is_one_object_changes_no_run(number: int) -> None:
    """The machine's own lowering, node by node and as whole functions."""
    random = Random(number)
    program, inputs = load_text(random_fortran.program(random)), Inputs(random_fortran.numbers(random))

    def runs(one: ir.Program) -> object:
        found = compare(one, parse_heads(HEAD)[0], parse_strategies("lazy,eager"), inputs)
        return [(run.name, run.equal, run.peak_bytes, run.traffic_bytes, run.pushes) for run in found.runs]

    assert runs(separated(program)) == runs(shared(program)) == runs(program)


# ---------------------------------------------------------------- ids


def ids(procedure: ir.Procedure) -> list[int]:
    return [stmt.id for stmt in statements(procedure.body)]


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda path: path.stem)
def test_statements_are_numbered_in_source_order(expected: Path) -> None:
    for procedure in loaded(expected)[0].procedures.values():
        assert ids(procedure) == list(range(len(ids(procedure))))


TEXT = """subroutine p(x, y)
  real(8) :: x, y, t
  t = x; t = t*t; t = t*x
  if (t > 1) t = sin(t)
  entry q(x, y)
  y = t
end subroutine p
subroutine r(x, y)
  real(8) :: x, y
  y = x*x
end subroutine r
"""


def test_statements_of_one_line_are_several() -> None:
    program = load_text(TEXT)
    assert ids(program.procedures["p"]) == list(range(len(ids(program.procedures["p"]))))
    assert ids(program.procedures["q"]) == list(range(len(ids(program.procedures["q"]))))  # the same and a jump
    marked = mark_lines(program, "x.f90", 3, 4)
    assert ids(marked.procedures["p"]) == list(range(len(ids(program.procedures["p"])) + 1))


def test_an_edit_elsewhere_changes_no_id() -> None:
    """So that what is kept of a procedure is kept."""
    changed = TEXT.replace("  t = x; t = t*t;", "  t = x; t = t + 1; t = t*t;")
    assert ids(load_text(TEXT).procedures["r"]) == ids(load_text(changed).procedures["r"])
