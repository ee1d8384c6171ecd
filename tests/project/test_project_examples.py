"""The project files that the pages show are project files: each is written down, and read by the command."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from snapset.cli.main import main

from tests.support.paths import ROOT

BLOCK = re.compile(r"(?:^    \S.*\n)+", re.MULTILINE)


def shown(page: Path) -> list[str]:
    """The indented blocks of a page that are TOML with sources or heads of their own."""
    found = []
    for block in BLOCK.findall(page.read_text()):
        text = "".join(line[4:] for line in block.splitlines(keepends=True))
        try:
            content = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        if content.keys() & {"sources", "files", "heads"}:
            found.append(text)
    return found


def test_the_page_on_integration_works_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its project file said `files`, which is no key."""
    monkeypatch.chdir(tmp_path)
    (text,) = shown(ROOT / "docs" / "ci.md")
    Path("snapset.toml").write_text(text)
    Path("src").mkdir()
    Path("src/burgers.f90").write_text((ROOT / "corpus" / "burgers_region.f90").read_text())
    assert main(["check", "--update", "--quiet"]) == 0
    assert main(["check", "--quiet"]) == 0


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_no_page_shows_a_key_that_is_none(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for text in shown(page):
        Path("snapset.toml").write_text(text)
        main(["check", "--quiet"])
        assert "unknown key" not in capsys.readouterr().err
