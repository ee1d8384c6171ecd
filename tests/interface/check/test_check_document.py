"""``snapset check --format json``: the findings that the lines tell, in a document that its schema describes."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from snapset.documents.json_schema import json_schema

from tests.interface.check.test_precommit import DECAY, LARGER, PROJECT
from tests.support.command import run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose lock is written."""
    (tmp_path / "snapset.toml").write_text(PROJECT)
    (tmp_path / "decay.f90").write_text(DECAY)
    assert run("check", "--update", cwd=tmp_path).returncode == 0
    return tmp_path


def document(project: Path, *options: str) -> tuple[int, dict[str, Any]]:
    done = run("check", "--format", "json", *options, cwd=project)
    found: dict[str, Any] = json.loads(done.stdout)
    closed = deepcopy(json_schema("check"))
    for one in closed["$defs"].values():
        one["additionalProperties"] = False
    Draft202012Validator(closed).validate(found)
    return done.returncode, found


def test_nothing_has_changed(project: Path) -> None:
    code, found = document(project)
    assert (code, found["findings"], found["written"]) == (0, [], False)
    assert (found["heads"], found["parts"]) == (1, 1)
    assert Path(found["lock"]).name == "snapset.lock"


def test_the_findings_are_those_of_the_lines(project: Path) -> None:
    """C writes rate, which its adjoint reads: 8 bytes for each of 1000 elements more."""
    (project / "decay.f90").write_text(LARGER)
    code, found = document(project)
    text = run("check", cwd=project)
    assert code == text.returncode == 1
    assert all(f"    {one['message']}\n" in text.stdout for one in found["findings"])
    assert [f"{one['file']}:{one['line']}: {one['title']}" for one in found["causes"]] == [
        line for line in text.stdout.splitlines() if line.startswith("decay.f90:")]
    assert sorted(place for one in found["causes"] for place in one["findings"]) == [*range(len(found["findings"]))]
    assert found["causes"][-1]["bytes"] == {"lazy": 16000}  # rate, and u on the tape of C
    assert any("Snp gains rate, 8000 bytes" in one["message"] for one in found["findings"])
    assert {one["part"] for one in found["findings"]} == {"decay, part 1"}


def test_an_update_says_what_it_wrote(project: Path) -> None:
    (project / "decay.f90").write_text(LARGER)
    code, found = document(project, "--update")
    assert (code, found["written"], found["findings"], found["parts"]) == (0, True, [], 1)
    assert document(project)[1]["findings"] == []


def test_what_is_unusable_is_no_document(project: Path) -> None:
    (project / "snapset.lock").unlink()
    for form in (("--format", "json"), ("--format", "xml")):
        done = run("check", *form, cwd=project)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
