"""What is computed again instead of taped or saved: where, that it costs no byte, and that the gradient is the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.adjoint.available_expressions import MOST_OPERATIONS, find_computable, operations
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.recording.tape_sites import Taping
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend import ir
from snapset.frontend.load import load_program, load_text

from tests.analysis.replay.machine.test_replay import ANEW, SOURCES, inputs_for
from tests.analysis.replay.machine.test_replay import PROGRAMS as EXECUTED
from tests.support.corpus import CORPUS, parse_expected
from tests.support.execution import proved_by_execution

(HEAD,) = parse_heads("p(x)>(y)")
AGAIN = AnalysisOptions(recompute=True)
INPUTS = Inputs({"n": 5})
EVERY = parse_strategies("lazy,eager,Opt1+=*;Opt3+=*,Opt2+=*")


def text_of(body: str) -> str:
    return f"""subroutine s(v, w)
  real(8) :: v, w
  w = w*v*w
end subroutine s
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b, t, u, g(3), h(3)
  integer :: i
  a = x(1)*x(2)
  b = sin(x(3))
  u = 1.0d0
{body}
end subroutine p
"""


def analysed(text: str) -> Analysis:
    return prepare(load_text(text), HEAD, AGAIN)


def again(body: str) -> dict[str, set[str]]:
    """By the line's text where it happens, what is computed again; for snapshots under ``Snp``."""
    text = text_of(body)
    lines, found = text.splitlines(), analysed(text)
    result: dict[str, set[str]] = {}
    for key, record in record_program(found.adjoints, found.order, LAZY).items():
        model = found.adjoints.by_key[key].model
        for level in record.levels:
            runs = [*level.again.at.items(), *level.again.behind.items()]
            runs += [(-1, solved.again) for solved in level.solved.values() if solved.again.assignments]
            for node, rerun in runs:
                where = lines[model.flow.nodes[node].span.line - 1].strip() if node >= 0 else "Snp"
                result.setdefault(where, set()).update(
                    lines[model.flow.nodes[n].span.line - 1].strip() for n in rerun.assignments)
    return result


