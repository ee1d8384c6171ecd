"""report, check, diff and compare in every format: as in the files of ``golden/``, and by each format's own rules."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from snapset.cli.main import main
from snapset.render.formats import github_commands, junit_suites, markdown_page, sarif_log
from snapset.render.formats.annotations import Annotation, FindingKind, Flow, FlowStep, Outcome

from tests.analysis.comparison.adjoint_cases import CALLS
from tests.analysis.comparison.compiled_adjoint import without
from tests.interface.render.formats.sarif_schema import SARIF
from tests.support.interface.html_tree import read_page, words_of
from tests.support.interface.revisions import commit, repository

GOLDEN = Path(__file__).parent / "golden"
FORMATS = ("text", "sarif", "github", "junit", "markdown")
SOURCE = """\
subroutine run(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t, g
  t = x
  g = x + 1d0
  call step(t, g)
  y = t*g
end subroutine
subroutine step(a, b)
  real(8) :: a, b
  a = a*a*b
end subroutine
"""
# The callee overwrites what its adjoint needs.
LARGER = SOURCE.replace("  a = a*a*b\n", "  a = a*a*b\n  b = b*a\n  print *, b\n")
PROJECT = """\
sources = ["*.f90"]
heads = ["run(x)>(y)"]
strategy = "lazy"
"""
AGAIN = """\
subroutine again_b(z)
  implicit none
  real(8), intent(in) :: z
  real(8) :: t
  t = z
  if (t .gt. 2) goto 20
10 if (t .le. 1) goto 30
20 call pushreal8(t)
  t = t - 1
  goto 10
30 call popreal8(t)
end subroutine again_b
"""
FILES = {"run.f90": SOURCE, "snapset.toml": PROJECT}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two commits: with the lock, and a larger one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    repository(tmp_path, FILES)
    assert main(["check", "--update"]) == 0
    commit(tmp_path)
    (tmp_path / "run.f90").write_text(LARGER)
    commit(tmp_path)
    capsys.readouterr()
    return tmp_path


COMMANDS = {"report": (["report"], 0), "check": (["check"], 1), "diff": (["diff", "HEAD~1", "HEAD"], 1)}


@pytest.mark.sample(2)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", COMMANDS)
def test_as_in_the_file(command: str, form: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, code = COMMANDS[command]
    assert main([*arguments, "--format", form]) == code
    out = capsys.readouterr().out.replace(f'"version": "{version("snapset")}"', '"version": "(of snapset)"')
    file = GOLDEN / f"{command}.{form}"
    if os.environ.get("SNAPSET_UPDATE_GOLDEN"):
        file.write_text(out)
    assert out == file.read_text()


BUDGETS = """
[budgets]
"run(x)>(y)" = { peak = 15, traffic = "1KB" }
"run, call of step 1" = { snapshot = 8 }
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("form", [*FORMATS, "json", "html"])
def test_budgets_and_ignored_warnings_as_in_the_file(form: str, project: Path, capsys: pytest.CaptureFixture[str]
                                                     ) -> None:
    """A head and a part above what they may cost; of two comments that hide a warning one hides none."""
    Path("run.f90").write_text(LARGER.replace("print *, b", "print *, b   ! snapset: ignore[SN102]").replace(
        "  t = x\n", "  t = x   ! snapset: ignore[SN101]\n"))
    Path("snapset.toml").write_text(PROJECT + BUDGETS)
    assert main(["check", "--format", form]) == 1
    out, err = capsys.readouterr()
    assert err == "note: run.f90:5: ignore[SN101]: SN101 is not said here; take the comment away\n"
    out = out.replace(f'"version": "{version("snapset")}"', '"version": "(of snapset)"')
    if form == "html":
        out = "".join(f"{line}\n" for line in words_of(read_page(out)))
    file = GOLDEN / f"budget_check.{form}"
    if os.environ.get("SNAPSET_UPDATE_GOLDEN"):
        file.write_text(out)
    assert out == file.read_text()


@pytest.mark.parametrize("form", FORMATS)
def test_compare_as_in_the_file(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                capsys: pytest.CaptureFixture[str]) -> None:
    """An adjoint with a PUSH that lacks, two for nothing, a loop entered at two labels in one that no part calls."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("o.f90").write_text(CALLS.original)
    Path("a_b.f90").write_text(without(CALLS.adjoint, 22).replace("  zb = w*yb\n", "  zb = w*yb\n  call again_b(z)\n")
                               + AGAIN)
    assert main(["compare", "a_b.f90", "--source", "o.f90", "--head", "model(x)>(y)", "--no-cache", "--quiet",
                 "--format", form]) == 1
    out = capsys.readouterr().out.replace(f'"version": "{version("snapset")}"', '"version": "(of snapset)"')
    file = GOLDEN / f"compare.{form}"
    if os.environ.get("SNAPSET_UPDATE_GOLDEN"):
        file.write_text(out)
    assert out == file.read_text()


# ---------------------------------------------------------------- by the formats' own rules


@pytest.mark.parametrize("command", COMMANDS)
def test_sarif_is_valid_and_its_flows_end_at_the_reason(command: str, project: Path,
                                                        capsys: pytest.CaptureFixture[str]) -> None:
    main([*COMMANDS[command][0], "--format", "sarif"])
    log = json.loads(capsys.readouterr().out)
    Draft202012Validator(SARIF).validate(log)
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert run["results"]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    lines = {(step["location"]["physicalLocation"]["region"]["startLine"]) for result in run["results"]
             for way in result.get("codeFlows", ()) for flow in way["threadFlows"] for step in flow["locations"][-1:]}
    assert 13 in lines  # b = b*a, in the callee


def commands(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """As GitHub's runner reads a log (ActionCommand.cs): ``::name key=value,key=value::data``, escapes undone."""
    def undone(piece: str, *signs: str) -> str:
        for sign in signs:
            piece = piece.replace(f"%{ord(sign):02X}", sign)
        return piece.replace("%25", "%")

    for line in text.split("\n"):
        if line.strip().startswith("::"):
            inside, _, data = line.strip()[2:].partition("::")
            name, _, values = inside.partition(" ")
            pairs = (piece.partition("=") for piece in values.split(",") if piece)
            yield name, {key: undone(value, "\r", "\n", ":", ",") for key, _, value in pairs}, undone(data, "\r", "\n")


HOSTILE = "a,b::c%0A\n::set-env name=x::y.f90"
TEXT = "100 %, first\n::error::no"


def outcome(file: str = HOSTILE) -> Outcome:
    """One remark whose names and texts are written to break formats."""
    flow = Flow("<b>", (FlowStep(file, 3, "x|y"),))
    one = Annotation("larger", "error", TEXT, (TEXT, "]]> & <x> \x1b[2J\x00 @someone `|` ##[error]x"), file, 3, 3, 7,
                     "f(x)>(y)", "p|art", (flow,))
    return Outcome("t", (one,), (FindingKind("larger", "s", "h"),), (("f(x)>(y)", "p|art"), ("f(x)>(y)", "")))


def test_github_reads_back_names_that_look_like_commands() -> None:
    text = github_commands.write(outcome())
    assert text.count("\n") == 1
    ((name, values, data),) = commands(text)
    assert name == "error"
    assert values["file"] == HOSTILE.replace("\n", r"\n")
    assert (values["line"], values["col"], values["title"]) == ("3", "7", "snapset: " + TEXT.replace("\n", r"\n"))
    assert data.split("\n")[:2] == TEXT.split("\n")
    assert "\x1b" not in text


def test_junit_is_well_formed_whatever_stands_in_it() -> None:
    root = ElementTree.fromstring(junit_suites.write(outcome()).encode())
    assert root.tag == "testsuites"
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    bad, good = root.iter("testcase")
    failure = bad.find("failure")
    assert failure is not None
    assert "]]> & <x> \\x1b[2J\\x00" in (failure.text or "")
    assert good.find("failure") is None


def test_sarif_of_names_that_are_no_uris() -> None:
    for name in (HOSTILE, "with space.f90", "ä.f90", "\udcff.f90", "/abs/a b.f90"):
        log: dict[str, Any] = json.loads(sarif_log.write(outcome(name)))
        Draft202012Validator(SARIF).validate(log)
        uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert os.fsdecode(unquote(uri.removeprefix("file://"), errors="surrogateescape")) == name


def test_markdown_mentions_nobody_and_keeps_its_tables() -> None:
    text = markdown_page.write(outcome())
    assert "@" not in text
    assert "<" not in text.replace("`<", "")
    assert all("|" not in found for found in re.findall(r"(?<!\\)\|", text.replace("\\|", "")) if "table" in found)
    assert "\\`\\|\\`" in text
    assert len(text.splitlines()) == len(text.split("\n")) - 1


def test_nothing_found_is_nothing_said() -> None:
    none = Outcome("t", (), (), (("f(x)>(y)", ""),))
    assert github_commands.write(none) == ""
    assert json.loads(sarif_log.write(none))["runs"][0]["results"] == []
    assert ElementTree.fromstring(junit_suites.write(none).encode()).get("failures") == "0"
    assert markdown_page.write(none) == "### t\n"
