"""`snapset dag` as a user types it: text, JSON, pictures, weights, execution, errors."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import snapset
from snapset import dag
from snapset.analysis.dag.fortran.solved_levels import Wanted
from snapset.analysis.dag.solvers.solve import Options
from snapset.analysis.replay.dag import dag_experiment
from snapset.cli.grammar.dag_arguments import dag_parser
from snapset.cli.main import main
from snapset.render.pages.dag_text import write_dag

from tests.support.command import run
from tests.support.corpus import CORPUS

COUPLED = """\
subroutine step(q, p)
  real(8) :: q, p
  q = sin(q*p)*p + q*p*p
  p = cos(p)
  q = sin(q*p)*p + q*p*p
end subroutine step
"""
BURGERS = [str(CORPUS / "burgers_region.f90"), "--head", "burgers(u)>(cost)"]


@pytest.fixture
def coupled(tmp_path: Path) -> list[str]:
    path = tmp_path / "step.f90"
    path.write_text(COUPLED)
    return [str(path), "--head", "step(q)>(q)"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["dag", *arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["dag", *arguments]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert len(found.err.splitlines()) == 1
    return found.err


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["dag", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


# ---------------------------------------------------------------- text


def test_what_is_stored_where_and_why(coupled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, *coupled)
    assert "Store or recompute in step(q)>(q): 1 region, cost in values stored" in text
    assert "cost U = ∅ S = ∅ by statement heuristic optimum gap" in text
    assert "1 2 1 2 1 1 0 %" in text
    assert "U ∂q from 5/∂q at 3 lines 3-5 is required; else it takes p at 3 (overwritten in line 4), q at 3" in text
    assert "found by the biclique heuristic, proved optimal" in text


def test_an_old_value_that_is_stored(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "s.f90"
    path.write_text("subroutine s(x, y, z, w)\n  real(8) :: x, y, z, w\n  y = x*x\n  if (w > 0) y = y*x\n"
                    "  if (w > 1) y = sin(x)*y\n  x = exp(z)\n  y = y*x\nend subroutine\n")
    text = said(capsys, str(path), "--head", "s(x,z)>(y)")
    assert "S x before line 6 restores x at 3, x at 4, x at 5" in text
    assert "line 3 x at 3 (S)" in text


def test_regions_that_store_nothing_are_only_named(capsys: pytest.CaptureFixture[str]) -> None:
    short, long = said(capsys, *BURGERS), said(capsys, *BURGERS, "--verbose")
    assert "all regions" in short
    assert "Nothing is stored in 1 more: burgers@13" in short
    assert "burgers@13: marked part in burgers at" not in short
    assert "burgers@13: marked part in burgers at" in long
    assert "(intact)" in long


def test_long_tables_are_cut_unless_verbose(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = "".join(f"  if (c > {n}) x = sin(x)*y\n" for n in range(30))
    path = tmp_path / "many.f90"
    path.write_text(f"subroutine p(x, y, c)\n  real(8) :: x, y, c\n{lines}end subroutine\n")
    arguments = (str(path), "--head", "p(x,y)>(x)", "--method", "biclique")
    assert "more; --verbose lists them" in said(capsys, *arguments)
    assert "--verbose lists them" not in said(capsys, *arguments, "--verbose")


def test_a_bound_where_the_optimum_is_not_known() -> None:
    found = dag.decide([str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)")
    (region, *rest) = found.regions
    answer = replace(region.answer, lower=1, proved=False)
    text = " ".join(write_dag(replace(found, regions=(replace(region, answer=answer), *rest))).split())
    assert ">= 1 50.0 %" in text
    assert "proved" not in text
    unknown = replace(region.answer, lower=None, proved=False)
    text = " ".join(write_dag(replace(found, regions=(replace(region, answer=unknown),))).split())
    assert "- -" in text


def test_plain_letters_for_plain_terminals() -> None:
    found = dag.decide([str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)")
    assert write_dag(found, ascii_only=True, verbose=True).isascii()


# ---------------------------------------------------------------- JSON


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, *BURGERS)
    assert (found["schema"], found["head"], found["unit"]) == ("snapset.dag/1", "burgers(u)>(cost)", "values")
    outer, inner = found["regions"]
    assert (outer["id"], outer["kind"], outer["parent"]) == ("burgers", "procedure", None)
    assert (inner["id"], inner["kind"], inner["parent"], inner["first_line"], inner["last_line"]) == (
        "burgers@13", "region", "burgers", 13, 18)
    assert outer["cost"] == outer["optimum"] == outer["lower_bound"] == 2
    assert outer["bounds"] == {"tbr": 2, "required": 3, "statements": 2}
    assert (inner["cost"], inner["gap"]) == (0, 0.0)
    assert found["totals"]["cost"] == 2
    assert found["replay"] is None
    flux = next(g for g in inner["graphs"] if g["first_line"] == 14)
    assert flux["flattened"]
    assert flux["statements"] == 1
    assert flux["cut"] == ["i at 14", "u(i) at 14"]
    assert set(flux["recomputed"]) & set(flux["required"])


def test_places_have_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "s.f90"
    path.write_text("subroutine s(x, i, a)\n  integer :: i\n  real(8) :: x, a(9)\n  x = a(i)*x\n  i = 3\n  i = 4\n"
                    "  x = sin(x)*a(i)\nend subroutine\n")
    (region,) = document(capsys, str(path), "--head", "s(x,a)>(x)")["regions"]
    for name in region["S"]:
        assert region["places"][name]["line"] == int(name.partition("@")[2])
    assert len(region["S"]) + len(region["U"]) == region["cost"] > 0


def test_what_was_not_asked_for_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, *BURGERS, "--method", "biclique")
    assert (found["regions"][0]["optimum"], found["regions"][0]["lower_bound"], found["regions"][0]["gap"]) == (
        None, None, None)
    assert found["totals"]["optimum"] is None


def test_the_library_says_the_same(coupled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = dag.decide([coupled[0]], "step(q)>(q)", dag.Wanted())
    assert dag.document(found) == document(capsys, *coupled)
    with pytest.raises(snapset.InputError, match="2 heads"):
        dag.decide([coupled[0]], "step(q)>(q) step(p)>(q)")
    cheap = dag.decide([coupled[0]], "step(q)>(q)", Wanted(Options(method="biclique")))
    assert cheap.regions[0].answer.lower is None


# ---------------------------------------------------------------- options


def test_one_region(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, *BURGERS, "--at", "burgers@13")
    assert [region["id"] for region in found["regions"]] == ["burgers@13"]
    error = refused(capsys, *BURGERS, "--at", "burgers@14")
    assert "--at burgers@14" in error
    assert "there are burgers, burgers@13" in error


def test_bytes_count_loops(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, *BURGERS, "--weights", "bytes", "--assume", "n=10", "--assume", "nsteps=7")
    assert found["unit"] == "bytes"
    assert found["regions"][0]["cost"] == 7*(8*10 + 8)
    assert found["defaulted"] == []
    text = said(capsys, *BURGERS, "--weights", "bytes")
    assert "100 stands for n, nsteps: give numbers with --assume" in text
    assert "cost in bytes stored over a run" in text


def test_numbers_that_nothing_depends_on_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dag", *BURGERS, "--weights", "bytes", "--assume", "n=10", "--assume", "m=3"]) == 0
    assert capsys.readouterr().err == "note: --assume m: no cost depends on it\n"
    assert main(["dag", *BURGERS, "--assume", "n=10"]) == 0
    assert capsys.readouterr().err == "note: --assume n: no cost depends on it\n"
    assert main(["dag", *BURGERS, "--assume", "n=10", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_a_price_on_recomputing(coupled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    free = document(capsys, coupled[0], "--head", "step(q,p)>(q,p)")
    dear = document(capsys, coupled[0], "--head", "step(q,p)>(q,p)", "--price", "5")
    again = [sum(len(g["recomputed"]) for g in found["regions"][0]["graphs"]) for found in (free, dear)]
    assert again[1] < again[0]
    assert dear["totals"]["cost"] == sum(len(dear["regions"][0][x]) for x in "SU") + 5*again[1]


def test_elimination_orders(coupled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    costs = {order: document(capsys, *coupled, "--order", order)["totals"]["cost"]
             for order in ("markowitz", "forward", "reverse")}
    assert set(costs.values()) == {1}


@pytest.mark.parametrize(("more", "message"), [
    (["--graph", "x.png"], "--graph x.png: give a name that ends in .svg, or in .dot"),
    (["--graph", "no/such/x.svg"], "there is no directory no"),
    (["--set", "n=3"], "--set is for --replay"),
    (["--delta", "2"], "2: not a number from 0 to 1"),
    (["--delta", "x"], "x: not a number"),
    (["--seconds", "-1"], "-1: not a number of seconds"),
    (["--seconds", "nan"], "nan: not a number"),
    (["--price", "1e9"], "1e9: not a whole number"),
    (["--price", "-1"], "-1: not a whole number"),
    (["--method", "best"], "invalid choice: 'best'"),
    (["--strategy", "lazy"], "unrecognized arguments: --strategy"),
])
def test_what_is_refused(more: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in refused(capsys, *BURGERS, *more)


def test_counts_are_bytes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    counted = {"files": [{"file": BURGERS[0], "lines": [{"line_number": line, "count": count}
                                                        for line, count in ((20, 3), (14, 30), (17, 24))]}]}
    path = tmp_path / "burgers.gcov.json"
    path.write_text(json.dumps(counted))
    error = refused(capsys, *BURGERS, "--counts", str(path), "--weights", "count")
    assert "--counts gives bytes of a run" in error
    found = document(capsys, *BURGERS, "--counts", str(path), "--assume", "n=10")
    assert found["unit"] == "bytes"
    assert found["regions"][0]["cost"] == 3*(8*10 + 8)


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dag", "--help"]) == 0
    text = capsys.readouterr().out
    for word in ("--method", "--order", "--price", "--graph", "--replay", "t from 6", "lower bound", "examples:"):
        assert word in text
    assert main(["--help"]) == 0
    assert "dag      store or recompute" in capsys.readouterr().out
    assert dag_parser().parse_args([]).delta == "0"


# ---------------------------------------------------------------- pictures


def test_pictures(coupled: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    svg, dot = tmp_path / "g.svg", tmp_path / "g.dot"
    said(capsys, *coupled, "--graph", str(svg), "--graph", str(dot))
    texts = [node.text for node in ET.parse(svg).iter() if node.tag.endswith("text") and node.text]
    assert "step@3: G* of lines 3-5" in texts
    assert dot.read_text().startswith("// step(q)>(q)\ndigraph ")


# ---------------------------------------------------------------- execution


def test_the_choice_is_executed(coupled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, *coupled, "--replay", "--set", "q=0.5")
    assert "executed: gradient equal but for rounding" in text
    assert "inputs: q=0.5" in text
    found = document(capsys, *coupled, "--replay")["replay"]
    assert found["equal"]
    assert found["compared"] > 0
    assert (found["values_bytes"], found["places_bytes"]) == (8, 0)


def test_a_wrong_gradient_is_a_finding(coupled: list[str], capsys: pytest.CaptureFixture[str],
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    right = dag_experiment.replay_dag

    def wrong(*arguments: Any) -> dag_experiment.DagReplay:
        return replace(right(*arguments), largest=0.5, lost={"q at 3": 2}, error="f.f90:3: lost")

    monkeypatch.setattr(dag_experiment, "replay_dag", wrong)
    assert main(["dag", *coupled, "--replay"]) == 1
    text = capsys.readouterr().out
    assert "gradient WRONG" in text
    assert "q at 3 was not found again as it had been, 2 times" in text
    assert "f.f90:3: lost" in text
    assert main(["dag", *coupled, "--replay", "--format", "json"]) == 1


def test_several_heads(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, *BURGERS, "--head", "burgers(u,dt)>(cost)")
    assert [one["head"] for one in found] == ["burgers(u)>(cost)", "burgers(u,dt)>(cost)"]


def test_as_a_command() -> None:
    done = run("dag", *BURGERS, "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert "burgers: code of the procedure at" in done.stdout


def test_lines_of_included_files_have_their_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "body.inc").write_text("  y = x*x*y\n  y = y*y\n")
    path = tmp_path / "s.f90"
    path.write_text("subroutine s(x, y)\n  real(8) :: x, y\n  include 'body.inc'\n  if (x > 0) return\n  x = y*y\n"
                    "  y = x*y\nend subroutine\n")
    text = said(capsys, str(path), "--head", "s(x,y)>(y)", "--verbose").replace(" ", "")
    assert "body.inc:1-2" in text
    assert "line6" in text or "lines5-6" in text


def test_start_values_that_are_not_known_are_told(tmp_path: Path) -> None:
    """DATA sets one element of a; the others are random, which text and JSON say as `replay` does."""
    path = tmp_path / "x.f90"
    path.write_text("module c\n  real(8) a(4)\n  data a(2) /0.7d0/\nend module c\nsubroutine s(x, y)\n  use c\n"
                    "  real(8) x, y\n  x = sin(x)*a(2)\n  y = x*x + a(1)\nend subroutine s\n")
    done = run("dag", path, "--head", "s(x)>(y)", "--replay")
    assert "random, because their start values are not understood (--set NAME=VALUES gives them): a(4)" in " ".join(
        done.stdout.split())
    inputs = next(line for line in done.stdout.splitlines() if "inputs:" in line)
    assert "a(4)" not in inputs
    document = json.loads(run("dag", path, "--head", "s(x)>(y)", "--replay", "--format", "json").stdout)
    assert [(one["name"], one["unknown"]) for one in document["replay"]["inputs"]] == [
        ("x", False), ("y", False), ("a", True)]
