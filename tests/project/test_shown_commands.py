"""Pages that show a console: each command is run, and prints what stands under it.

    ```console
    $ cat march.f90
    subroutine march ...        a file that is not there is written as it is shown
    $ snapset report march.f90 --head 'march(x)>(y)'
    Adjoint of ...
    ```
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from snapset.cli.main import main

from tests.support.paths import ROOT

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = sorted(page.name for page in (ROOT / "docs").glob("*.md") if BLOCK.search(page.read_text(encoding="utf-8")))


def shown(page: str) -> Iterator[tuple[str, str]]:
    """Each command of a page, and what it prints by the page."""
    for block in BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = piece.partition("\n")
            yield command, printed


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("corpus", "docs/examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    for command, printed in shown(page):
        words = shlex.split(command)
        if words[0] == "cat" and not Path(words[1]).exists():
            Path(words[1]).write_text(printed)
            continue
        if words[0] == "snapset":
            monkeypatch.setenv("COLUMNS", "80")
            assert main([*words[1:], "--quiet", "--no-cache"]) in (0, 1), command
            found = capsys.readouterr().out
        else:
            found = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
        assert [line.rstrip() for line in found.rstrip().splitlines()] == printed.rstrip().splitlines(), command


def test_there_are_pages_that_show_one() -> None:
    assert {"tutorial.md", "glossary.md", "dag.md", "replay.md", "split.md", "solutions.md"} <= set(PAGES)
