"""A bug of snapset's own: one line that says what was done and in which line of the Fortran, exit code 3."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.cli import main
from snapset.frontend.cfg import builder
from snapset.frontend.ir import Stmt
from snapset.frontend.lowering import control_constructs
from snapset.library import analysis

from tests.support.command import run

TEXT = """\
subroutine f(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n)
  a = x*x
  call g(a, n)
  y = sum(a)
end subroutine f
subroutine g(a, n)
  integer, intent(in) :: n
  real(8) :: a(n)
  if (n > 1) then
    a = a*a
  end if
end subroutine
"""
HEAD = "f(x)>(y)"
Here = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Here:
    """The command in this process, in a directory with f.f90: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "temporary").mkdir()
    Path("f.f90").write_text(TEXT)

    def called(*arguments: str) -> tuple[int, str, str]:
        with monkeypatch.context() as moved:
            moved.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
            code = main.main([*arguments, "--quiet"])
        return code, *capfd.readouterr()

    return called


def broken(*_: object, **__: object) -> object:
    raise ZeroDivisionError("of a\nnumber \x1b[31m")


def breaking(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement of line 14, ``a = a*a`` in g, cannot be worked on."""
    simple = builder._Builder.simple

    def flow(self: object, stmt: Stmt, masks: tuple[object, ...]) -> None:
        if stmt.span.line == 14:
            broken()
        simple(self, stmt, masks)

    monkeypatch.setattr(builder._Builder, "simple", flow)


@pytest.mark.parametrize("command", ["report", "replay", "dag", "check"])
def test_one_line_with_the_place_of_the_fortran(
    command: str, here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    breaking(monkeypatch)
    update = ["--update"] * (command == "check")
    code, out, err = here(command, "f.f90", "--head", HEAD, "--no-cache", *update)
    assert (code, out) == (3, "")
    said = re.fullmatch(
        r"f\.f90:14:\d+: error: ([^\n]+): ZeroDivisionError: of a\\nnumber \\x1b\[31m; this is a bug in snapset; "
        r"its traceback is in ([^\n]+), and --debug prints it\n", err)
    assert said is not None
    assert HEAD in said[1] or "reading" in said[1] or "replaying" in said[1]
    written = Path(said[2])
    assert written.parent == tmp_path / "temporary"
    text = written.read_text()
    assert text.startswith(f"snapset {command} f.f90 --head {HEAD}")
    assert "Traceback (most recent call last)" in text
    assert "in broken" in text
    assert "\x1b" not in text
    assert stat.S_IMODE(written.stat().st_mode) == 0o600


def test_every_run_writes_a_file_of_its_own(here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    breaking(monkeypatch)
    for _ in range(3):
        here("report", "f.f90", "--head", HEAD, "--no-cache")
    assert len(list((tmp_path / "temporary").iterdir())) == 3


def test_debug_prints_the_traceback_and_writes_nothing(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    breaking(monkeypatch)
    code, out, err = here("report", "f.f90", "--head", HEAD, "--no-cache", "--debug")
    assert (code, out) == (3, "")
    assert err.startswith("Traceback (most recent call last)")
    assert err.splitlines()[-1].startswith("f.f90:14:")
    assert not list((tmp_path / "temporary").iterdir())


def test_a_traceback_that_cannot_be_written_is_no_second_failure(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    breaking(monkeypatch)
    with monkeypatch.context() as moved:
        moved.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
        code = main.main(["report", "f.f90", "--head", HEAD, "--no-cache", "--quiet"])
    err = capfd.readouterr().err
    assert code == 3
    assert "could not be written (No such file or directory): --debug prints it" in err
    assert err.count("\n") == 1


def test_a_line_that_is_no_statement_yet(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_constructs, "opening", broken)
    code, _, err = here("report", "f.f90", "--head", HEAD, "--no-cache")
    assert (code, err.split(" ")[0]) == (3, "f.f90:13:3:")


def test_where_nothing_of_fortran_is_at_work(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snapset.render.pages.verification.write", broken)
    code, _, err = here("verify", "--claim", "dh7-valid")
    assert code == 3
    assert re.match(r"error: [^:\n]+: ZeroDivisionError: ", err)


def test_memory_is_no_bug(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(builder._Builder, "simple", full)
    code, _, err = here("report", "f.f90", "--head", HEAD, "--no-cache")
    assert code == 2
    assert re.fullmatch(r"f\.f90:\d+:\d+: error: [^\n]*: not enough memory; [^\n]*\n", err)


def test_the_library_raises_what_it_raises(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    breaking(monkeypatch)
    (tmp_path / "f.f90").write_text(TEXT)
    with pytest.raises(ZeroDivisionError):
        analysis.report([str(tmp_path / "f.f90")], HEAD)


@pytest.mark.parametrize("command", ["report", "check", "replay", "dag", "verify"])
def test_the_exit_code_is_documented(command: str) -> None:
    text = run(command, "--help").stdout
    assert re.search(r"^  3  a bug in snapset: one line on stderr", text, re.MULTILINE)
    assert "--debug" in text


def test_another_process_says_where_it_was(tmp_path: Path) -> None:
    """Two heads in two processes; what breaks them is put where every process finds it."""
    (tmp_path / "sitecustomize.py").write_text(
        "import snapset.frontend.cfg.builder as made\n"
        "simple = made._Builder.simple\n"
        "def flow(self, stmt, masks):\n"
        "    if stmt.span.line == 14:\n"
        "        raise ZeroDivisionError('here')\n"
        "    simple(self, stmt, masks)\n"
        "made._Builder.simple = flow\n"
    )
    (tmp_path / "f.f90").write_text(TEXT)
    done = run("report", "f.f90", "--head", HEAD, "--head", "g(a)>(a)", "--jobs", "2", "--no-cache", "--quiet",
               cwd=tmp_path, PYTHONPATH=str(tmp_path), TMPDIR=str(tmp_path))
    assert done.returncode == 3
    assert re.match(r"f\.f90:14:\d+: error: [^\n]*ZeroDivisionError: here", done.stderr)
