"""pcpp made to behave on Fortran: ``//`` is concatenation, comments stay, errors are raised.

The only module that imports pcpp. It runs as a process of its own, which can be given little memory and time: it is
asked, and answers, in JSON.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import pcpp
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.sources.files import decode
from snapset.frontend.sources.readable_files import Tree

_APART = "\x02"
"""Put between the slashes of ``//`` (a comment to pcpp) and the marks of ``??'`` (a trigraph)."""

_BACKSLASH = "\x03"
"""Stands for a backslash, which escapes nothing in Fortran; at the end of a line it continues a directive."""

_C_ONLY = pattern_of(r"/(?=/)|\?(?=\?)")
_ESCAPE = pattern_of(r"\\(?!\n)")


class PreprocessorError(Exception):
    """What the preprocessor complains of first; ``missing`` is the name of an include file not found."""

    def __init__(self, file: str, line: int, message: str, missing: str = "") -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.message = message
        self.missing = missing


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]
    """pcpp with its hooks set for Fortran. ``tree``: what may be included."""

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self.tree = tree

    def on_error(self, file: str, line: int, msg: str) -> None:
        raise PreprocessorError(file, line, f"{' '.join(msg.split())} (preprocessor)")

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:
        name = _show(includepath)
        if not self.tree.holds(name):
            raise FileNotFoundError(name)
        with open(name, "rb") as stream:
            return io.StringIO(_hide(decode(stream.read())))

    def on_include_not_found(self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str) -> None:
        at = self.lastdirective
        if is_malformed:
            self.on_error(at.source, at.lineno, f"malformed #include {includepath}")
        raise PreprocessorError(at.source, at.lineno, "", missing=includepath)

    def on_directive_unknown(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> bool | None:
        if directive.value == "error":
            text = "".join(token.value for token in toks).strip()
            self.on_error(directive.source, directive.lineno, f"#error {_show(text)}".strip())
        return True if directive.value == "warning" else None

    def on_comment(self, tok: Any) -> bool:
        return False


def _hide(text: str) -> str:
    return _ESCAPE.sub(_BACKSLASH, _C_ONLY.sub(rf"\g<0>{_APART}", text.replace("\r\n", "\n")))


def _show(text: str) -> str:
    return text.replace(_APART, "").replace(_BACKSLASH, "\\")


def run_pcpp(text: str, path: str, macros: Sequence[str], include_dirs: Sequence[str]) -> str:
    """The text after preprocessing, with line markers whose files are relative to that of ``path``.

    Raises PreprocessorError.
    """
    preprocessor = _Preprocessor(Tree(path, tuple(include_dirs)))
    preprocessor.line_directive = "#"
    preprocessor.expand_linemacro = preprocessor.expand_filemacro = preprocessor.expand_countermacro = False
    for name in ("__DATE__", "__TIME__", "__PCPP__"):
        preprocessor.undef(name)
    directory = os.path.dirname(path)
    for name in (directory, *include_dirs):
        preprocessor.add_path(name or ".")
    preprocessor.rewrite_paths = [(re.escape(os.path.join(os.path.abspath(directory), "")) + "(.*)", r"\1")]
    for macro in macros:
        name, equals, value = macro.partition("=")
        preprocessor.define(f"{name} {value if equals else '1'}")
    output = io.StringIO()
    try:
        preprocessor.parse(_hide(text), path)
        preprocessor.write(output)
    except RecursionError:
        raise PreprocessorError(path, 1, "#include files or macros nest too deeply (preprocessor)") from None
    return _show(output.getvalue())


def main() -> None:
    """Answers one request: ``text``, or what was complained of."""
    given = json.load(sys.stdin)
    answer: dict[str, str | int]
    try:
        answer = {"text": run_pcpp(given["text"], given["path"], given["macros"], given["dirs"])}
    except PreprocessorError as error:
        answer = {"file": error.file, "line": error.line, "message": error.message, "missing": error.missing}
    json.dump(answer, sys.stdout)