def ran(text: str, options: AnalysisOptions) -> dict[str, StrategyRun]:
    found = compare(load_text(text), HEAD, EVERY, INPUTS, options)
    for run in found.runs:
        assert run.equal, (run.name, run.differences, run.error)
    return {run.name: run for run in found.runs}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("body", "expected"), [
    ("t = a*b\ny = t*t\nt = y*y\ny = t*t", {"t = y*y": {"t = a*b"}}),
    # a DO variable is given back by the reversed loop
    ("y = 0\ndo i = 1, n\nt = 2*x(i)*i\ny = y + t*t\nend do", {"do i = 1, n": {"t = 2*x(i)*i"}}),
    # where ways join, its value is had for the last time
    ("y = a\nif (n > 2) then\nt = a*b\ny = y*t*t\nend if\nt = y\ny = y*t", {"y = y*t*t": {"t = a*b", "y = a"}}),
    # one value from another, in the order they were made
    ("t = a*b\nu = t*a\ny = u*t*u\nu = y*y\nt = u*y\ny = t*u*y", {"u = y*y": {"u = t*a"}, "t = u*y": {"t = a*b"}}),
    # ... and at the same place
    ("t = a*b\nu = t*2\ny = u*u*t\nt = y\nu = y*t\ny = t*u", {"t = y": {"t = a*b", "u = t*2"}}),
    # the operand was required, is not where it has been computed again itself, and is so for this
    ("y = a\nif (n > 2) then\nu = a*b\ny = y*u*u\nend if\nt = 2*u\ny = t*t*y\nt = y\nu = y*t\ny = t*u",
     {"y = y*u*u": {"u = a*b", "y = a"}, "t = y": {"t = 2*u"}}),
    # the operand is required anyway, and taped where it is overwritten
    ("t = a*b\ny = t*t*a\na = y\nt = a*y\ny = t*a", {"a = y": {"t = a*b", "a = x(1)*x(2)"}}),
    # the operand is made for the sake of t alone
    ("u = x(1)\nt = 2*u\ny = t*t\nu = y\nt = u\ny = y*t*u", {"u = y": {"u = x(1)", "t = 2*u"}}),
    # ... and would have to be taped
    ("u = sum(x)\nt = 2*u\ny = t*t\nu = y\nt = u\ny = y*t*u", {}),
    # what costs more than a value read back from the tape
    ("t = exp(sin(a)*exp(cos(a)*exp(b)))\ny = t*t\nt = y*y\ny = t*t", {}),
    ("t = sum(x(:))\ny = t*t\nt = y*y\ny = t*t", {}),  # of so many as there are
    # ... and what takes three exponentials at most
    ("t = exp(a)*b**1.5d0\ny = t*t\nt = y*y\ny = t*t", {"t = y*y": {"t = exp(a)*b**1.5d0"}}),
    ("h = x(1:3)\nt = sqrt(sum(h**2))\ny = t*t\nt = y*y\ny = t*t*h(1)", {"t = y*y": {"t = sqrt(sum(h**2))"}}),
    # nobody overwrites t any more
    ("t = a*b\ny = t*t\nu = y\ny = u*y", {}),
    # the snapshot is computed when it would be needed
    ("t = a*b\n!$AD CHECKPOINT-START\ny = t*t\nt = y*y\n!$AD CHECKPOINT-END\ny = t*t", {"Snp": {"t = a*b"}}),
    # ... but not from what the part overwrites
    ("u = sum(x)\nt = 2*u\n!$AD CHECKPOINT-START\ny = t*t\nt = y*y\nu = y*t\n!$AD CHECKPOINT-END\ny = t*t*u", {}),
    # ... nor from what is overwritten behind it and not required
    ("u = sum(x)\nt = 2*u\n!$AD CHECKPOINT-START\ny = t*t\nt = y*y\n!$AD CHECKPOINT-END\nu = y*t\ny = t*t*u",
     {}),
    # ... unless that can be made, too
    ("u = x(1)\nt = 2*u\n!$AD CHECKPOINT-START\ny = t*t\nt = y*y\nu = y*t\n!$AD CHECKPOINT-END\ny = t*t*u",
     {"Snp": {"u = x(1)", "t = 2*u"}}),
    ("u = x(1)\nt = 2*u\n!$AD CHECKPOINT-START\ny = t*t\nt = y*y\n!$AD CHECKPOINT-END\nu = y*t\ny = t*t*u",
     {"Snp": {"u = x(1)", "t = 2*u"}}),
    # chains: r is made where d still can be, and not where d is overwritten
    ("y = 0\ndo i = 1, n\nt = x(i) - a\nu = t*t\ny = y + t*u*u\nend do",
     {"do i = 1, n": {"t = x(i) - a", "u = t*t"}}),
    # ... of what no derivative reads as well
    ("y = 0\ndo i = 1, n\nt = 2*x(i)\nu = t + a\ny = y + u*u\nend do", {"do i = 1, n": {"t = 2*x(i)", "u = t + a"}}),
    ("y = 0\ndo i = 1, n\nt = x(i) - a\nu = t*t\nb = 2*u\ny = y + t*u*b*b\nend do",
     {"do i = 1, n": {"t = x(i) - a", "u = t*t", "b = 2*u"}}),
    # an array is made for a scalar's sake, not taped
    ("h = x(1:3)\nt = h(1) + h(2)\ny = t*t\nh = sin(y)\nt = y\ny = y*t*h(1)",
     {"h = sin(y)": {"h = x(1:3)", "t = h(1) + h(2)"}}),
    # what is not required there would be taped for one that is
    ("h = x(1:3)\nh = h*b\nt = h(1) + h(2)\ny = t*t\nh = sin(y)\nt = y\ny = y*t*h(1)",
     {"h = h*b": {"h = x(1:3)"}}),
    # what a part made is there behind it
    ("!$AD CHECKPOINT-START\nt = a*b\n!$AD CHECKPOINT-END\ny = t*t\nt = y*y\ny = t*t", {"t = y*y": {"t = a*b"}}),
    # all of an array
    ("g = a*b\ny = g(1)*g(2)\ng = y*y\ny = g(1)*g(3)", {"g = y*y": {"g = a*b"}}),
    ("y = 0\ndo i = 1, n\ng = x(1:3)*i\ny = y + g(1)*g(2)*g(3)\nend do", {"do i = 1, n": {"g = x(1:3)*i"}}),
    ("g = x(1:3)\nh(:) = g*a\ny = h(1)*h(2)*g(3)\nh = y\ny = h(1)*y", {"h = y": {"h(:) = g*a"}}),
    # ... of which an element was written since, and not of part of it
    ("g = a*b\ng(2) = a\ny = g(1)*g(2)\ng = y*y\ny = g(1)*g(3)", {}),
    ("g = a\ng(1:2) = a*b\ny = g(1)*g(2)\ng = y*y\ny = g(1)*g(3)", {}),
    # a call's own argument
    ("t = a*b\ny = a\ncall s(2*t*b, t)\ny = t*y", {"call s(2*t*b, t)": {"t = a*b"}, "Snp": {"t = a*b"}}),
])
def test_what_is_computed_again_and_where(body: str, expected: dict[str, set[str]]) -> None:
    assert again(body) == expected
    without, with_ = ran(text_of(body), AnalysisOptions(tape_scalars=True)), ran(text_of(body), AGAIN)
    for name, run in with_.items():
        assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
        more = without[name].traffic_bytes or 0
        assert (run.traffic_bytes or 0) < more if expected else run.traffic_bytes == more


