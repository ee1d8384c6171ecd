"""The report as it begins: the answer first, a few lines a part, and what each option makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from snapset.cli.main import main
from snapset.render.layout.byte_figures import Figures
from snapset.render.pages.brief_report import brief_text, grouped
from snapset.render.pages.report_text import looking

from tests.support.interface.results import PART
from tests.support.paths import ROOT

CALLS = ["report", "corpus/calls.f90", "--head", "shallow(h0)>(cost)", "--quiet", "--no-cache"]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)


def printed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main([*CALLS, *options]) == 0
    return capsys.readouterr().out


def test_the_answer_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Worked out from the text: of h and v, 40 elements of 8 bytes each, each step leaves one as it was."""
    page = printed(capsys)
    rows = [line.split() for line in page.splitlines()]
    assert page.startswith("Adjoint of shallow(h0)>(cost): 2 checkpointed parts\n")
    assert ["peak", "bytes", "624*nsteps", "624*nsteps"] in rows
    rest = ["312*nsteps", "50", "%", "shallow@46"]
    assert rows.index(["Snp", "h(1:39)", *rest]) < rows.index(["Snp", "v(2:40)", *rest])
    assert "  lazy, eager  Snp h(1:39), v(2:40)   snapshot 624\n" in page
    assert "nothing is saved or taped at advance@23\n" in page


def test_only_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "--brief", "--top", "1")
    assert "the 1 dearest locations, lazy" in page
    assert "Snp h(1:39)" in page
    assert "v(2:40)" not in page
    assert "marked part at" not in page


def test_what_lines_tape_is_among_the_dearest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Line 14, in the second part and behind the first, tapes 24 bytes in each of 50 iterations: said once. So does
    line 7, before any part."""
    file = tmp_path / "march.f90"
    file.write_text("""\
subroutine march(x, y)
  real(8) :: x, y, u(3)
  integer :: i
  u = x
  y = x
  do i = 1, 50
    u = sin(u)
  end do
  !$AD CHECKPOINT-START
  x = x*y
  !$AD CHECKPOINT-END
  !$AD CHECKPOINT-START
  do i = 1, 50
    u = sin(u)*y
  end do
  !$AD CHECKPOINT-END
  y = y*sum(u)*x
end subroutine march
""")
    assert main(["report", str(file), "--head", "march(x)>(y)", "--quiet", "--no-cache", "--brief"]) == 0
    page = capsys.readouterr().out
    rows = [line.split() for line in page.splitlines()]
    dearest = next(i for i, row in enumerate(rows) if row[:2] == ["dearest", "locations,"])
    assert sorted(rows[dearest + 2:dearest + 4]) == [
        ["tape", "u", "1,200", "49", "%", f"march.f90:{line}"] for line in (14, 7)]
    assert sum(row[:2] == ["tape", "u"] for row in rows) == 2


def test_each_warning_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first of each code above, the others and all notes beneath, in the form that editors find places by."""
    file = tmp_path / "told.f90"
    file.write_text("""\
subroutine told(x, y)
  real(8) :: x, y
  !$AD CHECKPOINT-START
  call nowhere(x)
  print *, x
  print *, x + 1
  !$AD CHECKPOINT-END
  y = x*x
end subroutine told
""")
    pages = []
    for options in ((), ("--brief",)):
        assert main(["report", str(file), "--head", "told(x)>(y)", "--quiet", "--no-cache", *options]) == 0
        pages.append(capsys.readouterr().out)
    whole, brief = pages
    said = [line.split() for line in whole.splitlines() if " warning SN" in line]
    assert [(words[0].removeprefix(f"{file}:"), words[2]) for words in said] == [
        ("5:3:", "SN102:"), ("4:3:", "SN107:"), ("4:3:", "SN301:"), ("6:3:", "SN102:")]
    assert [" ".join(words).endswith("(the first of 2)") for words in said] == [True, False, False, False]
    assert [line.split() for line in brief.splitlines() if " warning SN" in line] == said[:3]
    notes = whole.count(" note SN")
    assert notes
    assert brief.endswith(f"\nand {notes} note{'s' if notes > 1 else ''}, which the report without --brief has\n")


