"""The programs of benchmarks/ranks/, of 250 lines each: every plan ends as expected on simulated ranks and under real
MPI, with the same gradient, which is that of differences."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
from snapset.cli.main import main

from tests.support.message_programs import check_derivative, on_ranks, plan
from tests.support.paths import ROOT

PROGRAMS: Final = {
    "heat_plate": ("plate(t,conduct)>(cost)", {"nx": 4, "ny": 3, "nsteps": 2}),
    "sweep_transport": ("slab(fixed,density)>(leak)", {"cells": 3, "groups": 2, "most": 2}),
    "task_farm": ("integrate(shape,ends)>(total)", {"pieces": 3, "rounds": 2}),
}
MPIEXEC = Path(sys.executable).parent / "mpiexec"
there = pytest.mark.skipif(find_spec("mpi4py") is None or not MPIEXEC.exists(),
                           reason="no MPI: pip install 'snapset[mpi]'")


def text_of(name: str) -> str:
    return (ROOT / "benchmarks" / "ranks" / f"{name}.f90").read_text()


@pytest.mark.sample(9)
@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_right_ends_and_the_popular_way_does_not(name: str, ranks: int) -> None:
    head, sizes = PROGRAMS[name]
    for nested in ("again", "keep"):
        found = on_ranks(text_of(name), head, ranks, sizes, nested=nested, plans=("log", "resend", "popular", "least"))
        assert found.diagnostics == ()
        for one in ("store-all", "log", "resend", "least"):
            assert plan(found, one).right, plan(found, one)
            assert one == "store-all" or plan(found, one).log_bytes == plan(found, one).predicted_log_bytes
        assert not plan(found, "popular").ends


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_their_gradients_are_those_of_differences(name: str) -> None:
    head, sizes = PROGRAMS[name]
    check_derivative(text_of(name), head, 3, sizes)


@pytest.mark.slow
@there
@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("name", PROGRAMS)
def test_real_ranks_do_the_same(name: str, ranks: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bit for bit; the simulation lets wildcards take what they took there."""
    words, path = arguments(name), tmp_path / "found.json"
    really(words, ranks, path)
    main(["messages", *words, "--ranks", str(ranks), "--wildcards", str(path)])
    same(json.loads(capsys.readouterr().out), json.loads(path.read_text()))


@there
@pytest.mark.parametrize("sends", ["3", "4"])
def test_real_ranks_take_what_a_simulation_took(sends: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The two orders have other bits: by 3 the gradient is another one than by 4."""
    words = [*arguments("task_farm", pieces=6), "--messages-plan=log", "--sends", sends]
    main(["messages", *words, "--ranks", "4"])
    simulated = capsys.readouterr().out
    (tmp_path / "simulated.json").write_text(simulated)
    really([*words, "--wildcards", str(tmp_path / "simulated.json")], 4, tmp_path / "found.json")
    same(json.loads(simulated), json.loads((tmp_path / "found.json").read_text()))


def arguments(name: str, **others: int) -> list[str]:
    head, sizes = PROGRAMS[name][0], {**PROGRAMS[name][1], **others}
    words = [str(ROOT / "benchmarks" / "ranks" / f"{name}.f90"), "--head", head, "--quiet", "--format", "json"]
    return [*words, *(f"--set={size}={value}" for size, value in sizes.items())]


def really(words: list[str], ranks: int, path: Path) -> None:
    command = [str(MPIEXEC), "-n", str(ranks), sys.executable, "-m", "snapset", "messages", *words, "--ranks", "mpi"]
    with path.open("w") as out:
        subprocess.run(command, stdout=out, timeout=300, check=False)


def same(simulated: Any, real: Any) -> None:
    assert simulated["taken"] == real["taken"]
    for one, other in zip(simulated["runs"], real["runs"], strict=True):
        assert (one["plan"], one["ends"], one["equal"]) == (other["plan"], other["ends"], other["equal"])
        if one["ends"]:
            for key in ("gradient_digest", "log_bytes", "sent_again_bytes", "never_received"):
                assert one[key] == other[key], (key, one, other)
