"""What lies below a directory that a project file would speak of: Fortran files, and files that build or differentiate.

Hidden folders, links, installations of Tapenade, and what was generated or copied are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from snapset.config.generated_sources import DISTRIBUTION, copies, generated
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.sources.files import FIXED_EXTENSIONS, PREPROCESSED_EXTENSIONS

EXTENSIONS = FIXED_EXTENSIONS | {one.lower() for one in PREPROCESSED_EXTENSIONS} | {".f90", ".f95", ".f03", ".f08"}
MOST_FILES = 50_000
"""Files looked at: a home directory is not searched through."""
LARGEST = 2**20
"""Bytes read of a file that builds."""

_SKIPPED = frozenset({"build", "_build", "dist", "node_modules", "venv", "env", "__pycache__", "cmake-build-debug"})
_BUILDS = pattern_of(r"(gnu)?makefile.*|.*\.(mk|mak|sh|py|cmake|yml|yaml|bat|csh)|CMakeLists\.txt|meson\.build",
                     re.IGNORECASE)  # fmt: skip
_DIRECTIVE = pattern_of(rb"^#\s*(if|ifdef|ifndef|include|define)\b", re.MULTILINE)


@frozen
class SourceTree:
    """``fortran``: the files to analyse; ``generated``: those that a tool made of others; ``copies``: those that define
    what others define; ``builds``: makefiles and scripts; ``texts``: of ``fortran``; ``preprocessed``: some file has
    lines for the preprocessor though its name does not say so. All relative to the directory. ``whole``: nothing was
    left out for there being too much."""

    fortran: tuple[str, ...]
    generated: tuple[str, ...]
    copies: tuple[str, ...]
    builds: tuple[str, ...]
    preprocessed: bool
    texts: tuple[bytes, ...] = ()
    whole: bool = True


def find_sources(directory: str) -> SourceTree:
    """Look through a directory and the folders below it."""
    texts: dict[str, bytes] = {}
    builds, count = [], 0
    for path in _files(directory):
        count += 1
        if count > MOST_FILES:
            break
        name = os.path.basename(path)
        if os.path.splitext(name)[1].lower() in EXTENSIONS:
            texts[path] = _beginning(os.path.join(directory, path))
        elif _BUILDS.fullmatch(name):
            builds.append(path)
    made = generated(texts)
    own = {path: text for path, text in texts.items() if path not in set(made)}
    twice = copies(own, directory)
    fortran = tuple(path for path in own if path not in set(twice))
    preprocessed = any(os.path.splitext(path)[1] not in PREPROCESSED_EXTENSIONS and _DIRECTIVE.search(own[path])
                       for path in fortran)
    return SourceTree(fortran, made, twice, tuple(builds), preprocessed, tuple(own[path] for path in fortran),
                      count <= MOST_FILES)


def _files(directory: str) -> Iterator[str]:
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _SKIPPED
                            and not os.path.isdir(os.path.join(folder, one, DISTRIBUTION)))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not os.path.islink(path) and os.path.isfile(path):
                yield os.path.relpath(path, directory)


def _beginning(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(LARGEST)
    except OSError:
        return b""


def patterns(tree: SourceTree) -> tuple[str, ...]:
    """The files as globs, ``src/**/*.f90`` for a folder and all below it; where that would take in what is generated,
    the files one by one."""
    found: dict[str, None] = {}
    for top, files in _by_top(tree.fortran):
        for extension in sorted({os.path.splitext(one)[1] for one in files}):
            unwanted = [one for one in (*tree.generated, *tree.copies)
                        if _is_below(one, top) and one.endswith(extension)]
            mine = [one for one in files if one.endswith(extension)]
            if unwanted:
                found |= dict.fromkeys(one.replace(os.sep, "/") for one in mine)
            else:
                found[f"{top}/**/*{extension}" if top else f"*{extension}"] = None
    return tuple(found)


def _by_top(files: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The files by the first folder on their way, "" for those that are in none."""
    tops: dict[str, list[str]] = {}
    for one in files:
        tops.setdefault(one.split(os.sep)[0] if os.sep in one else "", []).append(one)
    yield from tops.items()


def _is_below(path: str, top: str) -> bool:
    return path.startswith(top + os.sep) if top else os.sep not in path


def folders_of_includes(files: Iterable[str], directory: str) -> tuple[str, ...]:
    """The folders that hold what INCLUDE and #include name, where that is not beside the file."""
    wanted: set[str] = set()
    for file in files:
        text = _beginning(os.path.join(directory, file)).decode(errors="replace")
        for match in re.finditer(r"""^\s*#?\s*include\s*['"]([^'"\n]+)['"]""", text, re.MULTILINE | re.IGNORECASE):
            if not os.path.exists(os.path.join(directory, os.path.dirname(file), match[1])):
                wanted.add(match[1])
    found: dict[str, None] = {}
    for path in _files(directory) if wanted else ():
        for name in wanted:
            if path == name or path.endswith(os.sep + name):
                found[path[: -len(name)].rstrip(os.sep).replace(os.sep, "/") or "."] = None
    return tuple(found)
