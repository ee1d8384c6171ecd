"""What is unusable: one line on stderr, with file and line where there is one, exit code 2, at once, nothing else."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.cli import main

from tests.support.growth import ends

Here = Callable[..., tuple[int, str, str]]
HEAD = ("--head", "f(x)>(y)")

GOOD = """\
subroutine f(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n)
  a = x*x
  !$AD CHECKPOINT-START
  a = a*a
  !$AD CHECKPOINT-END
  y = sum(a)
end subroutine f
"""
INSIDE, BEFORE, BEHIND = "  a = a*a\n", "  a = x*x\n", "  y = sum(a)\n"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Here:
    """The command in this process, in a directory with good.f90: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    Path("good.f90").write_text(GOOD)

    def called(*arguments: str) -> tuple[int, str, str]:
        with ends():
            code = main.main(arguments)
        return code, *capfd.readouterr()

    return called


def refused(here: Here, *arguments: str) -> str:
    """The one line of an unusable run."""
    code, out, err = here(*arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"[^\n]*error: [^\n]+\n", err)
    return err.rstrip()


def with_(**changed: str) -> str:
    """GOOD with other text inside, before or behind the part."""
    text = GOOD
    for name, old in (("inside", INSIDE), ("before", BEFORE), ("behind", BEHIND)):
        text = text.replace(old, changed.get(name, old))
    return text


def in_loop(inside: str) -> str:
    return with_(before=BEFORE + "  do i = 1, n\n", inside=inside, behind="  end do\n" + BEHIND)


# ---------------------------------------------------------------- text

