"""Which files may be read because a source file says so: those of the project, and of directories the user named.

``include '/etc/shadow'`` in a stranger's pull request is answered as if there was no such file: nothing of it is read,
and nothing of it can stand in a message. What the user gives (files, ``-I``) is the user's wish.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from snapset.frontend.base.frozen_records import frozen


@frozen
class Tree:
    """What the source file ``path`` may draw in: regular files below its own directory, the current one, those in
    ``include_dirs``, or the root of its repository; links resolved, and nothing hidden below these, such as ``.git``.
    """

    path: str
    include_dirs: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """May this file be read?"""
        real = os.path.realpath(path)
        if not os.path.isfile(real):
            return False
        own = os.path.dirname(os.path.abspath(self.path))
        if any(is_below(real, root) for root in (own, *self.include_dirs, os.curdir)):
            return True
        root = repository(own)
        return root is not None and is_below(real, root)

    def holds_itself(self) -> bool:
        """Is the file not a link that leads out of all this?"""
        return not os.path.islink(self.path) or not os.path.exists(self.path) or self.holds(self.path)


def is_below(real: str, root: str) -> bool:
    """Is the resolved path a directory or below it, and not hidden there?"""
    inside = pieces(real, root)
    return inside is not None and not any(piece.startswith(".") for piece in inside)


def pieces(real: str, root: str) -> tuple[str, ...] | None:
    """The names that lead from a directory to the resolved path; None where it is not the directory or below it."""
    inside = os.path.relpath(real, os.path.realpath(root)).split(os.sep)
    return None if inside[0] == os.pardir else () if inside == [os.curdir] else tuple(inside)


def repository(start: str) -> str | None:
    """The root of the repository that a directory is in; None outside of any.

    A ``.git`` counts that belongs to the owner of the directory, to the user, or to the system's administrator: on a
    shared machine anyone can make one in ``/tmp``.
    """
    start = os.path.abspath(start)
    trusted: frozenset[int] | None = None
    for directory in ancestors(start):
        found = _owner(os.path.join(directory, ".git"))
        if found is None:
            continue
        trusted = trusted or owners(start)
        if found in trusted:
            return directory
    return None


def ancestors(start: str) -> Iterable[str]:
    """A directory and those above it."""
    while True:
        yield start
        above = os.path.dirname(start)
        if above == start:
            return
        start = above


def owners(directory: str) -> frozenset[int]:
    """Whose files are trusted from a directory on: its owner's, the user's, the administrator's."""
    own = _owner(directory)
    user = os.getuid() if hasattr(os, "getuid") else 0
    return frozenset({0, user} if own is None else {0, user, own})


def belongs(path: str, to: frozenset[int]) -> bool:
    """Is this, not followed as a link, one of these owners'?"""
    return _owner(path) in to


def _owner(path: str) -> int | None:
    try:
        return os.lstat(path).st_uid
    except OSError:
        return None


def is_special(path: str) -> bool:
    """Is there something that is neither a file nor a directory: a device, a pipe?"""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
