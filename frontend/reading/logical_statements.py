"""Joined text to logical statements: ``;`` split, lower case, labels, construct names, keywords, balance."""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line
from snapset.frontend.base.text_masks import MASK, balanced, mask, unmask
from snapset.frontend.reading.continuation import JoinedLine
from snapset.frontend.reading.fixed_form_blanks import spell_fixed
from snapset.frontend.reading.keyword_spelling import spell
from snapset.frontend.sources.files import Form, SourceLines

_DIGITS = 1000
_NUMBER = pattern_of(rf"\d{{{_DIGITS}}}")
_BLANKS = pattern_of(r"[ \t\f\v\xa0]+")
_LABEL = pattern_of(r"(\d+) ?")
_CONSTRUCT = pattern_of(r"([a-z][\w ]*?) ?: ?(?=do|if|select|where|forall|associate|block|critical)")


def statements(piece: JoinedLine, source: SourceLines, form: Form) -> list[Line]:
    """The statements of one joined line. Raises InputError for quotes and parentheses that do not match."""
    lines = _split(piece, source, form)
    if lines and piece.cut is not None:
        lines[0] = replace(lines[0], cut=source.span(piece.cut, column=73))
    return lines


def _split(piece: JoinedLine, source: SourceLines, form: Form) -> list[Line]:
    text, literals = mask(piece.text)
    span = source.span(piece.first, piece.last, piece.column)
    if literals and ("'" in text or '"' in text):
        raise _unbalanced(span)
    if not literals and MASK not in text and ";" not in text:
        line = _statement(text.lower(), span, form, piece.label)
        return [] if line is None else [line]
    lines = []
    label = piece.label
    used = 0
    for part in text.split(";"):
        end = used + part.count(MASK)
        line = _statement(part.lower(), span, form, label, literals[used:end])
        used = end
        label = None
        if line is not None:
            lines.append(line)
    return lines


def _unbalanced(span: Span) -> InputError:
    return InputError("character literal without closing quote; close it on its line or continue it", span)


def _statement(text: str, span: Span, form: Form, label: int | None, literals: list[str] | None = None) -> Line | None:
    """One statement from its masked lower-case text; None for an empty one."""
    text = text.strip()
    if len(text) > _DIGITS and _NUMBER.search(text):
        raise InputError(f"a number of over {_DIGITS} digits; no compiler reads it", span)
    if "  " in text or "\t" in text:
        text = _BLANKS.sub(" ", text)
    if form == "free" and text[:1].isdigit():
        found = _LABEL.match(text)
        if found is not None:
            label, text = int(found[1]), text[found.end() :]
    if not text:
        return None if label is None else Line("continue", span, label)
    if ("(" in text or ")" in text) and not balanced(text):
        raise InputError("parentheses do not match in this statement; add or remove one", span)
    construct = None
    if ":" in text:
        named = _CONSTRUCT.match(text)
        if named is not None:
            construct, text = named[1].replace(" ", ""), text[named.end() :]
    text = spell(text) if form == "free" else spell_fixed(text)
    return Line(unmask(text, literals) if literals else text, span, label, construct)
