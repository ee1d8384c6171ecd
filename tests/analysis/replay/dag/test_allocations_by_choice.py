"""Parts that allocate, under a choice of S and U: the gradient is right, or SN104 says that it need not be."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dag.fortran.head_problems import head_regions
from snapset.analysis.replay.dag.dag_experiment import replay_dag
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.cli.main import main
from snapset.frontend.load import load_text

from tests.analysis.replay.dag.test_dag_replay import check, ready
from tests.analysis.replay.memory.allocation.allocating_cases import GIVEN, PROGRAMS

(HEAD,) = parse_heads("s(x)>(y)")
# No part of these changes what is allocated outside of it.
SURE = ("a function with an allocatable result", "steps of a loop that grow an array")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_gradient_that_may_be_wrong_is_announced(name: str) -> None:
    program = load_text(PROGRAMS[name])
    said = [one for one in head_regions(program, HEAD).diagnostics if one.code == "SN104"]
    assert bool(said) == (name not in SURE)
    assert said or replay_dag(program, HEAD, inputs=Inputs(GIVEN)).equal


@pytest.mark.parametrize("name", SURE)
def test_what_is_not_announced_is_right_under_every_choice(name: str) -> None:
    check(ready(PROGRAMS[name], "s(x)>(y)", Inputs(GIVEN)), name)


def test_the_command_says_so(tmp_path: object, capsys: pytest.CaptureFixture[str],
                             monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    path = f"{tmp_path}/mesh.f90"
    with open(path, "w") as file:
        file.write(PROGRAMS["a growing mesh"])
    assert main(["dag", path, "--head", HEAD.text, "--replay", "--set", "n=4"]) == 1
    page = " ".join(capsys.readouterr().out.split())
    assert "mesh.f90:13:5: warning SN104: changes h[], u[]: what is allocated is restored under lazy and eager" in page
    assert "gradient WRONG" in page
