"""Commands that may take seconds say how much is done: of one head by what is read and analysed, of several by head."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.cli.main import main
from snapset.cli.running.progress import Progress

from tests.analysis.comparison.adjoint_cases import CALLS
from tests.support.paths import ROOT

BURGERS = [str(ROOT / "corpus" / "burgers_region.f90"), "--head", "burgers(u)>(cost)"]
COMMANDS = {
    "explain": (["explain", *BURGERS, "--at", "burgers@13", "nu"], [0.3, 0.86]),
    "explain two": (["explain", *BURGERS, "--at", "burgers@13", "nu", "--strategy", "lazy,eager"],
                    [0.3, 0.58, 0.65, 0.93]),
    "dump": (["report", *BURGERS, "--dump", "to-be-recorded"], [0.3, 1.0]),
    "dump of two": (["report", *BURGERS, "--head", "burgers(u)>(u)", "--dump", "useful"], [0.3, 0.65, 1.0]),
    "compare": (["compare", "a_b.f90", "--source", "o.f90", "--head", "model(x)>(y)"], [0.45, 0.64, 1.0]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_tells_how_much_is_done(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("o.f90").write_text(CALLS.original)
    Path("a_b.f90").write_text(CALLS.adjoint)
    told: list[float] = []
    monkeypatch.setattr(Progress, "share", lambda self, done: told.append(done))
    arguments, shares = COMMANDS[name]
    assert main([*arguments, "--no-cache"]) == 0
    assert [one for n, one in enumerate(told) if n == 0 or told[n - 1] != one] == pytest.approx(shares, abs=0.006)


def test_the_line_has_a_share_and_an_estimate() -> None:
    progress = Progress(quiet=True)
    progress.stage("judging the adjoint of model(x)>(y)")
    progress.share(0.64)
    assert progress._line(16.0) == "snapset: judging the adjoint of model(x)>(y) (64 %, 16 s, about 9 s more)"