@pytest.mark.parametrize(("body", "expected"), [
    # for the snapshot, and at the call itself
    ("t = a*b\ny = a\ncall s(2*t*b, t)\ny = t*y", {("Snp", "call s(2*t*b, t)", "t = a*b"),
                                                  ("D", "call s(2*t*b, t)", "t = a*b")}),
    # within the part, behind it, and in neither, before it
    ("t = a*b\ny = t*t\nt = y*y\n!$AD CHECKPOINT-START\ny = t*y\nu = 2*a\ny = u*u*y\nu = y*y\ny = u*u*y\n"
     "!$AD CHECKPOINT-END\nt = 3*a\ny = t*t*y\nt = y*y*2\ny = t*y",
     {("C", "u = y*y", "u = 2*a"), ("D", "t = y*y*2", "t = 3*a")}),
])
def test_what_the_report_says_of_a_part(body: str, expected: set[tuple[str, str, str]]) -> None:
    """In whose backward sweep, at which line, and what runs."""
    text = text_of(body)
    lines, (part,) = text.splitlines(), analyse(load_text(text), HEAD, parse_strategies("lazy"), AGAIN).parts
    assert {(one.part, lines[one.at - 1].strip(), one.text) for one in part.solutions["lazy"].again} == expected


@pytest.mark.parametrize(("statement", "why"), [
    ("read (*, *) t", "no assignment"), ("t = t*a", "reads what it writes"), ("z = a", "may get other memory"),
    ("where (w > 0) w = a", "masked"), ("t = q*a", "through a pointer"), ("r = a", "a pointer may lead to it"),
    ("t = sin(a)*sin(b)*sin(y)*a", "dear"), ("v(1) = a", "an element"),
])
def test_what_cannot(statement: str, why: str) -> None:
    text = f"""subroutine p(x, y)
  real(8) :: x, y, a, b, t, v(3), w(3)
  real(8), allocatable :: z(:)
  real(8), pointer :: q
  real(8), target :: r
  a = x*x
  b = x
  {statement}
  y = t*a*w(1)*v(1)
  q => r
end subroutine p
"""
    found = analysed(text)
    (adjoint,) = found.adjoints.by_key.values()
    computable = find_computable(adjoint)
    assert computable is not None
    lines = {adjoint.model.flow.nodes[n].span.line for n in computable.value}
    assert 6 in lines, "x*x can be"
    assert 8 not in lines, why


