"""``snapset init``: a first project file, of what lies in a directory."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snapset import atomic_file
from snapset.config.generated_sources import used_macros
from snapset.config.project_file import discover
from snapset.config.source_tree import LARGEST, SourceTree, find_sources, folders_of_includes, patterns
from snapset.config.tapenade_commands import FoundHead, TapenadeUse, tapenade_use
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.visible_text import visible_line

if TYPE_CHECKING:
    from snapset.documents.starting.init_documents import InitDocument

FILE = "snapset.toml"
_NAMED = 4  # files left out that are named
_EXAMPLE = '# heads = ["module%procedure(x)>(cost)"]   # what to differentiate: procedure(independents)>(dependents)'


def run(parsed: Namespace, directory: Path) -> str:
    """What to print. Writes the project file unless it is only to be printed.

    Raises InputError where there is a project file already, or no Fortran.
    """
    known = discover(directory)
    if known is not None and not parsed.only_print:
        raise InputError(f"{known.file}: there is a project file already; change it, or see snapset init --print")
    path = directory / FILE
    if path.exists() and not parsed.only_print:
        raise InputError(f"{FILE}: exists already; remove it first, or see snapset init --print")
    tree = find_sources(str(directory))
    if not tree.fortran:
        raise InputError("no Fortran files here or in the folders below; go where they are")
    uses = [tapenade_use(file, _text(directory / file)) for file in tree.builds]
    include_paths = folders_of_includes(tree.fortran, str(directory))
    text = project_text(tree, uses, include_paths)
    if not parsed.only_print:
        atomic_file.save(path, text, "project file")
    if parsed.format == "json":
        from snapset.documents.json_text import dumps

        return dumps([_document(tree, uses, include_paths, text, not parsed.only_print)])
    said = f"{FILE} written: {_said(tree, uses)}\n{_next(uses)}"
    if parsed.format == "html":
        return _html(text, f"{FILE}: {_said(tree, uses)}\n" if parsed.only_print else said)
    return text if parsed.only_print else said


def _document(
    tree: SourceTree, uses: Sequence[TapenadeUse], include_paths: Sequence[str], text: str, written: bool
) -> InitDocument:
    from snapset.documents.starting.init_documents import FoundHeadDocument, InitDocument

    return InitDocument(
        file=FILE, written=written, text=text, sources=list(patterns(tree)),
        heads=[FoundHeadDocument(head=one.text, file=one.file, line=one.line) for one in _once(uses)],
        include_paths=list(include_paths), macros=_macros(tree, uses), preprocess=bool(tree.preprocessed),
        generated=list(tree.generated), copies=list(tree.copies), complete=tree.whole)  # fmt: skip


def _html(text: str, said: str) -> str:
    """A page of what was found, and of the file."""
    from snapset.render.layout.page_frame import tables
    from snapset.render.layout.table_layout import TableStyle
    from snapset.render.layout.text_page import Page

    page = Page(TableStyle(100, False, False, True))
    for line in said.splitlines():
        page.line(" ".join(line.split()))
    page.quoted(text)
    return tables("A first project file", [page.text()])


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(LARGEST).decode(errors="replace")
    except OSError:
        return ""


def project_text(tree: SourceTree, uses: Sequence[TapenadeUse], include_paths: Sequence[str]) -> str:
    """The file: every key with a value that was found, a comment where one has to be given."""
    lines = ["# The project file of snapset: `snapset report` and `snapset check` need no arguments here.", ""]
    lines += _left_out("made by a tool", tree.generated) + _left_out("copies", tree.copies)
    lines += _list("sources", patterns(tree), [""] * len(patterns(tree)))
    heads = _once(uses)
    if heads:
        lines += _list("heads", [one.text for one in heads], [f"{one.file}:{one.line}" for one in heads])
    else:
        lines.append(_EXAMPLE)
    if include_paths:
        lines += _list("include-paths", include_paths, [""] * len(include_paths))
    macros = _macros(tree, uses)
    if macros:
        lines.append(f"macros = [{', '.join(map(_quoted, macros))}]")
    if tree.preprocessed:
        lines.append("preprocess = true  # lines with #ifdef and the like in files whose names do not say so")
    for key, found in (("real-kind", [one.real_kind for one in uses]),
                       ("integer-kind", [one.integer_kind for one in uses])):
        given = sorted({one for one in found if one is not None})
        if given:
            lines.append(f"{key} = {given[-1]}")
    lines.append("# assume = { n = 1000 }   # sizes and trip counts, for bytes in numbers")
    return "\n".join(lines) + "\n"


def _macros(tree: SourceTree, uses: Sequence[TapenadeUse]) -> list[str]:
    return list(used_macros(dict.fromkeys(one for use in uses for one in use.macros), tree.texts))


def _left_out(why: str, files: Sequence[str]) -> list[str]:
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    return [f"# left out, {why}: {visible_line(', '.join(files[:_NAMED]))}{more}"] if files else []


def _list(key: str, values: Sequence[str], comments: Sequence[str]) -> list[str]:
    if len(values) == 1 and not comments[0]:
        return [f"{key} = [{_quoted(values[0])}]"]
    rows = [f"    {_quoted(value)},{f'  # {comment}' if comment else ''}"
            for value, comment in zip(values, comments, strict=True)]
    return [f"{key} = [", *rows, "]"]


def _quoted(text: str) -> str:
    """A basic string of TOML: JSON's strings are some of them."""
    return json.dumps(text, ensure_ascii=False)


def _once(uses: Sequence[TapenadeUse]) -> list[FoundHead]:
    found: dict[str, FoundHead] = {}
    for use in uses:
        for head in use.heads:
            found.setdefault(head.text, head)
    return list(found.values())


def _said(tree: SourceTree, uses: Sequence[TapenadeUse]) -> str:
    heads = len(_once(uses))
    found = [_count(len(tree.fortran), "Fortran file"), _count(heads, "head") if heads else "no head found"]
    if tree.generated:
        found.append(f"{_count(len(tree.generated), 'generated file')} left out")
    if tree.copies:
        found.append(f"{_count(len(tree.copies), 'copy', 'copies')} left out")
    if not tree.whole:
        found.append("not all folders looked at: there are too many files")
    return ", ".join(found)


def _next(uses: Sequence[TapenadeUse]) -> str:
    first = "" if _once(uses) else " name a head in it (snapset report lists the procedures while there is none), then"
    return (f"next:{first}\n  snapset report          what has to be saved\n"
            "  snapset check --update  keep that, for pre-commit and CI\n")


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"

