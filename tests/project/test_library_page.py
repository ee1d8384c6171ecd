"""The examples of docs/library.md, run as they stand; the package says its version."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from importlib.metadata import version

import pytest
import snapset

from tests.support.paths import ROOT


def test_the_examples_give_what_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert found.attempted > 10
    assert found.failed == 0


def test_the_version() -> None:
    assert snapset.__version__ == version("snapset")


@pytest.mark.parametrize(("what", "never"), [
    ("import snapset", ("snapset.analysis", "argparse", "numpy", "sympy", "networkx", "highspy", "msgspec", "rich")),
    ("from snapset.cli.main import main; main(['--help'])", ("snapset.library", "numpy", "sympy", "networkx", "highspy",
                                                             "msgspec", "rich", "fparser")),
    ("from snapset.cli.main import main; main(REPORT); main(REPORT)", ("sympy", "highspy")),
])
def test_what_is_not_needed_is_not_imported(what: str, never: tuple[str, ...]) -> None:
    """Start-up, without a clock: these take most of it."""
    report = ["report", "corpus/burgers_region.f90", "--head", "burgers(u)>(cost)", "--no-cache"]
    code = f"import sys; REPORT = {report!r}; {what}; print([one for one in {never!r} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.stdout.splitlines()[-1] == "[]"
