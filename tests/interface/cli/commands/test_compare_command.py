"""``snapset compare ADJOINT --source FILE --head HEAD`` as a user types it, on adjoints written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from snapset.cli.main import main
from snapset.documents.json_schema import json_schema

from tests.analysis.comparison.adjoint_cases import CALLS, LOOP
from tests.analysis.comparison.compiled_adjoint import without
from tests.interface.render.formats.sarif_schema import SARIF

COMPARE = ["compare", "a_b.f90", "--source", "o.f90", "--head", "model(x)>(y)", "--quiet", "--no-cache"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("o.f90").write_text(CALLS.original)
    Path("a_b.f90").write_text(CALLS.adjoint)


def test_what_is_superfluous_is_listed_by_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(COMPARE) == 0
    assert capsys.readouterr().out == """\
model(x)>(y): adjoint model_b
      5  PUSHes of values: 56 bytes, each run once
      2  superfluous: 32 bytes, each run once
      0  missing

superfluous:
  model@18, call of step, o.f90:18
    a_b.f90:21  unused, 24 bytes, POP in line 33
      nothing reads what the POP gives back before it is written again
      in the source: No adjoint reads the value that it has before the part: not adj C, nor that of
      what stands before the part.
    a_b.f90:24  x(i), 8 bytes, POP in line 30
      nothing between the PUSH and the POP changes it, but what restores it
      in the source: Nothing overwrites it between the part's first run and the adjoint that reads
      it.
