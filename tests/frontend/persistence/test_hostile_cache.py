"""A cache that somebody else wrote into, moved entries in, or planted: it is not believed, and nothing is deleted."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.cli import main
from snapset.frontend.persistence import cache_file
from snapset.frontend.persistence import disk_cache as module
from snapset.frontend.persistence.disk_cache import Cache, open_cache
from snapset.frontend.persistence.entry_seal import VARIABLE, NoSecretError, Seal, secret_file, users_seal
from snapset.frontend.persistence.serialization import pack

from tests.support.corpus import CORPUS

FILE, HEAD = str(CORPUS / "burgers_region.f90"), "burgers(u)>(cost)"
KEY, OTHER = b"k" * 20, b"o" * 20


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's configuration, empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path / "config"


def stored(directory: Path, values: dict[bytes, object]) -> Path:
    """A cache with these values; its file."""
    cache = open_cache(directory)
    for key, value in values.items():
        cache.put(key, value)
    cache.close()
    (path,) = directory.glob("*.sqlite")
    return path


def said(directory: Path, key: bytes = KEY) -> tuple[object, str]:
    """What is found under a key, and the trouble."""
    cache = open_cache(directory)
    return cache.get(key), cache.trouble or ""


# ---------------------------------------------------------------- entries


def test_an_entry_is_bound_to_its_key(tmp_path: Path) -> None:
    """At the time a checksum covered the value alone, the answer for one program could be put under another one."""
    path = stored(tmp_path, {KEY: "mine", OTHER: "other"})
    with sqlite3.connect(path) as connection:
        (value,) = connection.execute("select value from entry where key = ?", (OTHER,)).fetchone()
        connection.execute("update entry set value = ? where key = ?", (value, KEY))
    found, trouble = said(tmp_path)
    assert found is None
    assert "a checksum is wrong" in trouble


def test_an_entry_that_another_wrote_is_not_believed(tmp_path: Path) -> None:
    """Whoever can write the file can compute any checksum that needs no secret."""
    path = stored(tmp_path, {KEY: "mine"})
    data = pack("poison")
    forged = [hashlib.blake2b(data, digest_size=16).digest() + data, Seal(b"").close(KEY, data),
              Seal(b"s" * 32).close(KEY, data), data, b""]  # fmt: skip
    for one in forged:
        with sqlite3.connect(path) as connection:
            connection.execute("update entry set value = ? where key = ?", (one, KEY))
        assert said(tmp_path)[0] is None


def test_poison_costs_time_and_not_the_answer(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """All of a real run's entries replaced by those of another user, whose program has the same text."""

    def report() -> str:
        assert main.main(["report", FILE, "--head", HEAD, "--cache-dir", str(tmp_path / "cache")]) == 0
        return capfd.readouterr().out

    first = report()
    (path,) = (tmp_path / "cache").glob("*.sqlite")
    seal = Seal(b"another's secret, of 32 bytes .." )
    with sqlite3.connect(path) as connection:
        for (key,) in connection.execute("select key from entry").fetchall():
            connection.execute("update entry set value = ? where key = ?",
                               (seal.close(key, pack(("poison", frozenset()))), key))
    assert report() == first
    with sqlite3.connect(path) as connection:
        values = [value for (value,) in connection.execute("select value from entry")]
    assert pack(("poison", frozenset())) not in {value[16:] for value in values}  # and is replaced


