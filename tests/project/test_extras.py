"""Without the packages of an extra all else works, and what needs them says in one line which extra to install."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from tests.support.paths import ROOT

WITHOUT = "import sys; sys.modules['sympy'] = sys.modules['mpmath'] = None\n"
BURGERS = "'corpus/burgers_region.f90', '--head', 'burgers(u)>(cost)', '--no-cache', '--quiet'"
COMMAND = "from snapset.cli.main import main\nsys.exit(main([{}]))"
SAID = "needs sympy, which is not installed: pip install 'snapset[proof]'"


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, timeout=120,
                          cwd=ROOT, check=False)


def test_sympy_is_no_dependency_but_of_its_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not any("sympy" in one for one in project["dependencies"])
    assert any("sympy" in one for one in project["optional-dependencies"]["proof"])


@pytest.mark.parametrize("arguments", [
    f"'report', {BURGERS}, '--strategy', 'all', '--recompute'", f"'replay', {BURGERS}, '--set', 'n=10'",
    f"'explain', {BURGERS}, '--at', 'burgers@13', 'nu'", f"'dag', {BURGERS}",
])
def test_commands_do_without_sympy(arguments: str) -> None:
    done = run(COMMAND.format(arguments))
    assert (done.returncode, "sympy" in done.stderr) == (0, False), done.stderr
    assert done.stdout


def test_verify_names_its_extra() -> None:
    done = run(COMMAND.format("'verify'"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [f"error: snapset verify {SAID}"]


@pytest.mark.parametrize(("code", "what"), [
    ("snapset.Quantity.read('8*n').to_sympy()", "to_sympy()"), ("snapset.verify", "snapset.verify"),
])
def test_the_library_names_it_too(code: str, what: str) -> None:
    done = run(f"import snapset\ntry:\n    {code}\nexcept snapset.InputError as error:\n    print(error)")
    assert done.stdout == f"error: {what} {SAID}\n", done.stderr