def test_operations_are_counted() -> None:
    def expression(text: str) -> ir.Expr:
        declared = "subroutine p(a, b, k, y)\nreal(8) :: a, b(3), y\ninteger :: k\n"
        program = load_text(f"{declared}y = {text}\nend subroutine\n")
        (stmt,) = program.procedures["p"].body
        assert isinstance(stmt, ir.Assign)
        return stmt.value

    assert [operations(expression(one)) for one in ("a", "2*a + b(k + 1)", "a**2", "-max(a, 1.0d0)")] == [0, 2, 1, 2]
    dearer = ("sqrt(a)", "a**0.5d0", "a**k", "a**7", "exp(-a)/a")
    assert [operations(expression(one)) for one in dearer] == [4, 8, 8, 3, 10]
    assert operations(expression("sum(b)")) > MOST_OPERATIONS, "so many as there are"
    assert [operations(expression(one), lambda ref: 3) for one in ("sum(b)", "sum(b*b)")] == [3, 6]


def test_not_across_sweeps_that_run_apart() -> None:
    text = text_of("t = a*b\ny = t*t\n!$AD NOCHECKPOINT\ncall s(a, t)\ny = t*y")
    assert all(found is None for found in map(find_computable, analysed(text).adjoints.by_key.values()))
    ran(text, AGAIN)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", sorted(set(EXECUTED) - ANEW))
def test_the_corpus_takes_no_byte_more(name: str) -> None:
    (head,) = parse_heads(parse_expected((CORPUS / f"{name}.expected").read_text()).head)
    program, two = load_program([str(SOURCES[name])]), parse_strategies("lazy,eager")
    runs = [compare(program, head, two, inputs_for(name), options).runs for options in (AnalysisOptions(), AGAIN)]
    for plain, less in zip(*runs, strict=True):
        assert plain.equal
        assert less.equal, less.error
        assert (less.traffic_bytes or 0) <= (plain.traffic_bytes or 0)
        assert (less.peak_bytes or 0) <= (plain.peak_bytes or 0)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", EXECUTED)
def test_what_a_rerun_reads_and_gives_is_what_its_assignments_do(name: str) -> None:
    """In their order, from the assignments' own use and out; and the backward sweep knows that it comes by there."""
    (head,) = parse_heads(parse_expected((CORPUS / f"{name}.expected").read_text()).head)
    found = prepare(load_program([str(SOURCES[name])]), head, AGAIN)
    for key, record in record_program(found.adjoints, found.order, LAZY).items():
        adjoint = found.adjoints.by_key[key]
        recorded, effects = Taping(adjoint, record).recorded_tests, adjoint.model.effects
        for level, known in zip(record.levels, recorded, strict=True):
            for node, rerun in (*level.again.at.items(), *level.again.behind.items()):
                read = written = 0
                for one in rerun.assignments:
                    read |= effects[one].use & ~written
                    written |= effects[one].out
                assert (rerun.operands, rerun.value) == (read & ~adjoint.reversal.regenerated(node), written)
                assert adjoint.control.tests_for(frozenset((node,))) <= known


def test_a_group_that_begins_before_what_it_reads_is_made(tmp_path: Path) -> None:
    """g is what two statements make, the second of a; and a is made of what g is in between."""
    body = """  a = g*u
  if (g > 0.2d0) then
    g = a + 0.5d0*b
  end if
  b = sin(u)*g
  a = a*b*g
  g = a*b
  y = a*b + g*u"""
    text = f"""subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b, g, u
  g = 0.2d0
  b = x*x
  u = x
{body}
end subroutine p
"""
    proved_by_execution(text, "p(x)>(y)", tmp_path)
