"""The project file: where it is looked for, what it may say, and one line with its place when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.cli.grammar.arguments import report_parser
from snapset.cli.grammar.check_arguments import check_parser
from snapset.config.project_file import discover, load
from snapset.config.settings import settle
from snapset.frontend.base.diagnostics import InputError

FULL = """\
[build-system]
requires = []

[tool.snapset]
sources = ["src/*.f90", "extra.f"]
heads = ["f(x)>(y)", "g(x)>(y)"]
include-paths = ["inc"]
macros = { DOUBLE = true, NX = 4, OFF = false }
assume = { n = 1000, "size(x)" = 50 }
strategy = ["lazy", "Opt3+=a"]
baseline = "locks/snapset.lock"
form = "free"
preprocess = true
regions = ["src/a.f90:1-3"]
call-checkpoints = false
split = ["solve", "m::solve", "src/a.f90:7"]
first-run = "whole"
context = true
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with three sources; the current directory is two levels below it."""
    for name in ("src/b.f90", "src/a.f90", "extra.f", "src/deep/none.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "src" / "deep")
    return tmp_path


def test_every_key(root: Path) -> None:
    (root / "pyproject.toml").write_text(FULL)
    project = discover(Path.cwd())
    assert project is not None
    assert project.file == "../../pyproject.toml"
    assert project.sources == ("../../extra.f", "../a.f90", "../b.f90")
    assert project.heads == ("f(x)>(y)", "g(x)>(y)")
    assert project.include_paths == ("../../inc",)
    assert project.macros == ("DOUBLE", "NX=4")
    assert project.assume == {"n": 1000, "size(x)": 50}
    assert project.strategy == "lazy,Opt3+=a"
    assert project.baseline == "../../locks/snapset.lock"
    assert (project.form, project.preprocess) == ("free", True)
    assert project.regions == ("../a.f90:1-3",)
    assert (project.call_checkpoints, project.split, project.first_run) == (
        False, ("solve", "m::solve", "../a.f90:7"), "whole")
    assert project.context


def test_snapset_toml_comes_before_pyproject(root: Path) -> None:
    (root / "pyproject.toml").write_text(FULL)
    (root / "snapset.toml").write_text('heads = "h(x)>(y)"\n')
    project = discover(Path.cwd())
    assert project is not None
    assert project.heads == ("h(x)>(y)",)


def test_snapset_toml_may_have_the_pyproject_table(root: Path) -> None:
    (root / "snapset.toml").write_text('[tool.snapset]\nheads = ["h(x)>(y)"]\n')
    project = load(root / "snapset.toml")
    assert project is not None
    assert project.heads == ("h(x)>(y)",)


def test_a_pyproject_without_the_table_is_passed_by(root: Path) -> None:
    (root / "src" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (root / "snapset.toml").write_text('strategy = "eager"\n')
    project = discover(Path.cwd())
    assert project is not None
    assert project.strategy == "eager"


def test_the_search_stops_at_the_repositorys_root(root: Path) -> None:
    (root / "src" / ".git").mkdir()
    (root / "snapset.toml").write_text('strategy = "eager"\n')
    assert discover(Path.cwd()) is None


WRONG = {
    "not TOML": ("a = 1\nheads = [\n", "snapset.toml:2:1: error: not valid TOML"),
    "merge": ("a = 1\n<<<<<<< HEAD\n", "snapset.toml:2:1: error: not valid TOML: an unresolved merge"),
    "unknown key": ("\nheads = []\nhead = 'f'\n", "snapset.toml:3:1: error: unknown key head; known are assume"),
    "twice": ("first-run = 'whole'\nfirst_run = 'whole'\n", "snapset.toml:2:1: error: first_run is given twice"),
    "kind": ("\nheads = 5\n", "snapset.toml:2:1: error: heads must be a text or a list of texts"),
    "empty text": ("heads = ['']\n", "snapset.toml:1:1: error: heads must be a text"),
    "choice": ("form = 'tabular'\n", 'snapset.toml:1:1: error: form must be "free" or "fixed"'),
    "flag": ("preprocess = 1\n", "snapset.toml:1:1: error: preprocess must be true or false"),
    "assume": ("assume = { n = -1 }\n", "snapset.toml:1:1: error: assume: n must be a number that is not negative"),
    "assume table": ("assume = 'n'\n", "snapset.toml:1:1: error: assume must be a table of numbers"),
    "no match": ("\nsources = ['*.f77']\n", "snapset.toml:2:1: error: sources: no file matches *.f77"),
    "glob": ("sources = ['/abs/*.f']\n", "snapset.toml:1:1: error: sources: /abs/*.f"),
    "table": ("[tool]\nsnapset = 3\n", "snapset.toml:2:1: error: tool.snapset is not a table"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name: str, root: Path) -> None:
    text, message = WRONG[name]
    (root / "snapset.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        discover(root)
    assert str(caught.value).removeprefix("../../").startswith(message)


def test_not_utf8(root: Path) -> None:
    (root / "snapset.toml").write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(InputError, match=r"snapset.toml:2:1: error: not UTF-8"):
        discover(root)


# ---------------------------------------------------------------- the command line over it


def test_the_command_line_over_the_project(root: Path) -> None:
    (root / "pyproject.toml").write_text(FULL)
    Path("mine").mkdir()
    given = (
        "--head h(x)>(y) -I mine -D NX=9 --assume n=5 --fixed --strategy eager --split other --region ../a.f90:2-4"
    )
    settings = settle(report_parser().parse_intermixed_args(given.split()), Path.cwd())
    assert settings.files == ("../../extra.f", "../a.f90", "../b.f90")
    assert (settings.heads, settings.explicit_heads) == (("h(x)>(y)",), True)
    assert settings.read.include_dirs == ("mine", "../../inc")
    assert settings.read.macros == ("DOUBLE", "NX=9")
    assert (settings.read.form, settings.read.preprocess) == ("fixed", True)
    assert settings.regions == (("../a.f90", 2, 4), ("../a.f90", 1, 3))
    assert settings.assume == {"n": 5, "size(x)": 50}
    assert settings.choices.strategies == "eager"
    assert settings.choices.split == ("other", "solve", "m::solve", "../a.f90:7")
    assert (settings.choices.call_checkpoints, settings.choices.first_run) == (False, "whole")


def test_the_project_alone(root: Path) -> None:
    (root / "pyproject.toml").write_text(FULL)
    settings = settle(check_parser().parse_intermixed_args([]), Path.cwd())
    assert settings.explicit_heads is False
    assert settings.baseline == Path("../../locks/snapset.lock")


def test_a_regions_file_is_spelt_as_among_the_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    options = report_parser().parse_intermixed_args(["./src/a.f90", "--region", "src/a.f90:1-2"])
    assert settle(options, root).regions == (("./src/a.f90", 1, 2),)


def test_no_files_at_all(root: Path) -> None:
    with pytest.raises(InputError, match="no Fortran files given, and no project file here or above"):
        settle(report_parser().parse_intermixed_args([]), Path.cwd())
