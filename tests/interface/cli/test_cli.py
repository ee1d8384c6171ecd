"""The command as a user meets it: help, output, and one line with exit code 2 for whatever is unusable."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from snapset.cli import main
from snapset.cli.running import progress
from snapset.library import session

from tests.support.command import run, unhurried
from tests.support.corpus import CORPUS
from tests.support.growth import ends

BURGERS = CORPUS / "burgers_region.f90"
HEAD = "burgers(u)>(cost)"
Here = Callable[..., tuple[int, str, str]]
LINE = r"[^\n:]+:\d+:\d+: error: [^\n]+\n"

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


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.f90"
    path.write_text(GOOD)
    return path


# ---------------------------------------------------------------- what works


def test_report_as_text() -> None:
    done = run("report", BURGERS, "--head", HEAD, "--sets")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Adjoint of {HEAD}: 1 checkpointed part" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["Snp", "u(2:n-1)", "(8*n", "-", "16)", "nu", "(8)"] in rows
    assert ["Req_D", "nu", "-"] in rows
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_report_as_json_with_assumed_sizes() -> None:
    done = run("report", BURGERS, "--head", HEAD, "--format", "json", "--assume", "n=100", "--strategy", "lazy")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert (document["schema"], document["head"]) == ("snapset.report/1", HEAD)
    (part,) = document["regions"]
    assert (part["id"], part["first_line"], part["last_line"]) == ("burgers@13", 13, 18)
    assert list(part["solutions"]) == ["lazy"]
    lazy = part["solutions"]["lazy"]
    assert (lazy["snp"], lazy["sbk"], lazy["req_d"], lazy["req_c"]) == (["u"], [], ["nu"], [])
    assert lazy["snapshot_bytes"] == 784


def test_the_same_input_gives_the_same_bytes() -> None:
    arguments = ("report", CORPUS / "calls.f90", "--head", "shallow(h0)>(cost)")
    outputs = {run(*arguments, PYTHONHASHSEED=seed).stdout for seed in "123"}
    assert len(outputs) == 1
    assert "call of advance" in outputs.pop()


def test_several_heads_side_by_side(good: Path) -> None:
    heads = ("--head", "f(x)>(y)", "--head", HEAD)
    one = run("report", good, BURGERS, *heads, "--format", "json")
    two = run("report", *heads, "--jobs", "2", good, "--format", "json", "--quiet", BURGERS)
    assert (two.returncode, two.stderr) == (0, "")
    assert one.stdout == two.stdout
    assert [document["head"] for document in json.loads(two.stdout)] == ["f(x)>(y)", HEAD]


def test_a_region_given_by_lines(good: Path) -> None:
    done = run("report", good, "--head", "f(x)>(y)", "--region", f"{good}:10-10", "--format", "json")
    assert [part["first_line"] for part in json.loads(done.stdout)["regions"]] == [8, 10]


def test_help_teaches() -> None:
    for arguments in (["--help"], ["report", "--help"], ["check", "-h"]):
        done = run(*arguments)
        assert "snapset report" in done.stdout or "snapset check" in done.stdout
        assert "exit codes:" in done.stdout


@pytest.mark.parametrize("code",
                         ["import snapset", "import snapset.cli.main, snapset.cli.grammar.arguments",
                          "import snapset.config.settings"])
def test_what_is_not_imported_at_start(code: str) -> None:
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "snapset" in loaded
    assert not loaded & {"sympy", "fparser", "networkx", "rich", "numpy"}
    assert "msgspec" not in loaded or "settings" in code  # which name records that it makes


def modules_of(*arguments: str | Path) -> set[str]:
    """What one run of the command, in a new interpreter, imports."""
    command = [sys.executable, "-X", "importtime", "-m", "snapset", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


def test_what_a_report_does_not_import(tmp_path: Path) -> None:
    """No NumPy, though it says what the machine would refuse. A run that finds its answer reads the texts: neither the
    classes of statements nor the analyses."""
    arguments = ("report", BURGERS, "--head", HEAD, "--cache-dir", tmp_path)
    first = modules_of(*arguments)
    assert {"snapset.analysis.pipeline", "snapset.analysis.replay.statements.refused_constructs"} <= first
    assert not {one.partition(".")[0] for one in first} & {"numpy", "sympy", "networkx", "highspy", "fparser"}
    loaded = modules_of(*arguments)
    assert "snapset.library.session" in loaded
    rooms = {".".join(one.split(".")[:3]) for one in loaded}
    assert not rooms & {"snapset.frontend.ir", "snapset.frontend.lowering", "snapset.frontend.symbols",
                        "snapset.frontend.load", "snapset.analysis.memory", "snapset.analysis.procedures",
                        "snapset.analysis.pipeline", "snapset.analysis.results"}
    assert not loaded & {"snapset.check.lock_comparison", "snapset.config.strategy_file", "numpy"}


def test_version() -> None:
    done = run("--version")
    assert re.fullmatch(r"snapset \d+\.\d+\.\d+\n", done.stdout)


def in_terminal(*arguments: str | Path, **environment: str) -> str:
    """What the command writes to a terminal."""
    master, slave = os.openpty()
    with os.fdopen(master, "rb", buffering=0) as screen:
        command = [sys.executable, "-m", "snapset", *map(str, arguments)]
        clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        process = subprocess.Popen(command, stdout=slave, env={**clean, "TERM": "xterm", **environment})
        os.close(slave)
        shown = b""
        try:
            while chunk := screen.read(65536):
                shown += chunk
        except OSError:  # Linux's way to say that the other side is closed
            pass
        assert process.wait(timeout=60) == 0
    return shown.decode()


def test_colour_in_a_terminal_unless_refused() -> None:
    arguments = ("report", BURGERS, "--head", HEAD)
    assert "\x1b[" in in_terminal(*arguments)
    plain = in_terminal(*arguments, NO_COLOR="1")
    assert "\x1b[" not in plain
    assert HEAD in plain


# ---------------------------------------------------------------- what is unusable

USAGE = {
    "no command": [],
    "unknown command": ["reprot"],
    "unknown option": ["report", "good.f90", "--haed", "f"],
    "abbreviated option": ["report", "good.f90", "--hea", "f"],
    "option without its value": ["report", "good.f90", "--head"],
    "bogus format": ["report", "good.f90", "--head", "f", "--format", "bogus"],
    "fixed and free": ["report", "good.f90", "--head", "f", "--fixed", "--free"],
    "jobs 0": ["report", "good.f90", "--head", "f", "--jobs", "0"],
    "jobs x": ["report", "good.f90", "--head", "f", "--jobs", "x"],
    "assume garbage": ["report", "good.f90", "--head", "f", "--assume", "garbage"],
    "assume twice": ["report", "good.f90", "--head", "f", "--assume", "n=1", "--assume", "N=2"],
    "macro": ["report", "good.f90", "--head", "f", "-D", "1X"],
    "region": ["report", "good.f90", "--head", "f", "--region", "good.f90"],
    "region backwards": ["report", "good.f90", "--head", "f", "--region", "good.f90:9-7"],
    "region in no file": ["report", "good.f90", "--head", "f", "--region", "other.f90:7-9"],
    "region that no statements fill": ["report", "good.f90", "--head", "f", "--region", "good.f90:700-900"],
    "first run": ["report", "good.f90", "--head", "f", "--first-run", "half"],
    "strategy": ["report", "good.f90", "--head", "f(x)>(y)", "--strategy", "greedy"],
    "malformed partition": ["report", "good.f90", "--head", "f(x)>(y)", "--strategy", "Opt4+=a"],
    "partition naming what is not optional": ["report", "good.f90", "--head", "f(x)>(y)", "--strategy", "Opt1+=y"],
    "malformed head": ["report", "good.f90", "--head", "f(x>y"],
    "empty head": ["report", "good.f90", "--head", ""],
    "unknown procedure": ["report", "good.f90", "--head", "g(x)>(y)"],
    "unknown argument": ["report", "good.f90", "--head", "f(z)>(y)"],
    "no files": ["report", "--head", "f(x)>(y)"],
    "missing file": ["report", "nowhere.f90", "--head", "f"],
    "directory": ["report", ".", "--head", "f"],
    "check without a lock": ["check", "good.f90", "--head", "f(x)>(y)"],
    "lock in no directory": ["check", "good.f90", "--head", "f(x)>(y)", "--update", "--baseline", "no/such.lock"],
}


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], good: Path) -> Here:
    """The command in this process, in the directory of good.f90: exit code, stdout, stderr."""
    monkeypatch.chdir(good.parent)

    def called(*arguments: str) -> tuple[int, str, str]:
        with ends():
            code = main.main(arguments)
        return code, *capfd.readouterr()

    return called


@pytest.mark.parametrize("name", USAGE)
def test_unusable_command_line(name: str, here: Here) -> None:
    code, out, err = here(*USAGE[name])
    assert (code, out) == (2, "")
    assert re.fullmatch(r"([^\n]+: )?error: [^\n]+\n", err)


def test_unusable_command_line_in_its_own_process(good: Path) -> None:
    done = run(*USAGE["fixed and free"], cwd=good.parent)
    assert (done.returncode, done.stdout) == (2, "")
    expected = "error: argument --free: not allowed with argument --fixed; see snapset report --help\n"
    assert done.stderr == expected


NESTED = "".join(f"{'  ' * level}if (x > {level}) then\n" for level in range(1, 15))
BAD = {
    "unparsable": GOOD.replace("a = x*x", "a = x*(x"),
    "unparsable deep inside": GOOD.replace("  a = x*x\n", f"{NESTED}a = ) x\n" + "end if\n" * 14),
    "missing include": GOOD.replace("  a = x*x", "  include 'nowhere.inc'\n  a = x*x"),
    "unmatched start": GOOD.replace("  !$AD CHECKPOINT-END\n", ""),
    "unmatched end": GOOD.replace("  !$AD CHECKPOINT-START\n", ""),
    "crossing pragmas": GOOD.replace("  a = a*a\n", "  if (n > 1) then\n  a = a*a\n").replace(
        "  y = sum(a)\n", "  end if\n  y = sum(a)\n"
    ),
    "jump out": GOOD.replace("  a = a*a\n", "  if (n > 1) goto 9\n  a = a*a\n").replace("  y = sum", "9 y = sum"),
    "jump in": GOOD.replace("  a = x*x\n", "  a = x*x\n  if (n > 1) goto 9\n").replace("  a = a*a", "9 a = a*a"),
    "a procedure twice": GOOD + GOOD,
    "a unit without end": GOOD.replace("end subroutine f\n", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_unusable_fortran(name: str, here: Here) -> None:
    Path("bad.f90").write_text(BAD[name])
    code, out, err = here("report", "bad.f90", "--head", "f(x)>(y)")
    assert (code, out) == (2, "")
    assert re.fullmatch(LINE, err)
    assert err.startswith("bad.f90:")


@pytest.mark.parametrize("content", [b"", b"\x7fELF\x02\x01\x00\x00\xff\xfe" * 40, b"! only a comment\n"])
def test_files_without_fortran(content: bytes, here: Here) -> None:
    Path("bad.f90").write_bytes(content)
    code, out, err = here("report", "bad.f90", "--head", "f(x)>(y)")
    assert (code, out) == (2, "")
    assert re.fullmatch(r"[^\n]*error: [^\n]+\n", err)
    assert "bad.f90" in err or "no procedure" in err


def test_a_procedure_in_two_files(here: Here) -> None:
    Path("again.f90").write_text(GOOD)
    code, out, err = here("report", "good.f90", "again.f90", "--head", "f(x)>(y)")
    assert (code, out) == (2, "")
    assert re.fullmatch(LINE, err)
    assert "good.f90" in err
    assert "again.f90" in err


def test_without_a_head_the_procedures_are_listed(here: Here) -> None:
    code, out, err = here("report", "good.f90", str(BURGERS))
    assert (code, out) == (2, "")
    listed = re.fullmatch(r"error: no head given: [^\n]+; procedures found: ([^\n]+)\n", err)
    assert listed is not None
    assert sorted(re.findall(r"\w+\([^)]*\)", listed[1])) == ["burgers(u, n, nsteps, dt, cost)", "f(x, n, y)"]


def test_an_assumed_name_that_occurs_nowhere_is_said(here: Here) -> None:
    code, _, err = here("report", "good.f90", "--head", "f(x)>(y)", "--assume", "nn=5")
    assert (code, err) == (0, "note: --assume nn: no formula contains it; did you mean 'n'?\n")


def test_a_wrong_project_file_is_an_error_everywhere(here: Here) -> None:
    Path("snapset.toml").write_text("heads = 5\n")
    expected = "snapset.toml:1:1: error: heads must be a text or a list of texts\n"
    assert here("check") == here("report", "good.f90") == (2, "", expected)


# ---------------------------------------------------------------- pipes, disks, interrupts


def shell(command: str, good: Path) -> subprocess.CompletedProcess[str]:
    text = command.format(snapset=f"{sys.executable} -m snapset", good=good)
    return unhurried(subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=120, check=False))


def test_a_reader_that_stops(good: Path) -> None:
    done = shell("{snapset} report {good} --head 'f(x)>(y)' | true; echo ${{PIPESTATUS[0]}}", good)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize("command", ["report {good} --head 'f(x)>(y)'", "--help", "report --help"])
def test_a_full_disk(command: str, good: Path) -> None:
    done = shell(f"{{snapset}} {command} > /dev/full", good)
    assert (done.returncode, done.stderr) == (2, "error: No space left on device\n")


def test_a_closed_output(good: Path) -> None:
    done = shell("{snapset} report {good} --head 'f(x)>(y)' >&-", good)
    assert (done.returncode, done.stderr) == (2, "error: stdout is closed\n")


def test_an_output_that_knows_only_ascii(good: Path) -> None:
    done = run("report", good, "--head", "f(x)>(y)", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "?" not in done.stdout


def test_an_interrupt(monkeypatch: pytest.MonkeyPatch, here: Here) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "read_files", interrupted)
    assert here("report", "good.f90", "--head", "f(x)>(y)") == (130, "", "error: interrupted\n")


def test_a_run_that_takes_long_says_so_unless_quiet(monkeypatch: pytest.MonkeyPatch, here: Here) -> None:
    whole = session.read_files

    def slow(*arguments: Any, **options: Any) -> Any:
        time.sleep(0.3)
        return whole(*arguments, **options)

    monkeypatch.setattr(session, "read_files", slow)
    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, _, err = here("report", "good.f90", "--head", "f(x)>(y)")
    assert (code, err) == (0, "snapset: reading 1 file (0 s)\n")
    assert here("report", "good.f90", "--head", "f(x)>(y)", "--quiet")[2] == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    assert here("report", "good.f90", "--head", "f(x)>(y)")[2] == ""  # a log, another program: nothing


def test_how_much_is_done_and_when_the_rest_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setattr(progress.time, "monotonic", iter([100.0, 112.0]).__next__)
    with progress.Progress(False, told := Terminal()) as shown:
        shown.stage("3 of 12 heads analysed")
        shown.share(0.25)
        while not told.getvalue():
            time.sleep(0.01)
    assert told.getvalue() == "snapset: 3 of 12 heads analysed (25 %, 12 s, about 36 s more)\n"


def test_a_log_gets_ever_sparser_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long command only, and never with --quiet."""
    waits = list[float]()

    class Stop:
        def wait(self, seconds: float) -> bool:
            waits.append(seconds)
            return len(waits) > 3

    monkeypatch.setattr(progress.time, "monotonic", iter([0.0, 10.0, 20.0, 40.0, 80.0, 80.0]).__next__)
    shown = progress.Progress(False, told := io.StringIO(), piped=True)
    shown._stop = cast(Any, Stop())
    shown.stage("replaying binary, optimal, 40 leaves")
    shown.share(0.5)
    shown._watch()
    assert waits == [progress.PIPED, 10.0, 20.0, 40.0]
    first = told.getvalue().splitlines()[0]
    assert first == "snapset: replaying binary, optimal, 40 leaves (50 %, 10 s, about 10 s more)"
    for silent in (progress.Progress(True, io.StringIO(), piped=True), progress.Progress(False, io.StringIO())):
        assert silent._stream is None


def test_a_divided_run_tells_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = list[float]()
    monkeypatch.setattr(progress.Progress, "share", lambda self, done: shares.append(done))
    assert main.main(["divide", str(BURGERS), "--head", HEAD, "--set", "n=5", "--set", "nsteps=4", "--quiet",
                      "--leaf", "20"]) == 0
    assert shares == sorted(shares)
    assert len(shares) > 4
    assert (shares[0] > 0, shares[-1]) == (True, 1.0)
