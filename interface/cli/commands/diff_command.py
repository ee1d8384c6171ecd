"""``snapset diff REV1 REV2``: what parts save in one revision, compared with another; no work tree changes."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.check import check_output, finding_evidence, lock_comparison, lock_file
from snapset.check.causes import causes
from snapset.check.changed_lines import changed_files
from snapset.check.changes_since_lock import files_of, text_of
from snapset.check.revisions import Revision, revision
from snapset.cli.running import command_session
from snapset.config.settings import Settings, settle
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.render.layout.byte_figures import Figures

if TYPE_CHECKING:
    from snapset.frontend.ir import Program

HERE = "."
"""Stands for the files as they lie there, committed or not."""


@frozen
class _Before:
    """The older revision: its lock, the texts of its files, and what its figures were made with."""

    lock: lock_file.Lock
    texts: dict[str, str]
    figures: Figures


def run(parsed: Namespace, no_head: Callable[[Program], Exception]) -> tuple[str, int, tuple[str, ...]]:
    """What to print, the exit code, what to say on stderr. Raises InputError for whatever is unusable."""
    names = parsed.revisions
    if names[0] == HERE:
        raise InputError("the first revision is a commit; . (the files as they lie there) can only be the second")
    first = revision(names[0], Path.cwd())
    second = None if names[1] == HERE else revision(names[1], Path.cwd())
    with _inside(first):
        before = _before(parsed, no_head)
    with _inside(second):
        settings = _settled(parsed)
        with command_session.session_for(settings, no_head) as session:
            results, program = command_session.results_of(session, settings), session.program()
            figures = Figures(settings.assume)
            new = lock_file.lock_of(results, figures, Path())
            found = lock_comparison.compare(before.lock, results, new, program, _places(before.lock), True,
                                            new_head="new")
            session.stage("looking for what changed")
            found = finding_evidence.with_evidence(found, program, session.heads, results, settings.choices)
        changes = changed_files(files_of(settings.files, found), before.texts.get, text_of)
        checked = check_output.Checked(
            "diff", "..".join(names), len(results), sum(len(one.parts) for one in results), False, found,
            causes(found, changes), "", settings.files,
            check_output.cases_of(new))
        text = check_output.written(checked, parsed.format)
        said = notes(settings, program, figures.used | before.figures.used,
                     figures.contained | before.figures.contained)
    return text, int(bool(checked.causes)), (*(str(one) for one in found if one.kind == "renamed"), *said)


def _settled(parsed: Namespace) -> Settings:
    """The settings of the project file that lies there."""
    return settle(parsed, Path.cwd())


def _before(parsed: Namespace, no_head: Callable[[Program], Exception]) -> _Before:
    settings = _settled(parsed)
    with command_session.session_for(replace(settings, quiet=True), no_head) as session:
        results = command_session.results_of(session, settings)
        session.program()
    figures = Figures(settings.assume)
    lock = lock_file.lock_of(results, figures, Path())
    return _Before(lock, {file: text for file in settings.files if (text := text_of(file)) is not None}, figures)


@contextmanager
def _inside(one: Revision | None) -> Iterator[None]:
    """The files of a revision, and in them the folder that the user is in, as the current directory."""
    if one is None:
        yield
        return
    here = os.getcwd()
    folder = os.path.relpath(os.path.realpath(here), os.path.realpath(one.root))
    with one.written() as directory:
        target = directory / folder
        if not target.is_dir():
            raise InputError(f"{one.text} has no folder {folder}; run snapset diff where it has one")
        os.chdir(target)
        try:
            yield
        except InputError as error:
            raise InputError(f"{error.message} (in {one.text})", error.span) from None
        except OSError as error:
            raise InputError(f"{error.filename}: {error.strerror} (in {one.text})") from None
        finally:
            os.chdir(here)


def _places(lock: lock_file.Lock) -> lock_comparison.Place:
    """Where the older revision has its parts."""
    def place(head: str, key: str) -> Span:
        parts = lock[head].parts
        record = parts.get(key) or next(iter(parts.values()), None)
        file, _, lines = record.where.rpartition(":") if record is not None else ("-", "", "1")
        line = int(lines.split("-")[0])
        return Span(file, line, line)

    return place