def test_a_cache_carried_elsewhere_needs_the_secret(
    tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a CI service does that restores a cache on a fresh machine."""
    monkeypatch.setenv(VARIABLE, "a secret of the project's CI, 32 characters")
    stored(tmp_path / "cache", {KEY: "mine"})
    assert not config.exists()
    assert said(tmp_path / "cache") == ("mine", "")
    monkeypatch.setenv(VARIABLE, "another secret of 32 characters, or more")
    assert said(tmp_path / "cache")[0] is None


# ---------------------------------------------------------------- the secret


def test_the_secret_is_the_users_alone(tmp_path: Path, config: Path) -> None:
    stored(tmp_path / "cache", {KEY: 1})
    assert secret_file() == config / "snapset" / "cache.key"
    assert secret_file().stat().st_mode & 0o777 == 0o600
    assert secret_file().parent.stat().st_mode & 0o777 == 0o700
    assert len(secret_file().read_bytes()) == 32
    assert [one.name for one in secret_file().parent.iterdir()] == ["cache.key"]
    assert users_seal() == users_seal()


BAD_SECRETS: dict[str, Callable[[Path], object]] = {
    "others may read it": lambda path: path.chmod(0o644),
    "a link": lambda path: (path.rename(path.with_name("real")), path.symlink_to("real")),
    "a directory": lambda path: (path.unlink(), path.mkdir()),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path, 0o600)),
    "short": lambda path: path.write_bytes(b"short"),
    "long": lambda path: path.write_bytes(b"x" * 33),
}


@pytest.mark.parametrize("kind", BAD_SECRETS)
def test_a_secret_that_is_none_keeps_the_cache_closed(kind: str, tmp_path: Path) -> None:
    stored(tmp_path / "cache", {KEY: "mine"})
    BAD_SECRETS[kind](secret_file())
    found, trouble = said(tmp_path / "cache")
    assert found is None
    assert re.fullmatch(rf"no cache in .*: no secret of yours: .*cache.key: .+; set {VARIABLE} to .*; the answer .*",
                        trouble)
    with pytest.raises(NoSecretError):
        users_seal()


def test_a_configuration_that_cannot_be_written(tmp_path: Path, config: Path) -> None:
    config.write_text("a file")
    assert said(tmp_path / "cache")[0] is None
    assert "no secret of yours" in said(tmp_path / "cache")[1]


def test_a_secret_that_is_too_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1234")
    assert "fewer than 32 characters" in said(tmp_path / "cache")[1]


def test_a_user_without_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "SNAPSET_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert module.default_directory() is None
    assert "Could not determine home directory" in said(tmp_path / "cache")[1]


# ---------------------------------------------------------------- files


def of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("create table notes (text)")
        connection.execute("insert into notes values ('precious')")
    os.utime(path, (0, 0))


def test_files_of_other_programs_stay(tmp_path: Path) -> None:
    """``--cache-dir .``, of all places: whatever is there is older than 30 days."""
    names = ["browser.sqlite", "snapset.sqlite", "0123456789abcdef01234567.sqlite", "snapset-notes.sqlite",
             f"snapset-{'a' * 24}.sqlite", f"snapset-{'a' * 24}.sqlite.old"]  # fmt: skip
    for name in names:
        of_another_program(tmp_path / name)
    (tmp_path / f"snapset-{'b' * 24}.sqlite").write_bytes(b"")
    os.utime(tmp_path / f"snapset-{'b' * 24}.sqlite", (0, 0))
    tmp_path.chmod(0o700)
    cache = open_cache(tmp_path)
    cache.put(KEY, 1)
    cache.close()
    assert cache.trouble is None
    for name in names:
        with sqlite3.connect(tmp_path / name) as connection:
            assert connection.execute("select text from notes").fetchall() == [("precious",)]
    assert (tmp_path / f"snapset-{'b' * 24}.sqlite").exists()


def test_an_old_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "version", lambda: "a" * 24)
    old = stored(tmp_path / "elsewhere", {KEY: 1})
    os.utime(old, (0, 0))
    (tmp_path / "cache").mkdir(mode=0o700)
    (tmp_path / "cache" / old.name).symlink_to(old)
    monkeypatch.setattr(module, "version", lambda: "b" * 24)
    stored_there = open_cache(tmp_path / "cache")
    assert stored_there.trouble is None
    assert old.exists()
    assert (tmp_path / "cache" / old.name).is_symlink()


def planted(directory: Path, make: Callable[[Path], object]) -> tuple[Cache, Path]:
    """A cache where something else has the place of its file."""
    directory.mkdir(mode=0o700)
    path = directory / cache_file.file_name(module.version())
    make(path)
    cache = open_cache(directory)
    cache.put(KEY, 1)
    cache.close()
    return cache, path


def test_a_file_of_another_program_is_not_written(tmp_path: Path) -> None:
    cache, path = planted(tmp_path / "cache", of_another_program)
    assert "it is no cache of snapset's" in (cache.trouble or "")
    with sqlite3.connect(path) as connection:
        assert connection.execute("select name from sqlite_master").fetchall() == [("notes",)]


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    cache, path = planted(tmp_path / "cache", lambda path: path.symlink_to(target))
    assert "it is no file of yours" in (cache.trouble or "")
    assert path.is_symlink()
    assert target.read_text() == "precious"


@pytest.mark.parametrize("schema", [
    ["create view entry as with recursive n(i) as (select 1 union all select i + 1 from n) "
     "select x'00' as key, i as value, 0 as used from n"],
    ["create table entry (key blob primary key, value blob, used integer)",
     "create trigger t after insert on entry begin delete from entry; end"],
    ["create table entry (key blob primary key, value blob default (randomblob(9)), used integer)"],
])  # fmt: skip
def test_a_schema_that_is_not_ours_is_not_used(schema: list[str], tmp_path: Path) -> None:
    """A view computes what its author likes, for as long as he likes."""

    def make(path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute(f"pragma application_id = {cache_file.MAGIC}")
            for one in schema:
                connection.execute(one)

    cache, _ = planted(tmp_path / "cache", make)
    assert "it is no cache of snapset's" in (cache.trouble or "")


def test_only_our_name_is_removed(tmp_path: Path) -> None:
    """Also where the file is damaged."""
    odd = tmp_path / "other.sqlite"
    odd.write_bytes(b"x" * 5000)
    with pytest.raises(cache_file.NotOursError):
        cache_file.remove(odd)
    assert odd.exists()
    cache, path = planted(tmp_path / "cache", lambda path: path.write_bytes(b"x" * 5000))
    assert "is removed" in (cache.trouble or "")
    assert not path.exists()


def test_a_whole_cache_copied_from_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "others"))
    theirs = stored(tmp_path / "theirs", {KEY: "poison"})
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "mine"))
    (tmp_path / "cache").mkdir(mode=0o700)
    shutil.copy(theirs, tmp_path / "cache")
    assert said(tmp_path / "cache")[0] is None
