"""Every data-flow problem on readable cases; the list in the docs; what --dump prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import snapset.analysis
from snapset.analysis.dataflow.framework import DataFlowProblem
from snapset.analysis.problems import PROBLEMS
from snapset.render.pages import dataflow_dump

from tests.analysis.dataflow.dataflow_cases import CASES, found, read
from tests.support.command import run
from tests.support.paths import ROOT

FILES = sorted(CASES.glob("*.f90"))
DOCS = ROOT / "docs"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_sets_beside_each_line(path: Path) -> None:
    case = read(path)
    assert case.expected, "a case that expects nothing"
    assert found(case) == case.expected


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_case_needs_its_analysis(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were statements without effect on its sets, the case would fail."""
    case = read(path)
    monkeypatch.setattr(PROBLEMS[case.given["analysis"]], "transfer", lambda self, node, state: state)
    assert found(case) != case.expected


def test_every_problem_has_a_case() -> None:
    assert {read(path).given["analysis"] for path in FILES} == set(PROBLEMS)


def test_the_list_is_complete() -> None:
    """Every class that is a problem by name is in the list, whatever module it stands in."""
    _import_all()
    named = {kind.name: kind for kind in _below(DataFlowProblem) if "name" in vars(kind) and _is_ours(kind)}
    assert named == dict(PROBLEMS)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_says_what_it_is(name: str) -> None:
    problem = PROBLEMS[name]
    assert problem.summary().endswith(".")
    assert problem.equation()
    assert problem.joining
    assert problem.safe
    assert problem.direction


def test_the_docs_hold_the_list() -> None:
    assert (DOCS / "dataflow.md").read_text() == dataflow_dump.page(), "make docs"


def test_dump_list_and_unknown_names() -> None:
    done = run("report", "--dump", "list")
    assert done.returncode == 0
    assert all(name in done.stdout for name in PROBLEMS)
    listed = json.loads(run("report", "--dump", "list", "--format", "json").stdout)
    assert [one["problem"] for one in listed] == list(PROBLEMS)
    done = run("report", "--dump", "nothing-such")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert all(name in done.stderr for name in PROBLEMS)


def test_dump_stands_beside_the_source(tmp_path: Path) -> None:
    file = tmp_path / "case.f90"
    file.write_text(read(CASES / "varied.f90").text)
    done = run("report", str(file), "--head", "s(x)>(y)", "--dump", "varied", "--quiet")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("varied: forward, ∪, safe side over-approximation")
    assert "s, at its entry {x}" in lines
    assert any(line.split() == ["12", "y", "=", "y*x", "{x,", "y}", "->", "{x,", "y}"] for line in lines)
    found = json.loads(run("report", str(file), "--head", "s(x)>(y)", "--dump", "varied", "--format", "json").stdout)
    (solved,) = found["solved"]
    (node,) = (one for one in solved["nodes"] if one["line"] == 12)
    assert (node["at_entry"], node["at_exit"]) == ({"": ["x", "y"]}, {"": ["x", "y"]})


def test_dump_of_what_nothing_asks_for(tmp_path: Path) -> None:
    file = tmp_path / "case.f90"
    file.write_text("subroutine s(x, y)\n real :: x, y\n y = x*x\nend subroutine\n")
    done = run("report", str(file), "--head", "s(x)>(y)", "--dump", "split-sweep", "--quiet")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "No analysis of these heads asks for it.")


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _is_ours(kind: type[Any]) -> bool:
    return kind.__module__.startswith("snapset.")


def _import_all() -> None:
    import importlib
    import pkgutil

    for module in pkgutil.walk_packages(snapset.analysis.__path__, "snapset.analysis."):
        importlib.import_module(module.name)
