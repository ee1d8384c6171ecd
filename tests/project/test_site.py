"""The documentation as a site: every page is reached, its links lead somewhere, a newcomer meets examples first."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest
from snapset import Choices, report

from tests.support.paths import ROOT

DOCS = ROOT / "docs"
HOOKS = run_path(str(DOCS / "site_links.py"))


def test_the_navigation_names_pages_that_there_are() -> None:
    named = re.findall(r"^ +- ([\w.]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert len(named) == len(set(named)) > 30
    assert [page for page in named if not (DOCS / page).exists()] == []


def test_a_page_that_the_navigation_forgot_is_in_it(tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text("")
    nav = HOOKS["on_config"]({"docs_dir": str(tmp_path), "nav": ["a.md", {"More of it": ["c.md"]}]})["nav"]
    assert nav == ["a.md", {"More of it": ["c.md"]}, {"More": ["b.md"]}]
    assert HOOKS["on_config"]({"docs_dir": str(tmp_path), "nav": nav})["nav"] == nav


def test_links_out_of_the_pages_are_names() -> None:
    on_page = HOOKS["on_page_markdown"]
    assert on_page("see [`live`](../analysis/adjoint/x.py) here") == "see `live` (`analysis/adjoint/x.py`) here"
    assert on_page("[corpus](../corpus), [dag](dag.md#how)") == "corpus, [dag](dag.md#how)"


def test_the_site_is_built_and_all_its_links_lead_somewhere(tmp_path: Path) -> None:
    if importlib.util.find_spec("material") is None:
        pytest.skip("pip install 'snapset[docs]' for the site")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)], cwd=ROOT,
                          capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert (tmp_path / "tutorial" / "index.html").exists()
    assert (tmp_path / "sweeps.svg").exists()


def test_the_readme_is_short_and_has_a_picture_first() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 60
    assert text.index("docs/sweeps.svg") < text.index("Snp")
    index = (DOCS / "index.md").read_text()
    assert index.index("sweeps.svg") < index.index("`u(2:n-1)`")


def test_the_glossary_s_intact_array_is_one(tmp_path: Path) -> None:
    shown = (DOCS / "glossary.md").read_text().partition("$ cat recur.f90\n")[2].partition("$ ")[0]
    source = tmp_path / "recur.f90"
    source.write_text(shown)
    part, = report([str(source)], "recur(x)>(y)").parts
    assert part.sets.intact == ("g",)
    assert part.solutions["lazy"].snp == ()


def test_every_table_has_its_head() -> None:
    """A row behind prose is no table."""
    torn = []
    for page in DOCS.glob("*.md"):
        lines = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE).splitlines()
        for before, line, behind in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
            if line.startswith("| ") and not before.startswith("|") and (before or not behind.startswith("|--")):
                torn.append(f"{page.name}: {line[:60]}")
    assert not torn


def test_the_best_mixture_of_the_costs_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = report(["corpus/mix_wins.f90"], "mix(x)>(y)", Choices(strategies="lazy,eager,optimal")).totals
    bytes_ = {name: one.peak_bytes.evaluate(n=50, sweeps=10) for name, one in found.items() if one.peak_bytes}
    page = (DOCS / "cost.md").read_text().partition("## Optimal")[2]
    rows = dict(re.findall(r"^\| (lazy|eager|optimal) \|[^|]*\|[^|]*\| (.*) \|$", page, re.MULTILINE))
    assert rows == {"lazy": "80\\*n + 8", "eager": "16\\*n", "optimal": "8\\*n + 8"}
    assert bytes_ == {"lazy": 80*50 + 8, "eager": 16*50, "optimal": 8*50 + 8}
