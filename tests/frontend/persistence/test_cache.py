"""The cache on disk: what it must survive. The answer never changes, and one line says what went wrong."""

from __future__ import annotations

import errno
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.results import HeadResult
from snapset.cli import main
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.persistence import cache_file
from snapset.frontend.persistence import disk_cache as module
from snapset.frontend.persistence.disk_cache import default_directory, no_cache, open_cache
from snapset.frontend.persistence.serialization import pack
from snapset.library.session import Session

from tests.support.corpus import CORPUS

FILE, HEAD = str(CORPUS / "burgers_region.f90"), "burgers(u)>(cost)"
KEY = b"k" * 20
Run = Callable[..., tuple[str, str]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """``snapset report`` with a cache of its own: stdout and stderr."""
    monkeypatch.setattr("snapset.cli.running.progress.PATIENCE", 1e6)

    def called(*more: str) -> tuple[str, str]:
        chosen = [] if "--no-cache" in more or "--cache-dir" in more else ["--cache-dir", str(tmp_path / "cache")]
        assert main.main(["report", FILE, "--head", HEAD, *chosen, *more]) == 0
        out, err = capfd.readouterr()
        return out, err

    return called


def stored(directory: Path) -> Path:
    (path,) = directory.glob("*.sqlite")
    return path


# ---------------------------------------------------------------- commands


def test_a_second_run_computes_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run()

    def computed(*arguments: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr("snapset.frontend.load.load_units", computed)
    monkeypatch.setattr("snapset.library.session.Session.each", computed)
    assert run() == first
    assert first[1] == ""


def test_without_a_cache_nothing_is_kept(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--no-cache") == run()
    assert (tmp_path / "cache").exists()
    other = tmp_path / "other"
    monkeypatch.setenv("SNAPSET_CACHE_DIR", str(other))
    run("--no-cache")
    assert not other.exists()


def test_other_options_have_another_answer(run: Run) -> None:
    narrow, _ = run("--assume", "n=10")
    assert narrow != run()[0]
    assert run("--format", "json")[0].startswith("{")


@pytest.mark.parametrize(("message", "again"), [("not understood: `y = 0.25 * x[2]`", False), ("not understood", True)])
def test_what_quotes_a_constant_is_for_that_constant(message: str, again: bool, tmp_path: Path) -> None:
    path, head = tmp_path / "a.f90", parse_heads("f(x)>(y)")
    text = "subroutine f(x, y)\n  real(8) :: x, y\n  y = x * 0.25d0\nend subroutine f\n"
    said = HeadResult("f(x)>(y)", (), ("lazy",), (Diagnostic("SN202", "warning", message, Span("a.f90", 1, 1)),))

    def session() -> Session:
        return Session((str(path),), head, cache=open_cache(tmp_path / "cache"))

    path.write_text(text)
    first = session()
    first.store("answer", "stored", [said])
    first.cache.close()
    assert session().stored("answer") == "stored"
    path.write_text(text.replace("0.25", "0.75"))
    assert session().stored("answer") == ("stored" if again else None)


def test_the_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SNAPSET_CACHE_DIR", str(tmp_path / "a"))
    assert default_directory() == tmp_path / "a"
    monkeypatch.delenv("SNAPSET_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert default_directory() == tmp_path / "b" / "snapset"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_directory() == tmp_path / ".cache" / "snapset"


def test_it_is_nobody_elses(tmp_path: Path) -> None:
    open_cache(tmp_path / "cache")
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


def test_a_directory_others_can_write_in_is_not_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    out, err = run()
    assert out == run("--no-cache")[0]
    assert re.fullmatch(r"note: no cache in .*: others can write there; .*\n", err)
    assert not list((tmp_path / "cache").iterdir())


def test_quiet_says_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert run("--quiet")[1] == ""


# ---------------------------------------------------------------- what goes wrong

BAD_FILES = {
    "no database": lambda path: path.write_bytes(b"x" * 5000),
    "empty": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:6000]),
    "other bytes in the middle": lambda path: path.write_bytes(
        path.read_bytes()[:4096] + bytes(255 - b for b in path.read_bytes()[4096:])),
    "a directory": lambda path: (path.unlink(), path.mkdir()),
    "another table": lambda path: (path.unlink(), sqlite3.connect(path).execute("create table entry (a)")),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_damaged_file(kind: str, run: Run, tmp_path: Path) -> None:
    first, _ = run()
    BAD_FILES[kind](stored(tmp_path / "cache"))
    again, said = run()
    assert again == first
    assert re.fullmatch(r"(note: [^\n]*\n)?", said)
    assert said or kind == "empty"
    assert run()[0] == first


def test_every_byte_of_every_value_counts(run: Run, tmp_path: Path) -> None:
    first, _ = run()
    path = stored(tmp_path / "cache")
    with sqlite3.connect(path) as connection:
        for key, value in connection.execute("select key, value from entry").fetchall():
            at = len(value) // 2
            changed = value[:at] + bytes((value[at] ^ 1,)) + value[at + 1 :]
            connection.execute("update entry set value = ? where key = ?", (changed, key))
    again, said = run()
    assert again == first
    assert re.fullmatch(r"note: .* is damaged \(a checksum is wrong\); what it held is computed again\n", said)
    assert run() == (first, "")  # and stored again


def test_a_directory_that_cannot_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    out, err = run()
    assert out == run("--no-cache")[0]
    assert re.fullmatch(r"note: no cache in .*: .*; the answer is the same, it only takes longer\n", err)


def test_a_read_only_directory(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is used; what is new is not kept. (Mode bits would not stop root.)"""
    first = run()
    size = stored(tmp_path / "cache").stat().st_size
    monkeypatch.setattr(module, "_writable", lambda path: False)
    assert run() == first
    out, err = run("--assume", "n=10")
    assert out == run("--no-cache", "--assume", "n=10")[0]
    assert re.fullmatch(r"note: .* cannot be used \(attempt to write a readonly database\); .*\n", err)
    assert stored(tmp_path / "cache").stat().st_size == size


def test_an_empty_read_only_directory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_writable", lambda path: False)
    out, err = run()
    assert out == run("--no-cache")[0]
    assert re.fullmatch(r"note: .* cannot be used \(unable to open database file\); .*\n", err)


def test_a_full_disk(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite reports ENOSPC as it reports the end of the room given to it here."""
    connect = cache_file.connect

    def small(path: Path, writable: bool) -> sqlite3.Connection:
        connection = connect(path, writable)
        connection.execute("pragma max_page_count = 1")
        return connection

    first = run("--no-cache")[0]
    monkeypatch.setattr(cache_file, "connect", small)
    monkeypatch.setattr(module, "pack", lambda value, home: pack(value, home) + bytes(50_000))
    out, err = run()
    assert out == first
    assert re.fullmatch(r"note: .* cannot be used \(database or disk is full\); .*\n", err)
    monkeypatch.undo()
    assert run() == (first, "")


def test_a_disk_that_is_full_from_the_start(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    first = run("--no-cache")[0]
    monkeypatch.setattr(module, "_make", full)
    out, err = run()
    assert out == first
    assert "No space left on device" in err


def test_another_run_that_holds_the_lock(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_file, "PATIENCE", 0.01)
    first, _ = run()
    with sqlite3.connect(stored(tmp_path / "cache"), isolation_level=None) as other:
        other.execute("begin exclusive")
        out, err = run("--assume", "n=10")
        other.execute("rollback")
    assert out == run("--assume", "n=10", "--no-cache")[0]
    assert re.fullmatch(r"note: .* cannot be used \(database is locked\); .*\n", err)
    assert run() == (first, "")


WRITER = """
import signal
import sys
from pathlib import Path
from snapset.frontend.persistence.disk_cache import open_cache
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
cache = open_cache(Path(sys.argv[1]))
number = 0
while True:
    for _ in range(20):
        number += 1
        cache.put(b"%020d" % number, ("value", number) * 500)
    cache.close()
    if cache.trouble is None:
        print(number, flush=True)
    else:  # the other one had it for too long: again
        number -= 20
        cache = open_cache(Path(sys.argv[1]))
"""


def ended(run: subprocess.Popen[bytes], how: signal.Signals) -> bytes:
    """What it said till it ended. Python drops a KeyboardInterrupt that comes in a destructor: one asks again, then."""
    while True:
        try:
            return run.communicate(timeout=20)[0]
        except subprocess.TimeoutExpired:
            run.send_signal(how)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_runs_that_are_interrupted_while_they_share_a_cache(how: signal.Signals, tmp_path: Path) -> None:
    """What a run said it stored is there; whatever else is there is whole."""
    runs = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "cache")], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL) for _ in range(2)]  # fmt: skip
    said = []
    for one in runs:
        assert one.stdout is not None
        said.append(int(one.stdout.readline()))
    time.sleep(0.05)
    for one in runs:
        one.send_signal(how)
    for number, one in enumerate(runs):
        out = ended(one, how)
        said[number] = max(map(int, out.split()), default=said[number])
    cache = open_cache(tmp_path / "cache")
    found = {number: cache.get(b"%020d" % number) for number in range(1, max(said) + 21)}
    assert all(value in (None, ("value", number) * 500) for number, value in found.items())
    assert all(found[number] is not None for number in range(1, max(said) + 1))
    assert cache.trouble is None
    cache.put(KEY, 1)
    cache.close()
    assert cache.get(KEY) == 1


def test_two_runs_side_by_side(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "snapset", "report", FILE, "--head", HEAD, "--cache-dir", str(tmp_path / "cache")]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [one.communicate(timeout=60) for one in runs]
    assert answers[0][0]
    assert {out for out, _ in answers} == {answers[0][0]}
    assert "note:" not in "".join(err for _, err in answers)


# ---------------------------------------------------------------- values


def test_what_is_put_is_there_before_and_after_it_is_written(tmp_path: Path) -> None:
    cache = open_cache(tmp_path / "cache")
    assert cache.get(KEY) is None
    cache.put(KEY, {"a": (1, 2.5, None)})
    assert cache.get(KEY) == {"a": (1, 2.5, None)}
    cache.close()
    assert open_cache(tmp_path / "cache").get(KEY) == {"a": (1, 2.5, None)}


def test_no_cache_holds_nothing() -> None:
    cache = no_cache()
    cache.put(KEY, 1)
    assert cache.get(KEY) is None
    cache.close()


def test_what_is_nested_too_deeply_is_not_kept(tmp_path: Path) -> None:
    value: tuple[object, ...] = ()
    for _ in range(100_000):
        value = (value,)
    cache = open_cache(tmp_path / "cache")
    cache.put(KEY, value)
    assert cache.get(KEY) is None


def test_the_oldest_goes_when_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 200_000)
    now = [1000]
    monkeypatch.setattr(cache_file, "now", lambda: now[0])
    for number in range(10):
        now[0] += 1
        cache = open_cache(tmp_path / "cache")
        cache.put(b"%020d" % number, os.urandom(30_000))
        if number:
            assert cache.get(b"%020d" % 0) is not None  # used by every run
        cache.close()
    kept = [number for number in range(10) if open_cache(tmp_path / "cache").get(b"%020d" % number) is not None]
    assert 0 in kept
    assert 9 in kept
    assert 1 not in kept


def test_files_of_other_versions_go_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(letter: str) -> Path:
        monkeypatch.setattr(module, "version", lambda: letter * 24)
        cache = open_cache(tmp_path / "cache")
        cache.put(KEY, letter)
        cache.close()
        return tmp_path / "cache" / f"snapset-{letter * 24}.sqlite"

    old, new = version("a"), version("b")
    os.utime(old, (0, 0))
    version("c")
    assert not old.exists()
    assert new.exists()


def test_other_code_has_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    before = module.code_version()
    assert module.code_version() == before == module.version()
    add = module._add_file
    monkeypatch.setattr(module, "_add_file", lambda found,
                        path: add(found, __file__ if "expression_parser" in path else path))
    assert module.code_version() != before
    assert module.version() == before  # of the code that runs
