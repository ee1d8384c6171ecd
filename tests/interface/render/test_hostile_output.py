"""What a stranger's file names and texts become in what people read: shown, and obeyed by nobody."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from snapset.check.lock_comparison import Finding
from snapset.cli import main
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.visible_text import document, page
from snapset.pictures.dag_graphviz import quoted
from snapset.pictures.svg import drawn

SOURCE = """\
subroutine f(x, y)
  real(8) :: x(2), y
  y = x(1)
  call g(y)
  y = y*x(2)
contains
  subroutine g(z)
    real(8) :: z
    print *, z
    z = z*z
  end subroutine g
end subroutine f
"""
NAMES = ["::error title=x::y.f90", "a\n::warning ::y.f90", "##[error]y.f90", "##vso[task.complete]y.f90",
         "a\x1b[2Jb.f90", "a\x9b31mb.f90", "a\u202eb.f90", "a\rb.f90", "a\x0b::error::b.f90",
         "a\u2028::error::b.f90", "a\x85::error::b.f90", "a\x1b[0Ksection_start:1:x\r.f90",
         os.fsdecode(b"gr\xfcn.f90")]  # fmt: skip
FORMATS = {
    "report": ["report"], "json": ["report", "--format", "json"], "replay": ["replay"], "dag": ["dag"],
    "replay json": ["replay", "--format", "json"], "update": ["check", "--update"],
    "error": ["report", "--region", "{}:90-91"],
}  # fmt: skip


def harmless(text: str) -> None:
    """No line is a command, no character is obeyed."""
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line
        assert line.isprintable()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("snapset.cli.running.progress.PATIENCE", 1e6)
    return tmp_path


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", NAMES)
def test_names_of_files(name: str, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path(name).write_text(SOURCE)
    for arguments in FORMATS.values():
        command, *more = [one.format(name) for one in arguments]
        main.main([command, f"./{name}" if name.startswith("-") else name, "--head", "f(x)>(y)", *more])
        out, err = capfd.readouterr()
        harmless(out + err)
        assert out or err
        if "json" in more:
            assert name in json.dumps(json.loads(out), ensure_ascii=False) or name in str(json.loads(out)) \
                or repr(name)[1:-1] in str(json.loads(out))  # fmt: skip


def test_a_finding_of_the_check(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = "::error title=forged::a.f90"
    Path(name).write_text(SOURCE.replace("  call g(y)\n", ""))
    assert main.main(["check", name, "--head", "f(x)>(y)", "--update"]) == 0
    Path(name).write_text(SOURCE)
    assert main.main(["check", name, "--head", "f(x)>(y)"]) == 1
    out, _ = capfd.readouterr()
    harmless(out)
    assert r"\x3a:error title=forged::a.f90:4" in out


def test_one_line_stays_one_line() -> None:
    span = Span("a\nb\x1b.f90", 1, 1)
    assert str(InputError("what\never", span)) == r"a\nb\x1b.f90:1:1: error: what\never"
    assert str(Finding(span, "part\n1", "x")) == r"a\nb\x1b.f90:1: part\n1: x"


def test_our_own_colours_stay() -> None:
    assert page("\x1b[1;36mburgers\x1b[0m", styled=True) == "\x1b[1;36mburgers\x1b[0m"
    assert page("\x1b[1mburgers\x1b[0m") == r"\x1b[1mburgers\x1b[0m"
    for hidden in ("\x1b[8m", "\x1b[2J", "\x1b]0;title\x07", "\x1b[1;31;8m", "\x9b1m"):
        assert "\x1b" not in page(hidden, styled=True)
        assert page(hidden, styled=True).isprintable()


def test_what_is_fine_stays() -> None:
    for text in ("a::b\n  c: :d\n", "module::name, ## and ##x[\n", "─ größe 雪\n\tx\n", ""):
        assert page(text) == text
        assert document(text) == text


def test_json_means_the_same() -> None:
    value = {"file": "a\x7f\x9b\u202e\u2028##[error]\U000e0041\udc80", "n": [1, None]}
    text = document(json.dumps(value, indent=2, ensure_ascii=False))
    harmless(text)
    assert json.loads(text) == value


@pytest.mark.parametrize("text", [*NAMES, "<script>x</script>", "a\" onload=\"x()", "a' onload='x()", "\ufffe\0&"])
def test_pictures_are_well_formed(text: str) -> None:
    root = ET.fromstring(f'<text class="{drawn(text)}" id=\'{drawn(text)}\'>{drawn(text)}</text>')
    assert set(root.attrib) == {"class", "id"}
    assert len(root) == 0
    assert root.text == root.attrib["class"] == root.attrib["id"]
    assert quoted(text).isprintable()


PICTURES = {"replay": ["--picture", "out.svg"], "dag": ["--graph", "out.svg"]}


@pytest.mark.parametrize("command", PICTURES)
@pytest.mark.parametrize("name", ["a\x1b[2Jb.f90", "a<b>&c.f90", "</text><script>x</script>.f90".replace("/", "\u2215"),
                                  "a\" onload=\"x.f90", "a&amp;b.f90"])  # fmt: skip
def test_pictures_of_files_with_such_names(name: str, command: str, here: Path) -> None:
    Path(name).write_text(SOURCE)
    assert main.main([command, name, "--head", "f(x)>(y)", "--quiet", *PICTURES[command]]) == 0
    root = ET.parse("out.svg").getroot()
    assert root.tag.endswith("svg")
    tags = {one.tag.rpartition("}")[2] for one in root.iter()}
    assert "script" not in tags
    assert not any(key.startswith("on") for one in root.iter() for key in one.attrib)
    assert all(text.isprintable() for one in root.iter() if one.text and (text := one.text.strip()))
