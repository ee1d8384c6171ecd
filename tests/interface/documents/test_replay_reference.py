"""Replay's JSON holds all that is needed to check it against the compiled program: nothing else is used here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.gfortran_programs import gfortran
from tests.support.command import run
from tests.support.corpus import CORPUS

PROGRAM = """\
program check
  integer, parameter :: n = {n}, nsteps = {nsteps}
  real(8) :: u(n), dt, cost
  read (*, *) u, dt
  call burgers(u, n, nsteps, dt, cost)
  write (*, '(es25.17)') cost, u
end program check
"""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    done = run("replay", CORPUS / "burgers_region.f90", "--head", "burgers(u)>(cost, u)", "--set", "n=6", "--set",
               "nsteps=3", "--set", "dt=0.1", "--format", "json")  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def compiled(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compiled")
    given = {one["name"]: one["value"] for one in document["inputs"]}
    (folder / "main.f90").write_text(PROGRAM.format(n=given["n"], nsteps=given["nsteps"]))
    subprocess.run([gfortran(), "-O0", "-ffp-contract=off", CORPUS / "burgers_region.f90", folder / "main.f90", "-o",
                    folder / "run"], check=True, timeout=60, cwd=folder)  # fmt: skip
    return folder / "run"


def outcome(program: Path, u: list[float], dt: float) -> list[float]:
    text = " ".join(map(repr, [*u, dt]))
    done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=60, check=True)
    return [float(word) for word in done.stdout.split()]


def start(document: dict[str, Any]) -> tuple[list[float], float]:
    inputs = {one["name"]: one for one in document["inputs"]}
    assert inputs["u"]["shape"] == [6]
    assert inputs["n"]["elements"] is None
    return inputs["u"]["elements"], inputs["dt"]["value"]


def test_the_dependents_values_are_those_of_the_compiled_program(document: dict[str, Any], compiled: Path) -> None:
    values = document["reference"]["values"]
    assert list(values) == ["cost", "u"]
    assert (values["cost"]["shape"], values["u"]["shape"]) == ([], [6])
    ours = [*values["cost"]["elements"], *values["u"]["elements"]]
    assert ours == pytest.approx(outcome(compiled, *start(document)), rel=1e-12)


def test_the_gradient_is_that_of_the_weighted_sum_of_the_compiled_programs_values(
    document: dict[str, Any], compiled: Path
) -> None:
    reference = document["reference"]
    weights = [*reference["weights"]["cost"]["elements"], *reference["weights"]["u"]["elements"]]
    u, dt = start(document)

    def objective(k: int, step: float) -> float:
        moved = [value + step*(at == k) for at, value in enumerate(u)]
        return sum(weight*value for weight, value in zip(weights, outcome(compiled, moved, dt), strict=True))

    differences = [(objective(k, 1e-6) - objective(k, -1e-6)) / 2e-6 for k in range(6)]
    assert reference["gradient"]["u"]["shape"] == [6]
    assert reference["gradient"]["u"]["elements"] == pytest.approx(differences, rel=1e-6)
    assert any(abs(one) > 1e-3 for one in differences)


def test_the_inputs_can_be_set_again(document: dict[str, Any]) -> None:
    u, dt = start(document)
    again = run("replay", CORPUS / "burgers_region.f90", "--head", "burgers(u)>(cost, u)", "--set", "n=6", "--set",
                "nsteps=3", "--set", f"dt={dt!r}", "--set", f"u={','.join(map(repr, u))}", "--seed", "77", "--format",
                "json")  # fmt: skip
    assert json.loads(again.stdout)["reference"] == document["reference"]


def test_what_is_no_number_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "log.f90").write_text("subroutine p(x, y)\n  real(8) :: x, y\n  y = log(x)\nend subroutine\n")
    done = run("replay", "log.f90", "--head", "p(x)>(y)", "--set", "x=0", "--format", "json", cwd=tmp_path)
    reference = json.loads(done.stdout)["reference"]
    assert reference["values"] == {"y": {"shape": [], "elements": ["-inf"]}}
    assert reference["gradient"] == {"x": {"shape": [], "elements": ["inf"]}}