NESTED = "".join(f"if (x(1) > {level}) then\n" for level in range(40)) + "{}\n" + "end if\n" * 40
TEXT = {
    "forty blocks deep, parentheses": (with_(before=NESTED.format("a = ) x")), 46, "parentheses"),
    "forty blocks deep, operator": (with_(before=NESTED.format("a = x x")), 46, "operator is missing"),
    "forty blocks deep, one not closed": (with_(before=NESTED.format("a = x")[:-7]), 6, "END IF is missing"),
    "forty blocks deep, one too many": (with_(before=NESTED.format("a = x") + "end if\n"), 87, "no open IF"),
    "forty blocks deep, another one": (with_(before=NESTED.format("do i = 1, 2") + "end do\n"), 47, "does not fit"),
    "words": (with_(before="  please add x to a\n"), 6, "cannot read"),
    "a letter": ("Dear reader,\nthis is no Fortran.\n", 1, "give Fortran source"),
    "a name that is none": (with_(before="  ä = x\n"), 6, "cannot read"),
    "300 parentheses, one missing": (with_(before=f"  a = {'(' * 300}x{')' * 299}\n"), 6, "parentheses"),
    "continued into nothing": ("subroutine f(x, y)\n  real :: x, y\n  y = x + &\n", 1, "has no END"),
    "includes itself": (with_(before="  include 'bad.f90'\n"), 6, "includes itself"),
    "a missing include": (with_(before="  include 'none.inc'\n"), 6, "'none.inc' not found"),
    "an include that is a directory": (with_(before="  include '.'\n"), 6, "not found"),
    "a module twice": ("module a\nend\nmodule a\nend\n" + GOOD, 3, "defined twice"),
    "modules in a circle": ("module a\nuse b\nend\nmodule b\nuse a\nend\n" + GOOD, 1, "uses itself"),
    "start alone": (GOOD.replace("  !$AD CHECKPOINT-END\n", ""), 7, "no CHECKPOINT-END"),
    "end alone": (GOOD.replace("  !$AD CHECKPOINT-START\n", ""), 8, "without CHECKPOINT-START"),
    "start outside of all": ("!$AD CHECKPOINT-START\n" + GOOD, 1, "no CHECKPOINT-END"),
    "end behind all": (GOOD + "!$AD CHECKPOINT-END\n", 12, "without CHECKPOINT-START"),
    "start in a module": ("module m\n!$AD CHECKPOINT-START\nend\n" + GOOD, 2, "among declarations"),
    "end in a type": (GOOD.replace("  real(8) :: a(n)\n", "  type t\n!$AD CHECKPOINT-END\nreal :: r\nend type\n"
                                   "  real(8) :: a(n)\n"), 6, "among declarations"),
    "crossing": (with_(inside="  if (n > 1) then\n  a = a*a\n", behind="  end if\n" + BEHIND), 10, "line 7"),
    "crossing the other way": (
        with_(before=BEFORE + "  if (n > 1) then\n", inside=INSIDE + "  end if\n"), 8, "line 10"),
    "a label that is nowhere": (with_(inside=INSIDE + "  goto 77\n"), 9, "label 77"),
    "a label that stands twice": (with_(before="7 a = x\n7 a = x*x\n  if (n > 1) goto 7\n"), 7, "second time"),
    "EXIT of nothing": (with_(before=BEFORE + "  exit\n"), 7, "EXIT outside"),
    "EXIT of another name": (with_(before="one: do i = 1, n\n  exit two\nend do one\n"), 7, "two"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXT)
def test_text(name: str, here: Here) -> None:
    text, line, message = TEXT[name]
    Path("bad.f90").write_text(text)
    said = refused(here, "report", "bad.f90", *HEAD)
    assert said.startswith(f"bad.f90:{line}:")
    assert message in said


JUMPS = {  # text, the jump's line, the line of the part's start
    "GOTO out": (with_(inside=INSIDE + "  if (n > 1) goto 9\n", behind="9 continue\n" + BEHIND), 9, 7),
    "GOTO in": (with_(before=BEFORE + "  if (n > 1) goto 9\n", inside="9 a = a*a\n"), 7, 8),
    "GOTO back in": (with_(inside="9 a = a*a\n", behind="  if (n > 1) goto 9\n" + BEHIND), 10, 7),
    "computed GOTO out": (with_(inside="  goto (8, 9) n\n8 a = a*a\n", behind="9 continue\n" + BEHIND), 8, 7),
    "arithmetic IF out": (with_(inside="  if (n - 1) 8, 8, 9\n8 a = a*a\n", behind="9 continue\n" + BEHIND), 8, 7),
    "EXIT": (in_loop(INSIDE + "  if (a(1) > 2) exit\n"), 10, 8),
    "CYCLE": (in_loop(INSIDE + "  if (a(1) > 2) cycle\n" + INSIDE), 10, 8),
    "RETURN": (with_(inside=INSIDE + "  if (a(1) > 2) return\n" + INSIDE), 9, 7),
    "RETURN at the end": (with_(inside=INSIDE + "  return\n"), 9, 7),
    "ERR= out": (with_(inside=INSIDE + "  read (5, *, err=9) a(1)\n", behind="9 continue\n" + BEHIND), 9, 7),
    "alternate return": (
        with_(inside="  call g(a, *9)\n", behind="9 continue\n" + BEHIND)
        + "subroutine g(a, *)\n  real(8) :: a(*)\n  if (a(1) > 2) return 1\n  a(1) = 2\nend\n", 8, 7),
}  # fmt: skip


@pytest.mark.parametrize("name", JUMPS)
def test_a_jump_over_a_border_names_both_lines(name: str, here: Here) -> None:
    text, jump, start = JUMPS[name]
    Path("bad.f90").write_text(text)
    said = refused(here, "report", "bad.f90", *HEAD)
    assert said.startswith(f"bad.f90:{jump}:")
    assert re.search(r"leads (into|out of) the checkpointed part", said)
    assert said.endswith(f"starts at line {start}; a part has one entry and one exit: move the jump or the markers")


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "no program unit"), (b"! only\n\n! comments\n", "no program unit"), (bytes(range(256)) * 40, "binary"),
     (GOOD.encode("utf-16"), "binary")],
)  # fmt: skip
def test_no_text(content: bytes, message: str, here: Here) -> None:
    Path("bad.f90").write_bytes(content)
    said = refused(here, "report", "bad.f90", *HEAD)
    assert said.startswith("bad.f90:1:1: ")
    assert message in said


def test_no_file(here: Here) -> None:
    os.symlink("round.f90", "round.f90")
    assert "does not exist" in refused(here, "report", "none.f90", *HEAD)
    assert "is a directory" in refused(here, "report", ".", *HEAD)
    assert "symbolic links" in refused(here, "report", "round.f90", *HEAD)
    assert refused(here, "report", "/dev/zero", *HEAD).endswith("has more than 64 MB; give Fortran source")


