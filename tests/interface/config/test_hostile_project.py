"""Project files and locks of strangers: what they name stays in the project, and what is written harms nobody."""

from __future__ import annotations

import os
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from snapset.analysis.symbolic.formula_reader import equal
from snapset.check import lock_file
from snapset.check.lock_file import dumps, lock_of, save
from snapset.cli import main
from snapset.config.project_file import discover
from snapset.frontend.base.diagnostics import InputError
from snapset.render.layout.byte_figures import Figures

from tests.support.interface.results import LAZY, PART, RESULT

SOURCE = """\
subroutine f(x, y)
  real(8) :: x, y
  y = x*x
  call g(y)
contains
  subroutine g(z)
    real(8) :: z
    z = z*z
  end subroutine g
end subroutine f
"""
PROJECT = 'sources = ["*.f90"]\nheads = "f(x)>(y)"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's repository in the user's home, checked out, the current directory."""
    root = tmp_path / "home" / "stranger"
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / "a.f90").write_text(SOURCE)
    (root.parent / ".bashrc").write_text("# mine\n")
    (root.parent / "private").mkdir()
    (root.parent / "private" / "b.f90").write_text(SOURCE)
    monkeypatch.chdir(root)
    return root


def error(text: str) -> str:
    Path("snapset.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        discover(Path.cwd())
    return str(caught.value)


# ---------------------------------------------------------------- what a project file names


def test_the_hole_that_was(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The lock went into the user's shell's file, with a command in it."""
    Path("a.f90").rename("a\ntouch harm\n.f90")
    Path("snapset.toml").write_text(PROJECT + 'baseline = "../.bashrc"\n')
    assert main.main(["check", "--update"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("snapset.toml:3:1: error: baseline must be a file that ends in .lock or .toml")
    assert (project.parent / ".bashrc").read_text() == "# mine\n"


OUTSIDE = {
    "baseline": "../other.lock", "include-paths": "../private", "sources": "../private/*.f90",
    "regions": "../private/b.f90:1-2", "split": "../private/b.f90:1",
}  # fmt: skip


@pytest.mark.parametrize("key", OUTSIDE)
def test_nothing_leads_out_of_the_project(key: str, project: Path) -> None:
    for name in (OUTSIDE[key], os.path.abspath(OUTSIDE[key]), OUTSIDE[key].replace("../", "src/../../")):
        said = error(f'strategy = "lazy"\n{key} = "{name}"\n')
        assert said.startswith(f"snapset.toml:2:1: error: {key}: {name} leads out of the project")


@pytest.mark.parametrize("key", OUTSIDE)
def test_links_are_resolved_first(key: str, project: Path) -> None:
    Path("home").symlink_to("..")
    assert "leads out of the project" in error(f'{key} = "{OUTSIDE[key].replace("..", "home")}"\n')


def test_a_source_that_is_a_link(project: Path) -> None:
    Path("b.f90").symlink_to("../private/b.f90")
    assert "b.f90 leads out of the project" in error(PROJECT)
    assert "**/*.f90" not in error('sources = "**/*.f90"\n')


@pytest.mark.parametrize("name", [".git/hooks/post-checkout.lock", ".git/config.toml"])
def test_git_keeps_its_own(name: str, project: Path) -> None:
    assert "leads out of the project" in error(f'baseline = "{name}"\n')


@pytest.mark.parametrize("name", [".envrc", "Makefile", "conftest.py", "a.lock/run.sh"])
def test_a_baseline_is_called_a_lock(name: str, project: Path) -> None:
    assert "ends in .lock or .toml" in error(f'baseline = "{name}"\n')


def test_what_a_project_needs(project: Path) -> None:
    """Its file may stand in a folder of the repository, and a lock beside the others of CI."""
    (project / "tools").mkdir()
    (project / "include").mkdir()
    Path("tools/snapset.toml").write_text(
        'sources = ["../*.f90"]\ninclude-paths = ["../include", "."]\nbaseline = "../.ci/snapset.lock"\n')
    found = discover(project / "tools")
    assert found is not None
    assert (found.sources, found.include_paths, found.baseline) == (
        ("a.f90",), ("include", "tools"), ".ci/snapset.lock")


def test_outside_of_a_repository_its_own_directory_is_the_root(project: Path) -> None:
    os.rename(".git", "git")
    assert "leads out" in error('include-paths = ["../private"]\n')
    assert "stays below ., links" in error('include-paths = ["../private"]\n')


# ---------------------------------------------------------------- where it is looked for


def test_outside_of_a_repository_only_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "mine"
    inside.mkdir()
    (tmp_path / "snapset.toml").write_text('strategy = "eager"\n')
    assert discover(inside) is None
    monkeypatch.chdir(tmp_path)
    assert discover(tmp_path) is not None


def owned_by(monkeypatch: pytest.MonkeyPatch, others: set[Path], user: int = 4711) -> None:
    """These files belong to another user now."""
    real = os.lstat

    def lstat(path: str | Path) -> os.stat_result:
        found = real(path)
        return os.stat_result((*found[:4], user, *found[5:])) if Path(path) in others else found

    monkeypatch.setattr(os, "lstat", lstat)


def test_a_repository_planted_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """/tmp/.git and /tmp/snapset.toml of another user, on a shared machine."""
    inside = tmp_path / "mine"
    inside.mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "snapset.toml").write_text('strategy = "eager"\n')
    assert discover(inside) is not None
    owned_by(monkeypatch, {tmp_path / ".git"})
    assert discover(inside) is None


def test_a_file_planted_in_ones_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "mine"
    inside.mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "snapset.toml").write_text('strategy = "eager"\n')
    owned_by(monkeypatch, {tmp_path / "snapset.toml"})
    assert discover(inside) is None


def test_a_checkout_that_belongs_to_another_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container of a CI service."""
    inside = tmp_path / "mine"
    inside.mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "snapset.toml").write_text('strategy = "eager"\n')
    owned_by(monkeypatch, {tmp_path / ".git", tmp_path / "snapset.toml", inside})
    assert discover(inside) is not None


# ---------------------------------------------------------------- how much of it


@pytest.mark.parametrize(("text", "said"), [
    ("heads = " + "[" * 100_000, "snapset.toml:1:1: error: not valid TOML: nested too deeply"),
    ("assume = { n = " + "9" * 5000 + " }", "snapset.toml:1:1: error: not valid TOML: Exceeds the limit"),
    ("# " + "x" * 2**20, "snapset.toml:1:1: error: more than 1 MB"),
    ('sources = ["**/**/**/*.f90"]', "snapset.toml:1:1: error: sources: **/**/**/*.f90: ** more than 2 times"),
    ('sources = ["a\\u0000b"]', "snapset.toml:1:1: error: sources: "),
])  # fmt: skip
def test_too_much(text: str, said: str, project: Path) -> None:
    assert error(text).startswith(said)


# ---------------------------------------------------------------- what is written


def test_only_a_lock_is_replaced(project: Path) -> None:
    for text in ("precious\n", "[tool.poetry]\n", 'formats = "snapset.lock/1"\n'):
        Path("poetry.lock").write_text(text)
        with pytest.raises(InputError, match="not a lock of snapset's, so it is not replaced"):
            save(Path("poetry.lock"), {})
        assert Path("poetry.lock").read_text() == text


@pytest.mark.parametrize("text", [
    dumps({}), "", dumps({}).replace("/1", "/9"), dumps({}) + "<<<<<<< mine\n", dumps({}).replace("\n", "\r\n"),
    "<<<<<<< mine\n" + dumps({}),
])  # fmt: skip
def test_a_lock_is_replaced_also_where_it_is_damaged(text: str, project: Path) -> None:
    Path("snapset.lock").write_text(text)
    save(Path("snapset.lock"), {})
    assert Path("snapset.lock").read_text() == dumps({})


@pytest.mark.parametrize("target", ["../.bashrc", "../nothing", "real.lock"])
def test_a_link_is_not_replaced(target: str, project: Path) -> None:
    Path("real.lock").write_text(dumps({}))
    Path("snapset.lock").symlink_to(target)
    with pytest.raises(InputError, match="a link"):
        save(Path("snapset.lock"), {})
    assert Path("snapset.lock").is_symlink()
    assert not Path("../nothing").exists()


BOMBS = {
    "a power of powers": "(" * 40 + "9" + ")**16" * 40,
    "a sum to a power": "(" * 10 + "n+m+k+1" + ")**16" * 10,
    "a degree": "(" * 40 + "n" + ")**16" * 40,
    "maxima": "*".join(f"max(n{k}, m{k} + 1, k{k})" for k in range(300)),
    "parentheses": "(" * 9_000 + "n" + ")" * 9_000,
    "a number": "9" * 15_000,
    "an exponent": "n**" + "9" * 15_000,
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", BOMBS)
def test_formulas_of_a_lock_that_are_made_to_be_large(kind: str) -> None:
    """A lock is part of a pull request too, and its formulas are read to be compared."""
    assert not equal(BOMBS[kind], "n")
    assert not equal("n", BOMBS[kind])
    assert equal(BOMBS[kind], BOMBS[kind])


NAMES = ["a\ntouch harm\n.f90", "a\rtouch harm\r.f90", "$(touch harm).f90", "`touch harm`.f90", "a\x1b]0;x\x07.f90",
         "a\x7f\x9b\u202e\u2028.f90", "a\udcff.f90", "a' '\"; touch harm #.f90", "::error title=x::y.f90"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_lock_reads_back_and_is_no_shell_script(name: str, tmp_path: Path) -> None:
    solutions = {name: replace(LAZY, snp=(name,), sizes={}), "lazy": LAZY}
    part = replace(PART, file=name, procedure=name, solutions=solutions)
    text = dumps(lock_of([replace(RESULT, head=name, parts=(part,))], Figures(), Path()))
    read = tomllib.loads(text)
    assert len(read) == 2
    if "\udcff" not in name:
        assert name in read
        assert name in next(iter({key: one for key, one in read[name].items() if key != "diagnostics"}.values()))
    assert all(line.isprintable() for line in text.split("\n"))
    content = "".join(line.partition("  # ")[0] for line in text.split("\n")[1:])
    assert "$" not in content
    assert "`" not in content
    subprocess.run(["sh", "-c", text], cwd=tmp_path, capture_output=True, check=False, timeout=20)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a\x1b[2Jb.f90", "a\x1b]0;x\x07.f90", "a<b>&c.f90", "a\x7f\x9b\u202e\u2028.f90",
                                  "::error title=x::y.f90"])  # fmt: skip
def test_a_lock_of_a_file_with_such_a_name_is_read_back(name: str, project: Path,
                                                       capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.f90").rename(name)
    Path("snapset.toml").write_text(PROJECT)
    assert main.main(["check", "--update", "--quiet"]) == 0
    (records,) = lock_file.load(Path("snapset.lock")).values()
    assert len(records.parts) == 1
    assert main.main(["check", "--quiet"]) == 0
    assert capfd.readouterr().err == ""
    Path(name).write_text(Path(name).read_text().replace("y = ", "y = 2*"))
    main.main(["check", "--quiet"])
    out, err = capfd.readouterr()
    assert all(line.isprintable() for line in (out + err).split("\n"))


def test_a_file_with_a_newline_in_its_name(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.f90").rename("a\ntouch harm\n.f90")
    Path("snapset.toml").write_text(PROJECT)
    assert main.main(["check", "--update", "--quiet"]) == 0
    assert r"# a\ntouch harm\n.f90:4-4" in Path("snapset.lock").read_text()
    assert lock_file.load(Path("snapset.lock"))
    assert main.main(["check", "--quiet"]) == 0
    assert capfd.readouterr().err == ""
