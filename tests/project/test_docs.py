"""What the documents list is what there is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest
from snapset import Choices, replay, report
from snapset.cli.main import main
from snapset.config.project_file import project_keys
from snapset.frontend.rules import RULES
from snapset.render.pages.replay_text import write_replay
from snapset.render.pages.report_text import render

from tests.support.paths import ROOT


def test_every_diagnostic_code_has_a_record_and_no_other() -> None:
    sources = [file for top in ("frontend", "analysis", "interface") for file in (ROOT / top).rglob("*.py")
               if file.parent.name != "rules"]
    used = {code for file in sources for code in re.findall(r'"(SN\d{3})"', file.read_text())}
    assert sorted(RULES) == sorted(used)


GENERATED = run_path(str(ROOT / "docs" / "generate.py"))["PAGES"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("page", GENERATED)
def test_a_page_that_is_made_from_records_is_up_to_date(page: str) -> None:
    assert (ROOT / "docs" / page).read_text() == GENERATED[page](), "run make docs"


def test_every_project_key_is_documented_and_no_other() -> None:
    text = (ROOT / "docs" / "project.md").read_text()
    documented = re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)
    assert sorted(documented) == sorted(name.replace("_", "-") for name in project_keys())


def test_the_documents_that_are_pointed_at_exist() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_readme_shows_what_the_report_prints(monkeypatch: pytest.MonkeyPatch,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(["report", "corpus/burgers_region.f90", "--head", "burgers(u)>(cost)", "--quiet", "--no-cache"]) == 0
    printed = [line for line in capsys.readouterr().out.splitlines() if line]
    text = (ROOT / "README.md").read_text()
    shown = text.partition("The report:\n")[2].partition("Before lines 13-18")[0]
    assert [line.removeprefix("    ") for line in shown.splitlines() if line.strip()] == printed


def test_the_readmes_commands_run_as_they_stand(tmp_path: Path) -> None:
    """In the order of the page, in a shell whose PATH begins as ``. .venv/bin/activate`` leaves it."""
    text = (ROOT / "README.md").read_text()
    commands = [line.strip() for line in text.splitlines() if re.match(r"    (snapset|make|pip|\.|python) ", line)]
    made = [line for line in commands if not line.startswith("snapset ")]
    assert [line.partition("#")[0].split() for line in made] == [
        ["make", "demo"], [".", ".venv/bin/activate"]]
    assert "\ndemo:" in (ROOT / "Makefile").read_text()
    shutil.copytree(ROOT / "corpus", tmp_path / "corpus")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = [line for line in commands if line.startswith("snapset ")]
    assert {line.split()[1] for line in ran} == {"report", "replay"}
    for line in ran:
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path},
                              capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"


def test_the_readme_shows_what_the_replay_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = replay(["corpus/burgers_region.f90"], "burgers(u)>(cost)", values={"n": 100}, necessity=True)
    text = (ROOT / "README.md").read_text()
    shown = text.partition("of the stack.\n")[2].partition("Where next:")[0]
    lines = [line.removeprefix("    ") for line in shown.splitlines() if line.strip()]
    assert len(lines) == 5
    assert "\n".join(lines) in write_replay(result)


def test_what_is_computed_again_is_shown_as_the_report_prints_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    choices = Choices(strategies="lazy", recompute=True)
    printed = render(report(["corpus/table_classes.f90"], "classes(x)>(y)", choices))
    text = (ROOT / "docs" / "recompute.md").read_text()
    shown = text.partition("--recompute\n\n")[2].partition("- **Snp**")[0]
    lines = [line.removeprefix("    ") for line in shown.splitlines() if line.strip()]
    assert len(lines) == 8
    assert "\n".join(f"  {line}" for line in lines) in printed
