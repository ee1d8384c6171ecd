"""Programs whose branches hang on values: with the counts of a compiled run the model's bytes are the run's.

gfortran and gcov count the original; the replay machine's stack is the judge of the bytes. What one line holds of two
branches gcov counts together, so IFs of one line are written over several, with a plain statement to be counted.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.costs.evaluation import valued
from snapset.analysis.costs.profile_counts import HeadCounts, Lines, trip_counts
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.replay.experiment.gradient import planned
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.symbolic.numeric_value import value
from snapset.config.gcov_counts import read_counts
from snapset.frontend.load import load_program

from tests.analysis.costs.test_costs import BRANCHING, numbers
from tests.analysis.replay.machine.test_replay import SOURCES, STRATEGIES, from_text, inputs_for, ready, records_of
from tests.oracles import gfortran_driver
from tests.oracles.gfortran_driver import Driver, compile_driver, drive, run_driver
from tests.support.corpus import CORPUS, parse_expected

# Sizes that change while the program runs, and lists as long as it makes them: no number stands for them. Which type's
# procedure a dispatch runs, the count of its own line does not say; nor how often an inner loop ran at each time, nor
# from where a label was reached (goto_machine: 30 bytes for 29).
UNKNOWN = {"growing_mesh", "particles", "class_dispatch", "amr_levels", "adaptive_grid", "loop_exit", "loop_long_range",
           "goto_machine"}  # fmt: skip
_ONE_LINE = re.compile(r"^(?P<indent> *)if \((?P<condition>.*)\) (?P<action>(call|cycle|exit|return|goto) ?.*)$")


def over_lines(text: str) -> str:
    """``if (c) cycle`` as a block, behind a statement that gcov counts once each time."""
    found = []
    for line in text.splitlines():
        one = _ONE_LINE.match(line)
        if one is None:
            found.append(line)
            continue
        indent = one["indent"]
        found += [f"{indent}if ({one['condition']}) then", f"{indent}  counted_ = 1", f"{indent}  {one['action']}",
                  f"{indent}end if"]
    start = found.index("  implicit none")
    return "\n".join((*found[:start + 1], "  integer :: counted_", *found[start + 1:], ""))


def counted(source: Path, driver: Driver, monkeypatch: pytest.MonkeyPatch) -> Lines:
    """How often each line of the compiled program ran."""
    folder = source.parent / "there"
    folder.mkdir()
    monkeypatch.setattr(gfortran_driver, "FLAGS", (*gfortran_driver.FLAGS, "--coverage"))
    run_driver(compile_driver(driver, (str(source),), folder), driver, driver.before)
    data = [str(one) for one in folder.glob("*program.gcda")]
    subprocess.run(["gcov", "--json-format", *data], cwd=folder, check=True, capture_output=True)
    lines = read_counts([str(one) for one in folder.glob("*program*.json.gz")], [str(source)])
    assert lines is not None
    return lines


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", sorted(BRANCHING.keys() - UNKNOWN))
def test_counted_bytes_are_the_run_s(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SOURCES[name].read_text()
    source = tmp_path / f"program{SOURCES[name].suffix}"
    fixed = source.suffix == ".f"  # which has no IF of one line but a jump behind a test
    source.write_text(text if fixed or not any(map(_ONE_LINE.match, text.splitlines())) else over_lines(text))
    (head,) = parse_heads(parse_expected((CORPUS / f"{name}.expected").read_text()).head)
    found, machine, analysis = ready(load_program([str(source)]), head)
    inputs = inputs_for(name)
    lines = counted(source, drive(found, machine, inputs), monkeypatch)
    for strategy in STRATEGIES:
        records = records_of(analysis, strategy)
        cost_model = CostModel(HeadStructure(analysis.adjoints, analysis.order), records)
        traffic = HeadCounts(cost_model, lines).traffic()
        _, run = planned(found, machine, analysis, records, inputs)
        assert traffic is not None
        given = valued({**numbers(name), **trip_counts(cost_model.structures, lines)})
        assert value(traffic, given) == run.stack.traffic


OVERLAID = """subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: a(4), b(3, 2), rest(2)
  common /both/ a, rest
  call fill(x)
  call square
  y = sum(a)
end subroutine p
subroutine fill(x)
  real(8), intent(in) :: x(3)
  real(8) :: b(3, 2)
  common /both/ b
  b(:, 1) = x
  b(:, 2) = x*x
end subroutine fill
subroutine square
  real(8) :: b(3, 2)
  integer :: i
  common /both/ b
  do i = 1, 3
    b(i, 2) = b(i, 1)*b(i, 2)
    b(i, :) = b(i, :)*b(i, 2)
  end do
end subroutine square
"""


def test_an_element_of_overlaid_storage_is_an_element() -> None:
    """By hand: b is cut at a's end, but one element takes 8 bytes, a row 16; 3*(8 + 16) are taped in square. Nobody
    needs what it computes, so its first run is left out, and no snapshot is taken."""
    head, machine, analysis = from_text(OVERLAID, "p(x)>(y)")
    records = records_of(analysis)
    cost = CostModel(HeadStructure(analysis.adjoints, analysis.order), records).head()
    _, run = planned(head, machine, analysis, records, Inputs({}))
    assert value(cost.traffic, valued({})) == run.stack.traffic == 3*(8 + 16)