def test_the_dearest_are_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the text, in its order."""
    page = printed(capsys, "--brief")
    shown = [line.split()[:3] for line in page.splitlines() if line.split()[:1] in (["Snp"], ["tape"])]
    found = json.loads(printed(capsys, "--format", "json"))["dearest"]
    assert [[one["what"], one["location"], one["bytes"]] for one in found] == shown
    assert [(one["part"], one["procedure"], one["line"]) for one in found] == [("shallow@46", "shallow", 46)]*2
    assert [one["bytes"] for one in json.loads(printed(capsys, "--format", "json", "--assume", "nsteps=2"))["dearest"]
            ] == [624, 624]


def test_one_part_with_its_sets(capsys: pytest.CaptureFixture[str]) -> None:
    whole = printed(capsys, "--sets")
    for name in ("advance@23", "corpus/calls.f90:23", "23", "pressure"):
        page = printed(capsys, "--part", name)
        assert page.startswith("advance@23: call of pressure")
        assert "shallow@46" not in page
        assert page in whole


def test_the_dearest_parts_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.f90"
    file.write_text("""\
subroutine two(x, n, y)
  integer :: n
  real(8) :: x(n), small, y
  small = x(1)
  !$AD CHECKPOINT-START
  small = small*small
  !$AD CHECKPOINT-END
  !$AD CHECKPOINT-START
  x = x*x*small
  !$AD CHECKPOINT-END
  y = sum(x*x)*small
end subroutine two
""")
    for options, first in (((), "two@6:"), (("--sort", "bytes"), "two@9:")):
        assert main(["report", str(file), "--head", "two(x)>(y)", "--quiet", "--no-cache", *options]) == 0
        parts = [line for line in capsys.readouterr().out.splitlines() if "marked part at" in line]
        assert parts[0].startswith(first)


@pytest.mark.parametrize(("options", "said"), [
    (["--sets", "--brief"], "--brief is about the short report, which --sets is not"),
    (["--format", "json", "--top", "3"], "--top is about the short report, which --format json is not"),
    (["--part", "nowhere"], "--part nowhere: no checkpointed part is called so"),
    (["--format", "json", "--part", "23"], "--part is about text; JSON has all parts"),
    (["--top", "0"], "--top"),
])  # fmt: skip
def test_contradictions_are_one_line(options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALLS, *options]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_warnings_are_named_at_the_part() -> None:
    text = brief_text(PART, ["lazy", "eager"], Figures(), looking(200, False, False))
    assert "  SN101 at burgers_region.f90:15\n" in text


@pytest.mark.parametrize(("names", "said"), [
    (["a", "b"], "a, b"),
    ([f"c%{x}" for x in "abcdefg"], "c%{a, b, c, d, e, f, g}"),
    (["/blk/a", "/blk/b", "/blk/c", "x", "y", "z", "w(1:n)"], "/blk/{a, b, c}, x, y, z, w(1:n)"),
    (["m::a", "m::b", "c%a", "d", "e", "f", "g"], "m::a, m::b, c%a, d, e, f, g"),
])  # fmt: skip
def test_long_lists_say_common_beginnings_once(names: list[str], said: str) -> None:
    assert grouped(names) == said


def test_a_long_program_fits_a_few_screens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """112 parts over a COMMON block of 40 variables: at most 300 lines, the dearest location on the first screen."""
    common = ", ".join(f"v{i}(100)" for i in range(39)) + ", big(100000)"
    head = f"  real(8) :: {common}\n  common /state/ {', '.join(f'v{i}' for i in range(39))}, big\n"
    text = f"subroutine model(x, y)\n  real(8) :: x, y\n{head}  v0 = x\n  big = x\n"
    text += "".join(f"  call step{i}\n" for i in range(112)) + "  y = sum(v0*v1) + sum(big*big)\nend subroutine model\n"
    for i in range(112):
        text += f"subroutine step{i}\n{head}  v{i % 39} = v{(i + 1) % 39}*v{i % 39} + v0*v0\n"
        text += "  big = big*big\n" if i == 50 else ""
        text += f"end subroutine step{i}\n"
    file = tmp_path / "long.f90"
    file.write_text(text)
    assert main(["report", str(file), "--head", "model(x)>(y)", "--quiet", "--no-cache"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 300
    assert any("800,000" in line for line in lines[:24])


def test_of_many_parts_those_that_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """119 parts of three lines each, and the last saves nothing: the dearest 80, one with an array of 8,000 bytes among
    them; asked for, all."""
    text = "subroutine model(x, y)\n  real(8) :: x(10), y, w(10), big(1000)\n  w = x\n  big = x(1)\n"
    arrays = ["big" if i in (98, 99) else "w" for i in range(120)]
    text += "".join(f"  call step{i}(x, {one})\n  {one} = 2*{one}\n" for i, one in enumerate(arrays))
    text += "  y = sum(x) + sum(w) + sum(big)\nend subroutine\n"
    text += "".join(f"subroutine step{i}(x, z)\n  real(8) :: x(10), z({1000 if one == 'big' else 10})\n"
                    "  x = x*sum(z*z)\nend subroutine\n" for i, one in enumerate(arrays))
    file = tmp_path / "long.f90"
    file.write_text(text)
    given = ["report", str(file), "--head", "model(x)>(y)", "--quiet", "--no-cache", "--strategy", "eager,lazy"]
    assert main(given) == 0
    page = capsys.readouterr().out
    assert len(page.splitlines()) <= 300
    assert "the 80 dearest of 119 parts that save something; all: --top 119\n" in page
    shown = [line for line in page.splitlines() if line.startswith("model@")]
    assert len(shown) == 80
    assert shown == sorted(shown, key=lambda line: int(line[6:].split(":")[0]))
    assert any("call of step98 " in line for line in shown)
    assert main([*given, "--top", "119"]) == 0
    assert sum(line.startswith("model@") and "call of" in line for line in capsys.readouterr().out.splitlines()) == 119


def test_what_many_lines_share_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Six lines that print: one says why that is bad, and where the others are."""
    file = tmp_path / "talk.f90"
    file.write_text("""\
subroutine talk(x, y)
  real(8) :: x, y
  call say(x)
  y = x*x
end subroutine
subroutine say(x)
  real(8) :: x
  x = x*x
  write (*, *) x
  write (*, *) x
  write (*, *) x
  x = sin(x)
  write (*, *) x
end subroutine
""")
    assert main(["report", str(file), "--head", "talk(x)>(y)", "--quiet", "--no-cache"]) == 0
    page = capsys.readouterr().out
    first, = (line for line in page.splitlines() if line.startswith(f"{file}:9:"))
    assert first.endswith(" (the first of 4)")
    assert page.split("About the program\n")[1] == f"  SN102 as above, 3 more: {file}:10-11, 13\n"
    assert main(["report", str(file), "--head", "talk(x)>(y)", "--quiet", "--no-cache", "--sets"]) == 0
    sets = capsys.readouterr().out
    assert " and 3 more: " in " ".join(sets.split())
    assert sets.count(" warning SN102: ") == 1


