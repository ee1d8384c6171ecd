"""The package as users get it: the list of packages, the wheel, the pre-commit hook's file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.paths import ROOT

HOME = "https://example.org/owner/snapset"
FOLDERS = {"snapset": "interface", "snapset.analysis": "analysis", "snapset.frontend": "frontend"}


def setuptools_table() -> dict[str, object]:
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"])


def folders() -> dict[str, str]:
    """Every package there is, by import name."""
    found = {}
    for package, top in FOLDERS.items():
        for file in (ROOT / top).rglob("__init__.py"):
            inner = file.parent.relative_to(ROOT / top).parts
            found[".".join((package, *inner))] = "/".join((top, *inner))
    return found


def test_every_folder_is_a_listed_package() -> None:
    table = setuptools_table()
    assert sorted(table["packages"]) == sorted(folders())  # type: ignore[call-overload]
    stray = [file for top in FOLDERS.values() for file in (ROOT / top).rglob("*.py")]
    assert {file.parent for file in stray} == {ROOT / folder for folder in folders().values()}


def test_no_folder_hides_the_package() -> None:
    assert not (ROOT / "snapset").exists()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel unpacked by pip, without its dependencies, away from the sources."""
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for top in FOLDERS.values():
        shutil.copytree(ROOT / top, source / top, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(place), str(source)]
    environment = {**os.environ, "SNAPSET_URL": f"{HOME}/"}
    subprocess.run(build, check=True, capture_output=True, timeout=120, env=environment)
    (wheel,) = place.glob("*.whl")
    target = place / "site"
    install = [*pip, "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, timeout=120)
    return target


@pytest.mark.wide
def test_the_readme_works_on_an_index_page(installed: Path) -> None:
    """Each of its links is absolute, and leads to a file that the repository has."""
    (metadata,) = installed.glob("snapset-*.dist-info/METADATA")
    text = metadata.read_text()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= 20
    for link in links:
        home, kind, path = re.fullmatch(r"(.*)/(blob|raw)/HEAD/(.+)", link).groups()  # type: ignore[union-attr]
        assert home == HOME
        assert (ROOT / path).is_file()
        assert (kind == "raw") == path.endswith(".svg")
    assert f"Project-URL: Changelog, {HOME}/blob/HEAD/CHANGELOG.md" in text


def python(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with the wheel's modules before the sources'."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=installed,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.wide
def test_the_wheel_holds_every_module_and_the_licence(installed: Path) -> None:
    (wheel,) = installed.parent.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for package, folder in folders().items():
        for file in (ROOT / folder).glob("*.py"):
            assert f"{package.replace('.', '/')}/{file.name}" in names
        if "." not in package or package in FOLDERS:
            assert f"{package.replace('.', '/')}/py.typed" in names
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"snapset"}


@pytest.mark.wide
def test_the_wheels_command(installed: Path) -> None:
    where = python(installed, "-c",
                   "import snapset, snapset.library.analysis; print(snapset.library.analysis.__file__)").stdout
    assert Path(where.strip()).is_relative_to(installed)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert python(installed, "-m", "snapset", "--version").stdout == f"snapset {version}\n"
    program = str(ROOT / "corpus" / "burgers_region.f90")
    report = python(installed, "-m", "snapset", "report", program, "--head", "burgers(u)>(cost)", "--quiet")
    assert (report.returncode, report.stderr) == (0, "")
    assert "Req_D" in report.stdout


@pytest.mark.wide
def test_the_core_tests_pass_on_the_wheel(installed: Path) -> None:
    core = ["analysis/symbolic/test_amounts.py", "interface/check/test_lock.py", "interface/check/test_check.py",
            "interface/documents/test_report_json.py", "analysis/test_corpus.py"]
    files = [str(ROOT / "tests" / name) for name in core]
    done = python(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files)
    assert done.returncode == 0, done.stdout


def test_the_hook_runs_for_fortran_and_the_files_that_say_what_to_check() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    found = re.search(r"^  files: (.*)$", text, re.MULTILINE)
    assert found is not None
    files = re.compile(found[1])
    for name in ("a.f90", "src/A.F", "x.for", "y.INC", "pyproject.toml", "deep/snapset.toml", "snapset.lock"):
        assert files.search(name)
    for name in ("a.py", "f90", "readme.md", "other.lock", "mypyproject.toml"):
        assert not files.search(name)
    assert "pass_filenames: false" in text


def test_pages_call_the_hook_by_its_id() -> None:
    """docs/ci.md called it by another name."""
    ids = set(re.findall(r"^- id: (\S+)$", (ROOT / ".pre-commit-hooks.yaml").read_text(), re.MULTILINE))
    for page in (ROOT / "docs").glob("*.md"):
        named = re.findall(r"(?:has the hook `|^\s*- id: )([\w-]+)", page.read_text(), re.MULTILINE)
        assert set(named) <= ids, page.name
