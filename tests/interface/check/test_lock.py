"""The lock file: its text, that it reads back as written, and one line with its place when it is corrupt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from snapset.check import lock_file
from snapset.check.lock_file import dumps, keys, load, lock_of, save
from snapset.frontend.base.diagnostics import InputError
from snapset.render.layout.byte_figures import Figures

from tests.support.interface.results import LAZY, PART, RESULT

LAZY_ONLY = replace(RESULT, parts=(replace(PART, solutions={"lazy": LAZY}),), strategies=("lazy",))
TEXT = """\
# What the adjoint saves at each checkpoint. Written by `snapset check --update`; commit it.
format = "snapset.lock/1"

["burgers(u)>(cost)"]
diagnostics = ["SN205"]

["burgers(u)>(cost)"."burgers, part 1"]  # burgers_region.f90:14-19
req = []
out_c = ["flux", "u"]
out_dbar = ["cost", "nu", "u"]
out_cbar = ["flux", "u"]
use_cbar = ["dt", "n", "nu", "u"]
diagnostics = ["SN101"]
lazy.snp = { u = "8*n" }
lazy.sbk = {}
lazy.tape_d = { cost = "unknown", nu = "8*nsteps" }
lazy.tape_c = {}
lazy.req_d = ["nu"]
lazy.req_c = []
lazy.snapshot_bytes = "8*n"
lazy.control_d = 4
lazy.control_c = 0
"""


def test_text() -> None:
    assert dumps(lock_of([LAZY_ONLY], Figures(), Path())) == TEXT


def test_reads_back_as_written(tmp_path: Path) -> None:
    odd = replace(LAZY, snp=("c%p", "/blk/x", 'mod::"y"'), sizes={}, peak_bytes=LAZY.snapshot_bytes)
    part = replace(PART, solutions={"lazy": LAZY, "Opt1+=a,b;Opt3+=*": odd})
    made = lock_of([replace(RESULT, parts=(part,)), replace(RESULT, head="f(x)>(y)", parts=())], Figures(), tmp_path)
    path = tmp_path / "snapset.lock"
    save(path, made)
    read = load(path)
    assert [(head, list(one.parts)) for head, one in sorted(read.items())] == \
        [(head, list(one.parts)) for head, one in sorted(made.items())]
    (one,), (other,) = (lock["burgers(u)>(cost)"].parts.values() for lock in (read, made))
    assert read["burgers(u)>(cost)"].diagnostics == ("SN205",)
    assert replace(one, where="") == replace(other, where="")


def test_keys_do_not_depend_on_lines() -> None:
    second = replace(PART, id="burgers@40", first_line=40, last_line=41)
    call = replace(PART, id="burgers@50", kind="call", callee="step", first_line=50, last_line=50)
    named = {key: part.id for key, part in keys([call, second, PART]).items()}
    expected = {
        "burgers, part 1": "burgers@14",
        "burgers, part 2": "burgers@40",
        "burgers, call of step 1": "burgers@50",
    }
    assert named == expected


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "snapset.lock"
    path.write_text(TEXT)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(lock_file.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(path, {})
    assert path.read_text() == TEXT
    assert [one.name for one in tmp_path.iterdir()] == ["snapset.lock"]


CORRUPT = {
    "not TOML": (TEXT.replace('{ u = "8*n" }', "{ u = "), "14:1"),
    "a merge": (TEXT.replace("req = []", "<<<<<<< mine"), "8:1"),
    "another format": (TEXT.replace("lock/1", "lock/9"), "2:1"),
    "no format": (TEXT.replace("format", "# format"), "1:1"),
    "a set that is a text": (TEXT.replace('["nu"]', '"nu"'), "18:1"),
    "bytes that are a flag": (TEXT.replace('u = "8*n"', "u = true"), "14:1"),
    "an unknown set": (TEXT.replace("lazy.sbk", "lazy.sbx"), "15:1"),
    "a figure that is a list": (TEXT.replace("control_d = 4", "control_d = [4]"), "21:1"),
    "a strategy that is a number": (TEXT + "eager = 4\n", "23:1"),
    "a head that is a number": (TEXT.replace("format", '"f(x)>(y)" = 3\nformat'), "2:1"),
    "reasons that are a number": (TEXT.replace("req = []", "req = 1"), "8:1"),
    "warnings that are a text": (TEXT.replace('["SN205"]', '"SN205"'), "5:1"),
    "one of a newer snapset": (TEXT.replace("lock/1", "lock/2"), "2:1"),
}


@pytest.mark.parametrize("name", CORRUPT)
def test_corrupt(name: str, tmp_path: Path) -> None:
    text, place = CORRUPT[name]
    path = tmp_path / "snapset.lock"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load(path)
    line = place.split(":")[0]
    assert str(caught.value).startswith(f"{path}:{line}:")
    assert "error: " in str(caught.value)
