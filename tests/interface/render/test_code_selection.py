"""Which diagnostics are shown: select and ignore of the project file, ``! snapset: ignore[...]`` at a line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.cli.main import main

SOURCE = """\
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  !$AD CHECKPOINT-START
  print *, x{first}
  write (7) x
  call unknown(x){second}
  y = x*x
  !$AD CHECKPOINT-END
  y = y*y
end subroutine
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)

    def called(project: str = "", first: str = "", second: str = "", *arguments: str) -> tuple[int, str, str]:
        Path("a.f90").write_text(SOURCE.format(first=first, second=second))
        Path("snapset.toml").write_text(f'sources = ["a.f90"]\nheads = ["p(x)>(y)"]\n{project}\n')
        code = main([*(arguments or ("report",))])
        return code, *capsys.readouterr()

    return called


def codes(text: str) -> set[str]:
    return {code for code in ("SN102", "SN107", "SN301") if code in text}


def test_all_without_any(run: Run) -> None:
    assert codes(run()[1]) == {"SN102", "SN107", "SN301"}


@pytest.mark.parametrize(("project", "shown"), [
    ('ignore = ["SN102"]', {"SN107", "SN301"}), ('ignore = ["SN1"]', {"SN301"}),
    ('select = ["SN1"]', {"SN102", "SN107"}),
    ('select = ["SN1"]\nignore = "SN107"', {"SN102"}),
])
@pytest.mark.parametrize("command", [("report",), ("report", "--sets"), ("report", "--format", "json"),
                                     ("report", "--format", "github")])
def test_by_the_project_file(project: str, shown: set[str], command: tuple[str, ...], run: Run) -> None:
    code, out, err = run(project, "", "", *command)
    assert (code, err, codes(out)) == (0, "", shown)


def test_at_a_line_only_there(run: Run) -> None:
    """The WRITE below keeps its SN102; a second run, from the cache, says the same."""
    for _ in range(2):
        _, out, err = run("", "  ! snapset: ignore[SN102]")
        assert err == ""
        assert "a.f90:6:3: warning SN102" in out
        assert "a.f90:5:" not in out
    assert "a.f90:5:3: warning SN102" in run()[1]  # a comment is no part of what is remembered


def test_several_codes_and_groups(run: Run) -> None:
    assert codes(run("", "", "! SNAPSET: ignore[ sn107, SN3 ]")[1]) == {"SN102"}


def test_what_hides_nothing_is_said(run: Run) -> None:
    code, _, err = run('ignore = ["SN601", "SN602"]', "  ! snapset: ignore[SN104]")
    assert code == 0
    assert err == ("note: snapset.toml: ignore: none of SN601, SN602 is said; take it away\n"
                   "note: a.f90:5: ignore[SN104]: SN104 is not said here; take the comment away\n")


@pytest.mark.parametrize(("project", "first", "said"), [
    ('ignore = ["SN999"]', "", "snapset.toml:3:1: error: ignore: SN999: no diagnostic's code"),
    ('select = ["E501"]', "", "select: E501: no diagnostic's code"),
    ("ignore = 3", "", "ignore must be a text or a list of texts"),
    ("", "! snapset: ignore[SN10x]", "a.f90:5:13: error: snapset: ignore: SN10x: no diagnostic's code"),
    ("", "! snapset: ignore", "a.f90:5:13: error: snapset: ignore: of what?"),
])
def test_codes_that_do_not_exist(project: str, first: str, said: str, run: Run) -> None:
    code, out, err = run(project, first)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_check_keeps_what_is_hidden_in_the_lock_and_does_not_complain_of_it(run: Run) -> None:
    run("", "", "", "check", "--update")
    assert run('ignore = ["SN1", "SN3"]', "", "", "check")[:2] == (0, "")
    before = Path("snapset.lock").read_text()
    run('ignore = ["SN1", "SN3"]', "", "", "check", "--update")
    assert Path("snapset.lock").read_text() == before
    Path("snapset.lock").write_text(before.replace('"SN102", "SN102"', '"SN102"'))
    assert run("", "", "", "check")[0] == 1
    assert run('ignore = ["SN102"]', "", "", "check")[:2] == (0, "")
