"""``snapset diff``: two revisions, each with its own files and project file; nothing that lies there is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from snapset.cli.main import main

from tests.interface.check.test_precommit import DECAY, LARGER, PROJECT
from tests.support.interface.revisions import commit, git, repository


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with three commits in its folder ``model``: small, larger, another head."""
    repository(tmp_path, {"model/decay.f90": DECAY, "model/snapset.toml": PROJECT})
    commit(tmp_path)
    (tmp_path / "model/decay.f90").write_text(LARGER)
    commit(tmp_path)
    (tmp_path / "model/snapset.toml").write_text(PROJECT.replace("decay(u)>(cost)", "decay(u,cost)>(cost)"))
    commit(tmp_path)
    monkeypatch.chdir(tmp_path / "model")
    return tmp_path


Said = tuple[int, str, str]


def diff(capsys: pytest.CaptureFixture[str], *arguments: str) -> Said:
    capsys.readouterr()
    return main(["diff", *arguments]), *capsys.readouterr()


def test_larger_one_way_smaller_the_other(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = diff(capsys, "HEAD~2", "HEAD~1")
    assert (code, err) == (1, "")
    assert out.startswith("decay.f90:15: rate(i) = rate(i)*u(i)\n  changed, 16000 bytes more to save (lazy)")
    code, out, _ = diff(capsys, "HEAD~1", "HEAD~2")
    assert code == 1
    assert "removed before it: rate(i) = rate(i)*u(i)\n  changed, 16000 bytes less to save (lazy)" in out
    assert diff(capsys, "HEAD~1", "HEAD~1") == (0, "", "")


def test_each_revision_has_its_own_project_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = diff(capsys, "HEAD~1", "HEAD")
    assert code == 1
    assert "decay(u)>(cost)\n    this head is no longer analysed\n" in out
    assert "this head is not in the lock" not in out
    assert "decay(u,cost)>(cost)\n    this head is new\n" in out


def test_the_files_as_they_lie_there_and_nothing_is_touched(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "model/decay.f90").write_text(DECAY)
    before = git(project, "status", "--porcelain=v2").stdout, sorted(os.listdir(project / "model"))
    index = (project / ".git/index").read_bytes()
    code, out, _ = diff(capsys, "HEAD", ".")
    assert code == 1
    assert "16000 bytes less to save" in out
    assert diff(capsys, "HEAD", ".", "--head", "decay(u)>(cost)", "--quiet")[0] == 1
    assert (project / ".git/index").read_bytes() == index
    assert (git(project, "status", "--porcelain=v2").stdout, sorted(os.listdir(project / "model"))) == before
    assert os.getcwd() == str(project / "model")


@pytest.mark.parametrize(("arguments", "said"), [
    (("HEAD", "nowhere"), "nowhere: no revision"),
    (("--output=x", "HEAD"), "REV"),
    ((".", "HEAD"), "the first revision is a commit"),
    (("HEAD",), "REV"),
    (("HEAD", "HEAD", "no.f90"), "no.f90"),
])
def test_what_is_unusable(arguments: tuple[str, ...], said: str, project: Path,
                          capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = diff(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    code, out, err = diff(capsys, "HEAD~1", "HEAD")
    assert (code, out) == (2, "")
    assert err == ("error: not in a git repository (or git is not installed): revisions are git's; run it in a clone\n")


def test_a_folder_that_one_revision_lacks(project: Path, monkeypatch: pytest.MonkeyPatch,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    (project / "new").mkdir()
    monkeypatch.chdir(project / "new")
    code, _, err = diff(capsys, "HEAD~1", "HEAD")
    assert (code, err) == (2, "error: HEAD~1 has no folder new; run snapset diff where it has one\n")


def test_links_in_a_revision_lead_nowhere_out_of_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A stranger's branch: the project file names a link to a file of the machine."""
    outside = project.parent / "outside.f90"
    outside.write_text(DECAY.replace("decay", "secret"))
    (project / "model/link.f90").symlink_to(outside)
    commit(project)
    code, out, err = diff(capsys, "HEAD~1", "HEAD")
    assert code == 2
    assert "secret" not in out + err
    assert "leads out of the project" in err