def test_a_procedure_in_two_files(here: Here) -> None:
    Path("again.f90").write_text(GOOD)
    assert refused(here, "report", "good.f90", "again.f90", *HEAD) == (
        "again.f90:1:1: error: subroutine `f` is defined twice, first at good.f90:1; remove one")


def test_one_file_by_several_names_is_one_file(here: Here) -> None:
    os.symlink("good.f90", "link.f90")
    arguments = ("good.f90", "./good.f90", "link.f90", str(Path("good.f90").resolve()), "good.f90")
    once = here("report", "good.f90", *HEAD, "--region", "good.f90:6-6")
    assert once[0] == 0
    assert here("report", *arguments, *HEAD, "--region", "link.f90:6-6") == once


CODINGS = {
    "CR LF": GOOD.replace("\n", "\r\n").encode(),
    "CR": GOOD.replace("\n", "\r").encode(),
    "tabs": GOOD.replace("  ", "\t").replace(" = ", "\t=\t").encode(),
    "a byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "Latin-1": GOOD.replace("  a = x*x", "  a = x*x ! carré").encode("latin-1"),
    "no newline at the end": GOOD.rstrip().encode(),
    "an ampersand at the end": GOOD.rstrip().encode() + b" &",
    "90 parentheses": GOOD.replace("x*x", f"{'(' * 90}x*x{')' * 90}").encode(),
}


@pytest.mark.parametrize("name", CODINGS)
def test_unusual_files_that_are_good(name: str, here: Here) -> None:
    expected = here("report", "good.f90", *HEAD)
    Path("good.f90").write_bytes(CODINGS[name])
    assert here("report", "good.f90", *HEAD) == expected


@pytest.mark.parametrize("depth", [300, 5000])
def test_more_parentheses_than_anybody_reads_are_reported(depth: int, here: Here) -> None:
    Path("good.f90").write_text(GOOD.replace("x*x", f"{'(' * depth}x*x{')' * depth}"))
    code, out, err = here("report", "good.f90", *HEAD)
    assert (code, err) == (0, "")
    assert "good.f90:6:3: warning SN202: not understood: parentheses are nested over 100" in out


def test_two_thousand_files(here: Here) -> None:
    names = [f"s{number}.f90" for number in range(2000)]
    for name in names:
        Path(name).write_text(f"subroutine {name[:-4]}(x)\nreal :: x\nx = x*x\nend\n")
    assert here("report", "good.f90", *HEAD)[1] == here("report", *names, "good.f90", *HEAD)[1]


# ---------------------------------------------------------------- the command line

HEADS = {
    "g(x)>(y)": "no procedure 'g' in the given files; they hold: f",
    "m%f(x)>(y)": "no procedure 'm%f'",
    "f(q)>(y)": "good.f90:1:1: error: procedure 'f' has no argument or variable 'q'",
    "f(x)>(q)": "good.f90:1:1: error: procedure 'f' has no argument or variable 'q'",
    "f(n)>(y)": "good.f90:1:1: error: 'n' in head 'f(n)>(y)' is not real",
    "f(x)>(a)": "good.f90:1:1: error: 'a' in head 'f(x)>(a)' is a local variable",
    "f(a)>(y)": "good.f90:1:1: error: 'a' in head 'f(a)>(y)' is a local variable",
    **dict.fromkeys(
        ["f(x>y", "f(x)>", "(x)>(y)", ">", "f)(", "f(x)>(y", "f(x)>(y))", "f(x)>(y),", "f(x)<(y)", "f\\", "f%%g(x)>(y)",
         "%f(x)>(y)", "f%(x)>(y)", "1f(x)>(y)", "f(x)>>(y)", "'f'(x)>(y)"], "error: cannot read head"),
    **dict.fromkeys(["f(x,)>(y)", "f(,x)>(y)", "f(ü)>(y)", "f(1)>(y)"], "is no name"),
    "": "error: argument --head: nothing is given; write a value",
    **dict.fromkeys(["  ", "\t\n"], "error: the head is empty"),
}  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
def test_heads(head: str, here: Here) -> None:
    assert HEADS[head] in refused(here, "report", "good.f90", "--head", head)


