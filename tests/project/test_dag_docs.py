"""docs/dag.md shows what the command prints, and names options that there are."""

from __future__ import annotations

import json
import re

import pytest
from snapset.cli.grammar.dag_arguments import dag_parser
from snapset.cli.main import main

from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "dag.md").read_text(encoding="utf-8")


def test_the_example_is_what_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    command, shown = PAGE.partition("    snapset ")[2].partition("\n")[::2]
    assert main([word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)]) == 0
    printed = iter(capsys.readouterr().out.splitlines())
    lines = [line.removeprefix("    ") for line in shown.partition("\nPlankton")[0].splitlines() if line.strip()]
    assert len(lines) > 10
    for line in lines:
        assert line in printed, line


def test_its_options_exist() -> None:
    known = set(dag_parser()._option_string_actions)
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) <= known


def test_the_json_page_has_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8").partition("# `snapset dag")[2].partition("\n# ")[0]
    main(["dag", str(ROOT / "corpus" / "dag_coupled.f90"), "--head", "coupled(q)>(q)", "--replay", "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    (region,) = found["regions"]
    for keys in (found, region, region["graphs"][0], region["bounds"], region["bicliques"], found["replay"]):
        for key in keys:
            assert f'"{key}"' in text, key
