"""Pages of the other commands: the lines and tables of the text, and pictures, well-formed and escaped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from snapset.cli import main

from tests.analysis.comparison.adjoint_cases import CALLS
from tests.analysis.comparison.compiled_adjoint import without
from tests.interface.render.html.test_report_page import HOSTILE, TAGS, safe
from tests.support.corpus import CORPUS
from tests.support.interface.html_tree import Node

BURGERS = [str(CORPUS / "burgers_region.f90"), "--head", "burgers(u)>(cost)"]
COMMANDS = {
    "replay": (["replay", *BURGERS, "--set", "n=20"], 1),
    "dag": (["dag", str(CORPUS / "dag_coupled.f90"), "--head", "coupled(q)>(q)"], 1),
    "schedule": (["schedule", str(CORPUS / "loop_burgers_ab2.f90"), "--head", "burg(u,nu)>(cost)", "--loop",
                  "loop_burgers_ab2.f90:12", "--assume", "n=100", "--assume", "nt=20", "--memory", "8KB"], 1),
    "loop": (["replay", str(CORPUS / "loop_burgers_ab2.f90"), "--head", "burg(u,nu)>(cost)", "--loop",
              "loop_burgers_ab2.f90:12", "--set", "n=8", "--set", "nt=6", "--schedule", "best", "--memory", "1KB"], 0),
    "divide": (["divide", str(CORPUS / "straight_line.f90"), "--head", "mix(x)>(y)", "--leaf", "4"], 1),
    "messages": (["messages", str(CORPUS / "mpi_ring.f90"), "--head", "model(x)>(y)", "--ranks", "2"], 0),
}
MORE = TAGS | {"ellipse", "defs", "marker", "polygon", "line", "tspan"}


def words(text: str) -> list[str]:
    """But for measured times."""
    return [one for one in re.findall(r"[\w@.:%()*+-]+", text) if not re.fullmatch(r"\d+\.\d", one)]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_has_what_the_text_has(name: str, capsys: pytest.CaptureFixture[str],
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    command, pictures = COMMANDS[name]
    assert main.main([*command, "--quiet", "--no-cache"]) == 0
    text = words(capsys.readouterr().out)
    assert main.main([*command, "--quiet", "--no-cache", "--format", "html"]) == 0
    tree = safe(capsys.readouterr().out, MORE)
    inside = "".join(f" {one.text()} " for section in tree.all("section") for tag in ("p", "th", "td")
                     for one in section.all(tag))
    assert sorted(words(inside)) == sorted(text)
    assert len(list(tree.all("svg"))) == pictures
    assert len(list(tree.all("table"))) > 0


ASKED = {
    "explain": (["explain", *BURGERS, "--at", "burgers@13", "nu", "--quiet", "--no-cache"], 0),
    "verify": (["verify", "--claim", "opt1-in-snp0-any", "--quiet"], 0),
    "compare": (["compare", "a_b.f90", "--source", "o.f90", "--head", "model(x)>(y)", "--quiet", "--no-cache"], 1),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_page_of_sentences_has_what_the_text_has(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    Path("o.f90").write_text(CALLS.original)
    Path("a_b.f90").write_text(without(CALLS.adjoint, 22))
    command, code = ASKED[name]
    assert main.main(command) == code
    text = capsys.readouterr().out.split()
    assert main.main([*command, "--format", "html"]) == code
    tree = safe(capsys.readouterr().out, MORE | {"pre"})
    inside = "".join(f" {one.text()} " for section in tree.all("section") for tag in ("p", "th", "td", "pre")
                     for one in section.all(tag))
    assert sorted(words(inside)) == sorted(words(" ".join(text)))


def test_findings_have_their_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a<b>.f90").write_text(HOSTILE.replace("  call g(y, said)\n", ""))
    assert main.main(["check", "a<b>.f90", "--head", "f(x)>(y)", "--update", "--quiet"]) == 0
    Path("a<b>.f90").write_text(HOSTILE.replace("  call g(y, said)\n", "").replace(
        "  y = y*x(2)\nend", "  x(1) = x(1)*y\n  y = y*x(2)*x(1)\nend").replace("  y = y*x(2)\n  x(2)", "  y = y*x(1)\n"
                                                                              "  x(1) = y\n  x(2)"))
    capsys.readouterr()
    assert main.main(["check", "a<b>.f90", "--head", "f(x)>(y)", "--quiet"]) == 1
    said = capsys.readouterr().out
    assert main.main(["check", "a<b>.f90", "--head", "f(x)>(y)", "--quiet", "--format", "html", "-o", "p.html"]) == 1
    tree = safe(Path("p.html").read_text(), MORE)
    remarks: list[Node] = list(tree.all("details", "part"))
    assert remarks
    assert all("a<b>.f90:" in next(one.all("summary")).text() for one in remarks)
    for line in said.splitlines():
        if ": Snp " in line:
            assert line.split(": ", 1)[1].strip() in tree.text()