@pytest.mark.parametrize("head", [" f ( x ) > ( y ) ", "F(X)>(Y)", "f\t(x)\n>(y)\n", "f(x)>(y) f(x)>(y)", "f(x x)>(y)"])
def test_heads_with_odd_blanks(head: str, here: Here) -> None:
    assert here("report", "good.f90", "--head", head)[:2] == here("report", "good.f90", *HEAD)[:2]


def test_components_with_blanks_in_a_head(here: Here) -> None:
    Path("c.f90").write_text("subroutine s(c, y)\ntype t\nreal :: p, q\nend type\ntype(t) :: c\nreal :: y\n"
                             "y = c%p\nend\n")
    shown = [here("report", "c.f90", "--head", head)[1] for head in ("s(c%p,c%q)>(y)", "s( c % p  c %q )>(y)")]
    assert shown[0] == shown[1]
    assert "s(c%p,c%q)>(y)" in shown[0]


def test_a_main_program_has_only_local_variables(here: Here) -> None:
    Path("p.f90").write_text("program p\nreal :: x, y\nx = 2\ny = x*x\nend\n")
    assert here("report", "p.f90", "--head", "p(x)>(y)")[0] == 0


OPTIONS = {
    "--nope": "unrecognized arguments: --nope",
    "--fixed --free": "not allowed with argument --fixed",
    "--strategy Opt1+=y": "no part's Opt1 holds 'y'",
    "--strategy Opt3+=a;Opt3-=a": "puts a on both sides of Opt3",
    "--strategy Opt3+=*;Opt3-=*": "puts * on both sides of Opt3",
    "--region good.f90": "not FILE:FIRST-LAST",
    "--region good.f90:x-y": "not FILE:FIRST-LAST",
    "--region good.f90:8-7": "is not before",
    "--region good.f90:0-3": "is not before",
    "--region none.f90:6-7": "none.f90:1:1: error: `none.f90` is none of the files read",
    "--region good.f90:1-5": "good.f90:1:1: error: lines 1 to 5 hold no executable statement",
    "--region good.f90:6-8": "good.f90:6:1: error: lines 6 to 8 are not whole statements of one block: they cut",
    "--region good.f90:8-9": "good.f90:8:1: error: lines 8 to 9 are not whole statements of one block: they cut",
    "--assume n=m+1": "not NAME=NUMBER",
    "--assume n=nan": "not NAME=NUMBER",
    "--assume n=-5": "not NAME=NUMBER",
}


@pytest.mark.parametrize("options", OPTIONS)
def test_options(options: str, here: Here) -> None:
    assert OPTIONS[options] in refused(here, "report", "good.f90", *HEAD, *options.split())


@pytest.mark.parametrize("lines", ["6-7", "7-9", "8-9"])
def test_a_region_that_cuts_a_block(lines: str, here: Here) -> None:
    Path("good.f90").write_text(with_(before="  do i = 1, n\n    a(i) = x(i)\n    a(i) = a(i) + 1\n  end do\n"))
    said = refused(here, "report", "good.f90", *HEAD, "--region", f"good.f90:{lines}")
    assert said.startswith(f"good.f90:{lines[0]}:1: error: ")
    assert "they cut the statement of lines 6 to 9" in said


# ---------------------------------------------------------------- the lock


@pytest.mark.parametrize("update", [(), ("--update",)])
@pytest.mark.parametrize("name", ["directory", "/dev/full"])
def test_a_lock_that_is_no_file(name: str, update: tuple[str, ...], here: Here) -> None:
    Path("directory").mkdir()
    said = refused(here, "check", "good.f90", *HEAD, "--baseline", name, *update)
    assert said.startswith(f"{name}:1:1: error: not a file")