def test_a_long_formula_is_estimated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten arrays of unknown sizes; 100 elements of 8 bytes for each: 8,000 in the snapshot."""
    file, arrays = tmp_path / "many.f90", [f"state_{letter}" for letter in "abcdefghij"]
    file.write_text(f"""\
subroutine many({', '.join(arrays)}, y)
  real(8) :: {', '.join(f'{one}(:)' for one in arrays)}, y
  call step({', '.join(arrays)})
  y = {' + '.join(f'sum({one}**2)' for one in arrays)}
end subroutine
subroutine step({', '.join(arrays)})
  real(8) :: {', '.join(f'{one}(:)' for one in arrays)}
""".replace(", state_e", ", &\n state_e").replace(" + sum(state_e", " + &\n sum(state_e") + "".join(
        f"  {one} = {one}*{one}\n" for one in arrays) + """\
end subroutine
""")
    given = ["report", str(file), "--head", f"many({','.join(arrays)})>(y)", "--quiet", "--no-cache", "--brief"]
    assert main(given) == 0
    page = capsys.readouterr().out
    assert "~ with 100 for each name that has no number" in page
    assert "(100 for each name)" not in page
    peak, = (line.split() for line in page.splitlines() if line.strip().startswith("peak bytes"))
    assert main([*given, *(f"--assume=size({one})=100" for one in arrays)]) == 0
    number, = (line.split() for line in capsys.readouterr().out.splitlines() if line.strip().startswith("peak bytes"))
    assert peak[2:4] == ["~", number[2]]


@pytest.mark.parametrize("form", ["text", "html", "json", "github"])
def test_bytes_beyond_every_float(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """160 loops of n iterations in each other, call by call: the innermost line tapes 8*n**160 bytes, 8.0e+320 with 100
    for n."""
    levels = 160
    called = "".join(f"subroutine p{k}(n, x)\n  integer :: n, i\n  real(8) :: x\n  do i = 1, n\n    x = x*x\n"
                     f"    call p{k + 1}(n, x)\n  end do\nend subroutine\n" for k in range(1, levels))
    source = tmp_path / "deep.f90"
    source.write_text(f"{called}subroutine p{levels}(n, x)\n  integer :: n, i\n  real(8) :: x\n  do i = 1, n\n"
                      "    x = x*x\n  end do\nend subroutine\n")
    assert main(["report", str(source), "--head", "p1(x)>(x)", "--quiet", "--no-cache", "--format", form]) == 0
    page = capsys.readouterr().out
    if form == "text":
        rows = [line.split() for line in page.splitlines()]
        assert ["tape", "x", f"8*n**{levels}", "~"] in [row[:4] for row in rows]
        assert any(row[:2] == ["traffic", "bytes"] and row[-1].endswith("e+320") for row in rows)
