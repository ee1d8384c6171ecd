"""An error that no lock accepts: a list in the source that lacks what must be saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interface.check.test_precommit import Check, check, project  # noqa: F401


@pytest.mark.parametrize("again", [False, True])
def test_it_is_said_and_not_called_acceptable(again: bool, project: Path, check: Check) -> None:  # noqa: F811
    file = project / "decay.f90"
    text = file.read_text()
    file.write_text(text.replace("!$AD CHECKPOINT-START", "!$SNAPSET SAVES()\n!$AD CHECKPOINT-START"))
    code, out, _ = check("--update")
    assert (code, out.splitlines()[0]) == (1, "snapset.lock: 1 head, 1 part written")
    if again:
        code, out, _ = check()
    assert code == 1
    assert "SN701" in out
    assert out.endswith("; an error is one until its cause is gone\n")
    assert "to accept" not in out
