"""What git knows: revisions, the text of a file in one, all files of one in a directory of their own.

Only objects are read (rev-parse, log, ls-tree, cat-file): neither the work tree nor the index is touched, and no
filter, hook or attribute of the repository runs.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

LARGEST = 64 * 2**20
"""Bytes of a file that is written out: sources are smaller, data may not be."""
_FILE, _LINK = ("100644", "100755", "100664"), "120000"


@frozen
class Revision:
    """A commit of the repository at ``root``; ``text`` is what the user called it."""

    root: Path
    text: str
    commit: str

    def file(self, path: str | Path) -> str | None:
        """The text of a file, named as seen from the current directory; None where the revision has none."""
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(self.root))
        found = _git(self.root, "cat-file", "blob", f"{self.commit}:{inside}")
        return None if found is None else found.decode(errors="surrogateescape")

    @contextmanager
    def written(self) -> Iterator[Path]:
        """All its files in a temporary directory, which is a repository's root to those who look for one."""
        with tempfile.TemporaryDirectory(prefix="snapset-") as name:
            directory = Path(name)
            (directory / ".git").mkdir()
            self._write(directory)
            yield directory

    def _write(self, directory: Path) -> None:
        listed = _git(self.root, "ls-tree", "-r", "-l", "-z", self.commit) or b""
        entries: list[tuple[str, str, PurePosixPath]] = []
        for entry in filter(None, listed.split(b"\0")):
            about, _, name = entry.partition(b"\t")
            mode, _, sha, size = about.decode().split()
            path = PurePosixPath(os.fsdecode(name))
            unsafe = path.is_absolute() or not {"..", ".git"}.isdisjoint(path.parts)
            if mode in (*_FILE, _LINK) and size.isdecimal() and int(size) <= LARGEST and not unsafe:
                entries.append((mode, sha, path))
        for (mode, _, path), data in zip(entries, self._blobs([sha for _, sha, _ in entries]), strict=True):
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if mode == _LINK:
                target.symlink_to(os.fsdecode(data))
            else:
                target.write_bytes(data)

    def _blobs(self, names: list[str]) -> Iterator[bytes]:
        """Their contents, from one process."""
        if not names:
            return
        asked = "".join(f"{name}\n" for name in names).encode()
        with tempfile.TemporaryFile() as wanted:
            wanted.write(asked)
            wanted.seek(0)
            with subprocess.Popen(["git", "cat-file", "--batch"], cwd=self.root, stdin=wanted, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL) as process:
                assert process.stdout is not None
                for name in names:
                    head = process.stdout.readline().split()
                    if len(head) != 3:
                        raise InputError(f"{self.text}: git cannot read {name}; is the repository whole (git fsck)?")
                    yield process.stdout.read(int(head[2]))
                    process.stdout.read(1)


def repository_of(directory: Path) -> Path | None:
    """The root of the git repository that a directory is in; None without one, or without git."""
    found = _git(directory, "rev-parse", "--show-toplevel")
    return Path(os.fsdecode(found.rstrip(b"\n"))) if found else None


def revision(text: str, directory: Path) -> Revision:
    """Raises InputError outside of a repository, and for what is no revision of it."""
    root = repository_of(directory)
    if root is None:
        raise InputError("not in a git repository (or git is not installed): revisions are git's; run it in a clone")
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{text}^{{commit}}")
    if not commit:
        raise InputError(f"{text}: no revision of this repository; try HEAD~1, a tag, or a branch (git log --oneline), "
                         "and in a shallow clone git fetch --unshallow first")
    return Revision(root, text, commit.decode().strip())


def last_change(path: Path) -> Revision | None:
    """The commit that last changed a file, if git knows one."""
    root = repository_of(path.parent)
    if root is None:
        return None
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    found = _git(root, "log", "-1", "--format=%H", "--", f":(literal){inside}")
    commit = found.decode().strip() if found else ""
    return Revision(root, commit[:10], commit) if commit else None


def _git(directory: Path, *arguments: str) -> bytes | None:
    """What git prints; None where it fails, or is not there."""
    with suppress(OSError):
        done = subprocess.run(["git", "--no-replace-objects", *arguments], cwd=directory, capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)
        return done.stdout if done.returncode == 0 else None
    return None
