"""An option of the analysis is one record: its flag and its key in the project file reach the analysis."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from snapset.analysis.analysis_options import AnalysisOptions, OptionRecord, records
from snapset.cli.grammar.arguments import UsageError, report_parser
from snapset.cli.grammar.check_arguments import check_parser
from snapset.config.settings import settle
from snapset.library.analysis import Choices, analysis_options

GIVEN = {"split": "step", "assume": "n=7", "counts": "run.gcov.json"}
MEANT = {"split": frozenset({"step"}), "assume": {"n": 7}, "first_run": "whole", "effects": {"solve": "in out"}}
IN_FILE = {"split": '["step"]', "assume": "{ n = 7 }", "first_run": '"whole"', "effects": '{ solve = "in out" }'}
FLAGGED = [(name, one) for name, one in records().items() if one.flag and name != "counts"]
KEYED = [(name, one) for name, one in records().items() if one.key]


def other(name: str) -> object:
    """What an option is that is not left at its default."""
    default = getattr(AnalysisOptions(), name)
    return MEANT.get(name, not default)


def settled(directory: Path, *words: str) -> AnalysisOptions:
    """The analysis's options of ``snapset report a.f90`` with these words."""
    (directory / "a.f90").write_text("end\n")
    parsed = report_parser().parse_intermixed_args(["a.f90", *words])
    return analysis_options(settle(parsed, directory).choices)


def words(name: str, record: OptionRecord) -> list[str]:
    given = {"choice": ["whole"], "list": [GIVEN.get(name, "")], "table": [GIVEN.get(name, "")]}
    return [record.flag, *given.get(record.kind, [])]


def test_every_field_has_a_record_that_says_what_it_is() -> None:
    assert set(records()) == {one.name for one in fields(AnalysisOptions)}
    assert all(one.help if one.flag else one.key for one in records().values())


@pytest.mark.parametrize(("name", "record"), FLAGGED, ids=[name for name, _ in FLAGGED])
def test_a_flag_reaches_the_analysis(name: str, record: OptionRecord, tmp_path: Path,
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert settled(tmp_path) == analysis_options(Choices())
    found = settled(tmp_path, *words(name, record))
    assert getattr(found, name) == other(name)
    assert found == analysis_options(Choices(**{name: other(name)}))  # type: ignore[arg-type]
    assert record.flag in report_parser().format_help()
    assert (record.flag in check_parser().format_help()) == (record.command in ("", "check"))


@pytest.mark.parametrize(("name", "record"), KEYED, ids=[name for name, _ in KEYED])
def test_a_key_of_the_project_file_reaches_the_analysis(name: str, record: OptionRecord, tmp_path: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    value = IN_FILE.get(name, "false" if other(name) is False else "true")
    (tmp_path / "snapset.toml").write_text(f"{name.replace('_', '-')} = {value}\n")
    assert getattr(settled(tmp_path), name) == other(name)
    if record.flag:
        assert getattr(settled(tmp_path, *words(name, record)), name) == other(name)


def test_lists_and_tables_add_up_and_the_command_lines_numbers_win(tmp_path: Path,
                                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "snapset.toml").write_text('split = ["one"]\nassume = { n = 1, m = 2 }\nfirst-run = "whole"\n')
    found = settled(tmp_path, "--split", "two", "--assume", "n=3", "--first-run", "trimmed")
    assert (found.split, found.assume, found.first_run) == ({"one", "two"}, {"n": 3, "m": 2}, "trimmed")


@pytest.mark.parametrize("key", ["save-intact = 1", 'first-run = "half"', "pareto = true", "split = 3"])
def test_a_key_of_another_kind_is_an_error_in_its_line(key: str, tmp_path: Path,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "snapset.toml").write_text(f"{key}\n")
    with pytest.raises(Exception, match=r"snapset\.toml:1:1: error: "):
        settled(tmp_path)


def test_a_choice_that_is_none_is_unusable() -> None:
    with pytest.raises(UsageError, match="--first-run"):
        report_parser().parse_intermixed_args(["a.f90", "--first-run", "half"])