"""


def test_what_is_missing_is_a_failure_with_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a_b.f90").write_text(without(CALLS.adjoint, 22))
    assert main(COMPARE) == 1
    out = capsys.readouterr().out
    assert "1  missing; the gradient is wrong" in out
    assert "missing: w at model@18, call of step, o.f90:18, 8 bytes" in out
    assert "o.f90:9  overwrites w" in out
    assert "w = w + z" in out


def test_the_document_is_as_its_schema_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMPARE, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    Draft202012Validator(json_schema("compare")).validate(document)
    assert (document["saved_bytes"], document["superfluous_bytes"]) == (56, 32)
    assert [(one["line"], one["pops"], one["verdict"], one["region"]) for one in document["saved"]] == [
        (5, [8], "needed", None), (21, [33], "unread", "model@18"), (22, [32], "needed", "model@18"),
        (23, [31], "needed", "model@18"), (24, [30], "unchanged", "model@18")]
    assert document["regions"][0]["superfluous_bytes"] == 32
    assert document["missing"] == document["not_followed"] == []


def test_the_patch_is_written_once(capsys: pytest.CaptureFixture[str]) -> None:
    given = Path("a_b.f90").read_bytes()
    patching = [one for one in COMPARE if one != "--quiet"]
    assert main([*patching, "--patch", "new"]) == 0
    assert "note: new/a_b.f90: 2 PUSHes fewer" in capsys.readouterr().err
    gone = ("unused", "x(i)")
    kept = [line for line in CALLS.adjoint.splitlines(keepends=True)
            if not any(f"call {what}real8{how}({name}" in line for what in ("push", "pop") for how in ("", "array")
                       for name in gone)]
    assert Path("new/a_b.f90").read_text() == "".join(kept)
    assert Path("a_b.f90").read_bytes() == given
    Path("new/a_b.f90").write_text("mine")
    assert main([*COMPARE, "--patch", "new"]) == 2
    assert "new/a_b.f90 is there already; nothing is overwritten" in capsys.readouterr().err
    assert Path("new/a_b.f90").read_text() == "mine"
    assert main([*COMPARE, "--patch", "."]) == 2
    assert Path("a_b.f90").read_bytes() == given


def test_an_adjoint_that_is_named_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(COMPARE) == 0
    once = capsys.readouterr().out
    assert main(["compare", "a_b.f90", *COMPARE[1:]]) == 0
    assert capsys.readouterr().out == once


@pytest.mark.parametrize(("arguments", "said"), [
    (["compare"], "no adjoint given: name the files that Tapenade has written"),
    (["compare", "--source", "o.f90", "a_b.f90", "--head", "model(x)>(y)"],
     "no adjoint given: --source has taken o.f90 and a_b.f90; write the adjoint before --source"),
    (["compare", "a_b.f90", "--head", "model(x)>(y)"],
     "no original files given (--source FILE...), and no project file"),
    (["compare", "a_b.f90", "--source", "o.f90"], "no head given"),
    (["compare", "o.f90", "--source", "o.f90", "--head", "model(x)>(y)"], "no procedure model_b in the adjoint"),
    (["compare", "none_b.f90", "--source", "o.f90", "--head", "model(x)>(y)"], "none_b.f90"),
    ([*COMPARE, "--patch", "o.f90"], "--patch o.f90: not a directory"),
])
def test_what_is_unusable_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_two_adjoints_of_one_name_are_not_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other").mkdir()
    Path("other/a_b.f90").write_text("subroutine elsewhere_b()\nend subroutine elsewhere_b\n")
    assert main([*COMPARE[:2], "other/a_b.f90", *COMPARE[2:], "--patch", "new"]) == 2
    assert "two of the adjoint's files have one name" in capsys.readouterr().err
    assert not Path("new").exists()


def test_statements_that_share_a_line_stay(capsys: pytest.CaptureFixture[str]) -> None:
    Path("o.f90").write_text(LOOP.original)
    shared = LOOP.adjoint.replace("    call pushreal8(a(i)) ! gone\n    a(i)", "    call pushreal8(a(i)); a(i)")
    Path("a_b.f90").write_text(shared)
    assert main([*COMPARE, "--patch", "new"]) == 0
    assert "1  superfluous" in capsys.readouterr().out
    assert Path("new/a_b.f90").read_text() == shared


def test_services_show_what_is_missing_as_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """SARIF by its schema, with the statements that lead there; GitHub's commands; a failure of JUnit's."""
    Path("a_b.f90").write_text(without(CALLS.adjoint, 22))
    assert main([*COMPARE, "--format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    Draft202012Validator(SARIF).validate(log)
    found = log["runs"][0]["results"]
    assert [(one["ruleId"], one["level"], one["locations"][0]["physicalLocation"]["region"]["startLine"])
            for one in found] == [("missing", "error", 32), ("superfluous", "note", 21), ("superfluous", "note", 23)]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"]
             for step in found[0]["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert 9 in lines, "the statement that overwrites w"
    assert main([*COMPARE, "--format", "github"]) == 1
    assert [line.split("::")[1].partition(",title")[0] for line in capsys.readouterr().out.splitlines()] == [
        "error file=a_b.f90,line=32", "notice file=a_b.f90,line=21", "notice file=a_b.f90,line=23"]
    assert main([*COMPARE, "--format", "junit"]) == 1
    suites = ElementTree.fromstring(capsys.readouterr().out)
    assert [(case.get("name"), [one.get("message") for one in case.findall("failure")])
            for case in suites.iter("testcase")] == [("model@18", ["w is missing"]), ("the whole", [])]
    assert main([*COMPARE, "--format", "markdown"]) == 1
    assert "| `model(x)>(y)` | 48 | 32 | 1 |" in capsys.readouterr().out


def test_what_is_superfluous_fails_no_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMPARE, "--format", "junit"]) == 0
    assert ElementTree.fromstring(capsys.readouterr().out).get("failures") == "0"


def test_services_are_told_what_is_not_judged(capsys: pytest.CaptureFixture[str]) -> None:
    back = "10 call popreal8(x(i))\n if (z > 0) goto 10"
    Path("a_b.f90").write_text(CALLS.adjoint.replace("call popreal8(x(i))", back))
    main([*COMPARE, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    main([*COMPARE, "--format", "sarif"])
    told = [one for one in json.loads(capsys.readouterr().out)["runs"][0]["results"] if one["ruleId"] == "not-judged"]
    assert document["not_followed"]
    assert [one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in told] == [
        one["line"] for one in document["not_followed"]]


def test_a_sum_of_many_sizes_says_what_it_hangs_on(capsys: pytest.CaptureFixture[str]) -> None:
    """smash's adjoint has 34: their formula took 2,000 characters of the third line."""
    arrays = range(40)
    dummies = ", ".join(f"n{k}" for k in arrays)
    declared = f"  integer :: {dummies}\n" + "".join(f"  real(8) :: a{k}(n{k})\n" for k in arrays)
    Path("many.f90").write_text(f"subroutine many(x, {dummies}, y)\n  real(8) :: x, y\n{declared}"
                                "  y = x*x\nend subroutine\n")
    moves = [f"  call {way}real8array(a{k}, n{k})\n" for way, order in (("push", arrays), ("pop", arrays[::-1]))
             for k in order]
    Path("many_b.f90").write_text(
        f"subroutine many_b(x, xb, {dummies}, y, yb)\n  real(8) :: x, xb, y, yb\n{declared}{''.join(moves)}"
        "  xb = 2*x*yb\n  yb = 0\nend subroutine\n")
    asked = ["compare", "many_b.f90", "--source", "many.f90", "--head", "many(x)>(y)", "--no-cache", "--quiet"]
    assert main(asked) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "40 superfluous: bytes that hang on 40 sizes (n0, n1 ...; --assume gives them numbers), each run once" in out
    assert main([*asked, *(word for k in arrays for word in ("--assume", f"n{k}=10"))]) == 0
    assert "40 superfluous: 3,200 bytes, each run once" in " ".join(capsys.readouterr().out.split())