def test_a_place_where_no_lock_can_be_written(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.mkstemp", _no_permission)
    said = refused(here, "check", "good.f90", *HEAD, "--update", "--baseline", "a.lock")
    assert said == "a.lock: error: Permission denied"
    assert not Path("a.lock").exists()


def _no_permission(prefix: str, dir: Path) -> tuple[int, str]:
    raise PermissionError(13, "Permission denied", str(dir / f"{prefix}x"))


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a = 1\n", b"format = \n", b"<<<<<<< ours\n"])
def test_a_lock_that_is_none(content: bytes, here: Here) -> None:
    Path("snapset.lock").write_bytes(content)
    assert refused(here, "check", "good.f90", *HEAD).startswith("snapset.lock:1:")


@pytest.mark.parametrize("loop", ["do\nend do\n", "10 continue\ngoto 10\n", "do\na = a*a\ncycle\nend do\n"])
def test_a_program_that_never_ends_is_not_run(loop: str, here: Here) -> None:
    Path("endless.f90").write_text(with_(behind=f"{loop}{BEHIND}"))
    assert "f never ends: no path leads out of a loop" in refused(here, "replay", "endless.f90", *HEAD)
    Path("stopped.f90").write_text(with_(behind=f"if (n > 1) stop\n{loop}{BEHIND}"))
    assert "never ends" not in refused(here, "replay", "stopped.f90", *HEAD, "--max-steps", "1000")


@pytest.mark.parametrize("command", [
    ["replay"], ["divide", "--leaf", "9"], ["messages", "--ranks", "2"], ["messages", "--proved"], ["dag", "--replay"],
    ["replay", "--loop", "stopped.f90:10", "--schedule", "best", "--memory", "9KB"], ["schedule"]])
def test_a_wrong_second_head_is_told_before_the_first_one_runs(command: list[str], here: Here) -> None:
    """The first cannot be run either: its STOP would be told."""
    Path("stopped.f90").write_text(with_(behind=f"do i = 1, n\na = a*a\nend do\nstop\n{BEHIND}"))
    assert refused(here, command[0], "stopped.f90", *HEAD, "--head", "f(z)>(y)", *command[1:]).endswith(
        "procedure 'f' has no argument or variable 'z' (head 'f(z)>(y)')")


@pytest.mark.parametrize(("words", "said"), [
    (["reprot"], "did you mean 'report'?"),
    (["report", "--strtegy=lazy"], "unrecognized arguments: --strtegy=lazy; did you mean '--strategy'?"),
    (["report", "--format", "htm"], "did you mean 'html'?"),
    (["report", "--context=3"], "argument --context: takes no value, but '3' is given"),
    (["report", "--top", "x"], "not a whole number, 1 or more, such as 20;"),
    *((["report", "--dump", "list", *words], f"{words[0]} is about the report, which --dump replaces") for words in (
        ["--sets"], ["--brief"], ["--top", "3"], ["--part", "f@3"], ["--picture", "p.svg"], ["--set", "n=1"])),
    (["report", "--dump", "list", "--format", "sarif"], "--dump is text or JSON; --format sarif is of the report"),
    (["report", "-I", "nodir", "a.f90"], "-I nodir: no such directory; leave it out, or correct it"),
    (["diff", "HEAD"], "too little is given; write snapset diff REV1 REV2 [FILE...] [options]"),
    (["schema"], "too little is given; write snapset schema {report,"),
    (["explain", "tke"], "no diagnostic has this code; to explain what is saved, add --at PART VARIABLE"),
    (["explain", "--at", "f@3"], "argument --at: expected PART VARIABLE"),
])
def test_a_slip_is_told_with_what_was_meant(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_a_dump_goes_where_it_is_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["report", "--dump", "list", "-o", str(tmp_path / "list.txt")]) == 0
    assert capsys.readouterr().out == ""
    assert "to-be-recorded" in (tmp_path / "list.txt").read_text()


@pytest.mark.parametrize("command", [("verify",), ("diff", "A", "B"), ("explain", "SN101"), ("report", "none.f90")])
@pytest.mark.parametrize("place", ["there/is/none", "."])
def test_a_place_that_cannot_be_written_is_said_first(command: tuple[str, ...], place: str, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch,
                                                      capsys: pytest.CaptureFixture[str]) -> None:
    """verify takes seconds, and diff asks git, before there is something to write."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("snapset.analysis.proof.verify.verify", None)
    assert main.main([*command, "-o", place]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"error: --output {place}: ")
