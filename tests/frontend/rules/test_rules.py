"""Every diagnostic's example is given its code, and is not once it is cured: through the command line, as users run
it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from snapset.cli.main import main
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.rules import RULES
from snapset.frontend.rules.rule import Example, Rule


def codes_of(example: Example, directory: Path, monkeypatch: pytest.MonkeyPatch,
             capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """Code and severity of every remark that the example's command makes."""
    for name, text in example.files.items():
        (directory / name).write_text(text)
    monkeypatch.chdir(directory)
    code = main([*example.command, "--format", "json", "--no-cache", "--jobs", "1", "--quiet"])
    said = capsys.readouterr()
    assert code in (0, 1), said.err
    found = json.loads(said.out)
    assert code == any(one["severity"] == "error" for one in _remarks(found)), "1 is for what is wrong"
    return [(one["code"], one["severity"]) for one in _remarks(found)]


def _remarks(found: object) -> list[dict[str, str]]:
    """All diagnostics in a document, those of its parts included."""
    if isinstance(found, list):
        return [one for item in found for one in _remarks(item)]
    if not isinstance(found, dict):
        return []
    own = found.get("diagnostics", [])
    return [*own, *(one for key, item in found.items() if key != "diagnostics" for one in _remarks(item))]


@pytest.mark.sample(2)
@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_an_example_is_given_its_code_and_its_cure_is_not(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    found = codes_of(rule.example, before, monkeypatch, capsys)
    assert (rule.code, rule.severities[0]) in found
    left = codes_of(rule.cured, after, monkeypatch, capsys)
    assert rule.code not in [code for code, _ in left]
    assert {code for code, _ in left} <= {code for code, _ in found}, "a cure brings no other remark"


def test_a_record_gives_no_severity_that_it_does_not_have() -> None:
    with pytest.raises(ValueError, match="SN101 is never a note"):
        RULES["SN101"].at("", Span("a.f90", 1, 1), "note")


@pytest.mark.parametrize("code", ["SN105", "sn105"])
def test_explain_prints_a_record(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code]) == 0
    said = capsys.readouterr().out
    rule = RULES["SN105"]
    words = " ".join(said.split())
    assert words.startswith("SN105 (warning) An association changes")
    assert rule.why in words
    for example in (rule.example, rule.cured):
        assert all(line.strip() in said for text in example.files.values() for line in text.splitlines())


def test_a_code_that_is_none_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "SN15"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: SN15: no diagnostic has this code; ")
    assert said.err.count("\n") == 1
