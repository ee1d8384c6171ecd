"""Bytes of a run that gcov counted, against the replay machine's."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest
from snapset.analysis.costs.evaluation import valued
from snapset.analysis.costs.profile_counts import HeadCounts, NodeCounts, trip_counts
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.replay.experiment.gradient import planned
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.symbolic.numeric_value import value
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.analysis.symbolic.rendering import text
from snapset.config.gcov_counts import read_counts
from snapset.frontend.base.diagnostics import InputError

from tests.analysis.replay.machine.test_replay import from_text, records_of
from tests.oracles.gfortran_programs import gfortran
from tests.support.command import run

PROGRAM = """subroutine p(x, y, n)
  integer, intent(in) :: n
  real(8) :: x(n), y, a(n), s
  integer :: i, k
  a = x
  s = 1d0
  !$AD CHECKPOINT-START
  do k = 1, 3
    a = a*a
    do i = 1, n
      if (a(i) > 0.25d0) then
        s = s*a(i)
        s = s*s
      else
        s = s*2d0
      end if
    end do
  end do
  do while (s < 1d0)
    s = s*s + 0.5d0
  end do
  !$AD CHECKPOINT-END
  y = s*s
end subroutine p
"""
VALUES = [0.3, 0.6, 0.9, 0.99]
# gcov 12's counts of a run on VALUES. Lines 5 and 9 count elements, 8, 10 and 11 the ends of loops.
LINES = {1: 1, 5: 5, 6: 1, 8: 4, 9: 15, 10: 16, 11: 15, 12: 7, 13: 7, 15: 5, 19: 4, 20: 3, 23: 1, 24: 1}


def document(lines: dict[int, int], file: str = "p.f90", directory: str = "") -> str:
    rows = [{"line_number": line, "count": count, "branches": []} for line, count in lines.items()]
    return json.dumps({"format_version": "1", "current_working_directory": directory,
                       "files": [{"file": file, "lines": rows}]})


def structures_of(source: str) -> tuple[HeadStructure, str]:
    _, _, analysis = from_text(source, "p(x)>(y)")
    file = analysis.models.by_key["p"].procedure.span.file
    return HeadStructure(analysis.adjoints, analysis.order), file


def test_node_counts_come_from_plain_statements() -> None:
    structures, file = structures_of(PROGRAM)
    model = structures.adjoints.by_key["p"].model
    lines = {(file, line): count for line, count in LINES.items()}
    counts = NodeCounts(model, structures.scope("p"), lines)
    by_line = {n.span.line: counts.count(n.index) for n in model.flow.nodes if n.kind in ("simple", "test", "init")}
    assert {line: by_line[line] for line in (5, 6, 8, 9, 10, 11, 12, 15, 20)} == {
        5: 1, 6: 1, 8: 1, 9: 3, 10: 3, 11: 12, 12: 7, 15: 5, 20: 3}
    assert trip_counts(structures, lines) == {"trips(p:8)": 3, "trips(p:10)": 4, "trips(p:19)": 3}


def test_counted_traffic_is_the_run_s() -> None:
    """The model takes the worse side of the IF: 24 pushes of s; the run makes 7 + 7 + 5."""
    head, machine, analysis = from_text(PROGRAM, "p(x)>(y)")
    records = records_of(analysis)
    cost_model = CostModel(HeadStructure(analysis.adjoints, analysis.order), records)
    file = analysis.models.by_key["p"].procedure.span.file
    counted = HeadCounts(cost_model, {(file, line): count for line, count in LINES.items()}).traffic()
    assert isinstance(counted, Quantity)
    assert text(counted) == "32*n + 148"
    _, made = planned(head, machine, analysis, records, Inputs({"n": 4, "x": VALUES}))
    assert value(counted, valued({"n": 4})) == made.stack.traffic == 276


def test_a_count_that_no_line_tells_is_unknown() -> None:
    """Only IF lines are left in the loop's body, and the trip count is not a number."""
    lines = {line: count for line, count in LINES.items() if line not in (12, 13, 15)}
    structures, file = structures_of(PROGRAM)
    _, _, analysis = from_text(PROGRAM, "p(x)>(y)")
    cost_model = CostModel(structures, records_of(analysis))
    assert HeadCounts(cost_model, {(file, line): count for line, count in lines.items()}).traffic() is None


