"""``snapset verify``: table, counterexamples, JSON, exit codes."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from snapset.analysis.proof import verify as proof
from snapset.analysis.proof.solution_claims import one_checkpoint
from snapset.cli import main
from snapset.documents.json_text import plain
from snapset.render.records import verify_json

from tests.support.command import run
from tests.support.interface.verdicts import all_verdicts

SOME = "dh7-valid", "dh7-complete", "dh7-stored-once", "disjoint-any"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """Of some claims, proved and refuted."""
    with redirect_stdout(StringIO()) as out:
        named = [word for claim in SOME for word in ("--claim", claim)]
        assert main.main(["verify", "--format", "json", "--quiet", *named]) == 0
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_the_json_has_the_fields_of_the_contract(document: dict[str, Any]) -> None:
    assert document["schema"] == "snapset.verify/1"
    assert {claim["id"] for claim in document["claims"]} == set(SOME)
    for claim in document["claims"]:
        assert {"id", "statement", "hypothesis", "holds", "as_recorded", "counterexamples", "program"} <= set(claim)
        assert claim["as_recorded"] is True
        assert claim["holds"] == (claim["counterexamples"] == [])
        assert claim["holds"] == (claim["program"] is None)


def test_the_claim_that_7_is_complete(document: dict[str, Any]) -> None:
    (claim,) = (one for one in document["claims"] if one["id"] == "dh7-complete")
    assert [(one["in"], one["choice"]) for one in claim["counterexamples"]] == [
        (["req", "out_c"], ["sbk"]), (["req", "out_dbar"], ["sbk"]), (["req", "out_c", "out_dbar"], ["sbk"])]
    assert claim["counterexamples"][0]["not_in"] == ["out_dbar", "out_cbar", "use_cbar"]
    assert claim["program"] == claim["counterexamples"][0]["program"]
    assert claim["program"].startswith("subroutine s(x, y)\n")


@pytest.mark.wide
def test_the_command_prints_what_the_library_gives(document: dict[str, Any]) -> None:
    done = run("verify", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == plain(verify_json.document(all_verdicts()))
    assert all(claim in json.loads(done.stdout)["claims"] for claim in document["claims"])


@pytest.mark.wide
def test_the_table_and_what_refutes() -> None:
    done = run("verify", COLUMNS="140", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert any(line[:1] == ["dh7-valid"] and line[-2:] == ["proved", "yes"] for line in lines)
    assert any(line[:1] == ["dh7-stored-once"] and line[-2:] == ["refuted", "yes"] for line in lines)
    assert "refuted; all as recorded" in done.stdout
    assert "  in Req, out(C); not in out(D̄), out(C̄), use(C̄)\n    choice: it is in Sbk, in no other\n" in done.stdout


def test_one_claim_with_its_program() -> None:
    done = run("verify", "--claim", "dh7-complete", COLUMNS="140", PYTHONIOENCODING="utf-8")
    assert "dh7-valid" not in done.stdout
    assert "--head 's(x)>(y)'" in done.stdout
    assert "        v = 2.0d0*x\n        !$AD CHECKPOINT-END\n" in done.stdout
    assert done.stdout.endswith("\n0 proved, 1 refuted; all as recorded\n")


def test_a_terminal_without_unicode_gets_ascii() -> None:
    done = run("verify", "--claim", "dh7-complete", "--claim", "disjoint-any", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert "?" not in done.stdout
    assert "not in out(adj C), use(adj C)" in done.stdout


def test_a_claim_there_is_not() -> None:
    done = run("verify", "--claim", "dh10")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("error: --claim: no such claim: dh10; snapset verify lists them; "
                           "see snapset verify --help\n")


def test_no_file_is_read() -> None:
    done = run("verify", "a.f90")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_another_verdict_than_the_recorded_one_is_a_finding(monkeypatch: pytest.MonkeyPatch,
                                                            capsys: pytest.CaptureFixture[str]) -> None:
    claims = [replace(one, holds=not one.holds) for one in one_checkpoint() if one.id in ("dh7-valid", "dh7-complete")]
    monkeypatch.setattr(proof, "all_claims", lambda: tuple(claims))
    assert main.main(["verify"]) == 1
    shown = capsys.readouterr().out
    assert "NO: refuted" in shown
    assert "NO: holds" in shown
    assert shown.endswith("1 proved, 1 refuted; not as recorded: dh7-valid, dh7-complete\n")


def test_help_teaches() -> None:
    done = run("verify", "--help")
    assert done.returncode == 0
    for word in ("--claim", "--format", "examples:", "exit codes:", "No Fortran is read"):
        assert word in done.stdout
