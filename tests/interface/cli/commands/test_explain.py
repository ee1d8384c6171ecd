"""``snapset explain FILE --at PART VARIABLE`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from snapset.cli.main import main
from snapset.documents.json_schema import json_schema
from snapset.render.pages.explanation_text import carets

from tests.support.paths import ROOT

BURGERS = ["explain", "corpus/burgers_region.f90", "--head", "burgers(u)>(cost)", "--quiet", "--no-cache"]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")


def test_the_page_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BURGERS, "--at", "burgers@13", "nu"]) == 0
    page = (ROOT / "docs" / "explain.md").read_text()
    for line in capsys.readouterr().out.splitlines():
        assert line in page, line


def test_the_document_is_as_its_schema_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BURGERS, "--at", "13", "u", "--strategy", "lazy,eager", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    Draft202012Validator(json_schema("explain")).validate(document)
    lazy, eager = document["locations"]
    assert (lazy["strategy"], eager["strategy"]) == ("lazy", "eager")
    assert lazy["saved"] == ["Snp"]
    assert lazy["bytes"] == "8*n - 16"
    assert [one["steps"][-1]["line"] for one in lazy["evidence"]] == [17, 14]


PIECES = """\
subroutine model(q, cost)
  real(8) :: q(4), cost, w(4, 2)
  integer :: it
  w(:, 1) = q
  w(:, 2) = 2*q
  do it = 1, 5
    !$AD CHECKPOINT-START
    w = w*w
    !$AD CHECKPOINT-END
  end do
  cost = sum(w(:, 1)) + sum(w(:, 2))
end subroutine
"""


def test_pieces_of_which_the_same_is_to_be_said_are_said_once(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Columns that are told apart elsewhere: ``w at model@8, ..., lazy, lazy`` stood there, and w twice in JSON."""
    monkeypatch.chdir(tmp_path)
    Path("a.f90").write_text(PIECES)
    asked = ["explain", "a.f90", "--head", "model(q)>(cost)", "--at", "8", "w", "--no-cache"]
    assert main(asked) == 0
    assert capsys.readouterr().out.partition("  saved:")[0].split()[-2:] == ["a.f90:8,", "lazy"]
    assert main([*asked, "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["locations"]) == 1


@pytest.mark.parametrize(("arguments", "said"), [
    (["explain"], "nothing to explain: give a diagnostic's code, or FILE... --head HEAD --at PART VARIABLE"),
    (["explain", "corpus/calls.f90"], "to explain what is saved, add --at PART VARIABLE"),
    ([*BURGERS], "which part, and what there? add --at PART VARIABLE"),
    ([*BURGERS, "--at", "burgers@13"], "--at: expected PART VARIABLE"),
    ([*BURGERS, "--at", "burgers@14", "u"], "did you mean 'burgers@13'?"),
    ([*BURGERS, "--at", "burgers@13", "v"], "nothing is called v there; there are cost, dt, flux, i, n, nsteps, nu, "
     "step, u"),
    ([*BURGERS, "--at", "burgers@13", "flu"], "nothing is called flu there; did you mean 'flux'?"),
    (["explain", "nofile.f90", "--head", "f(x)>(y)", "--at", "3", "x"], "nofile.f90"),
])  # fmt: skip
def test_what_cannot_be_explained_is_one_line(arguments: list[str], said: str,
                                              capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("text", "location", "marks"), [
    ("u(i) = v*u(i + 1) + uu", "u", "^        ^"),
    ("call f(a%b, b)", "a%c", "       ^"),
    ("p => q", "p=>", "^"),
    ("w = pos(1)", "/pos/pos", ""),
    ("h = h0", "fields::h", "^"),
    ("a = f('a!', b) + a ! a", "a", "^                ^"),
    ("x = y  ! don't mark x", "x", "^"),
    ("rho = density(c%t(k-1), c(i) % s(k-1))", "c%s", "                        ^"),
])  # fmt: skip
def test_carets(text: str, location: str, marks: str) -> None:
    assert carets(text, location) == marks