def test_two_sides_on_one_line_are_not_believed() -> None:
    source = PROGRAM.replace("      if (a(i) > 0.25d0) then\n        s = s*a(i)\n",
                             "      if (a(i) > 0.25d0) s = s*a(i)\n      if (a(i) > 0.5d0) then\n")
    structures, file = structures_of(source)
    model = structures.adjoints.by_key["p"].model
    counts = NodeCounts(model, structures.scope("p"), {(file, line): count for line, count in LINES.items()})
    (node,) = (n.index for n in model.flow.nodes if n.kind == "simple" and n.span.line == 11)
    assert counts.count(node) is None


# ---------------------------------------------------------------- the file


def test_plain_and_gzipped_are_added(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.json", tmp_path / "b.json.gz"
    plain.write_text(document(LINES))
    packed.write_bytes(gzip.compress(document({6: 10}).encode()))
    found = read_counts([str(plain), str(packed)], ["src/p.f90"])
    assert found is not None
    assert (found["src/p.f90", 6], found["src/p.f90", 5]) == (11, 5)
    assert read_counts([], ["src/p.f90"]) is None


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"files": [{"file": "p.f90", "lines": [{"line_number": 1}]}]}',
                                     "subroutine p"])
def test_what_gcov_did_not_write(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError, match="not gcov's JSON"):
        read_counts([str(path)], ["p.f90"])


def test_counts_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(document(LINES, "other.f90"))
    with pytest.raises(InputError, match=r"counts no line of p\.f90"):
        read_counts([str(path)], ["p.f90"])


def test_counted_beside_modelled(tmp_path: Path) -> None:
    source, path = tmp_path / "p.f90", tmp_path / "p.json"
    source.write_text(PROGRAM)
    path.write_text(document(LINES, "p.f90", str(tmp_path)))
    common = ("report", "--sets", str(source), "--head", "p(x)>(y)", "--counts", str(path), "--assume", "n=4")
    page = run(*common).stdout
    assert "96, counted 56" in page
    (total,) = [line.split() for line in page.splitlines() if "traffic, counted" in line]
    assert total == ["traffic,", "counted", "276", "276"]
    answer = json.loads(run(*common, "--format", "json").stdout)
    assert answer["totals"]["lazy"]["counted_traffic_bytes"] == 276
    tape = answer["regions"][0]["solutions"]["lazy"]["tape"]
    assert {(one["line"], one["bytes"], one["counted_bytes"]) for one in tape} == {
        (9, 96, 96), (12, 96, 56), (13, 96, 56), (20, 24, 24)}


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(PROGRAM)
    done = run("report", str(tmp_path / "p.f90"), "--head", "p(x)>(y)", "--counts", "nowhere.json")
    assert (done.returncode, done.stderr) == (2, "nowhere.json: error: No such file or directory\n")


def test_with_gcov_itself(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(PROGRAM)
    (tmp_path / "main.f90").write_text(f"program main\n real(8) :: x({len(VALUES)}), y\n x = (/ "
                                       f"{', '.join(f'{v}d0' for v in VALUES)} /)\n call p(x, y, {len(VALUES)})\n"
                                       "end program main\n")
    for command in ([gfortran(), "--coverage", "-O0", "-c", "p.f90"], [gfortran(), "--coverage", "main.f90", "p.o",
                    "-o", "main"], ["./main"], ["gcov", "--json-format", "p.gcda"]):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (made,) = tmp_path.glob("*p*.gcov.json.gz")
    done = run("report", str(tmp_path / "p.f90"), "--head", "p(x)>(y)", "--counts", str(made), "--assume", "n=4",
               "--format", "json")
    assert json.loads(done.stdout)["totals"]["eager"]["counted_traffic_bytes"] == 276
