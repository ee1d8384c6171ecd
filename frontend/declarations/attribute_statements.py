"""Attribute statements: what gives declared names attributes, storage or values one statement at a time."""

from __future__ import annotations

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line
from snapset.frontend.base.text_scan import closing, generic_name, masked, split_top, top_equals
from snapset.frontend.declarations.table import Table, TypeSpec, Use
from snapset.frontend.declarations.type_declarations import DeclarationError, declarators, parentheses, type_spec
from snapset.frontend.rules import diagnostic

_NAME = pattern_of(r"[a-z_$][\w$]*")
_USE = pattern_of(r"(?:,\s*(?:non_)?intrinsic\s*)?(?:::)?\s*([a-z]\w*)\s*(?:,\s*(.*))?$")
_ONLY = pattern_of(r"only\s*:\s*(.*)$")
_SAVED_BLOCK = pattern_of(r",?\s*/\s*[a-z_$][\w$]*\s*/")
_BLOCK = pattern_of(r"\s*,?\s*/\s*([a-z_$][\w$]*)?\s*/\s*")


def _names(text: str) -> tuple[str, ...]:
    """Names between commas. Raises DeclarationError for anything else."""
    names = split_top(text.strip().removeprefix("::").strip())
    for name in names:
        if not _NAME.fullmatch(name):
            raise DeclarationError(f"`{name}` is not a name")
    return names


def attribute(table: Table, word: str, text: str, line: Line) -> None:
    """``dimension a(3), b(4)``, ``allocatable :: c``, ``volatile d`` and their kin."""
    text = text.strip()
    if word == "bind":
        return
    for declarator in declarators(text.removeprefix("::").strip()):
        if word in ("volatile", "asynchronous") and declarator.name not in table.entities:
            continue
        entity = table.entity(declarator.name, line.span)
        entity.dims = declarator.dims if declarator.dims is not None else entity.dims
        entity.flags.add({"dimension": "", "static": "save"}.get(word, word))
        if word == "codimension" or declarator.coarray:
            entity.flags |= {"coarray", "target"}
            table.diagnostics.append(diagnostic(
                "SN207", "coarrays are not supported: writes by other images are not seen", line.span))


def pointer(table: Table, text: str, line: Line) -> None:
    """``pointer :: p(:)``, or the old ``pointer (p, x)`` that lays x anywhere: then nothing is certain."""
    if not text.startswith("("):
        attribute(table, "pointer", text, line)
        return
    table.opaque = f"it has a Cray pointer (line {line.span.line}), which is not supported"
    table.diagnostics.append(diagnostic(
        "SN207", "Cray pointers are not supported; use POINTER. "
        f"`{table.header.name}` may read and write everything it can reach", line.span))
    for pair in split_top(text):
        for declarator in declarators(pair.strip("() ") + (")" if pair.endswith("))") else "")):
            entity = table.entity(declarator.name, line.span)
            entity.dims = declarator.dims if declarator.dims is not None else entity.dims
            entity.flags |= {"target", "pointee"}


def save(table: Table, text: str, line: Line) -> None:
    """``save`` alone saves everything; ``save a, /block/`` some (COMMON blocks are saved anyway)."""
    if not text:
        table.save_all = True
    for name in _names(_SAVED_BLOCK.sub("", text).strip(", ")):
        table.entity(name, line.span).flags.add("save")


def intent(table: Table, text: str, line: Line) -> None:
    inner, rest = parentheses(text)
    which = "".join(inner.split())
    for name in _names(rest):
        table.entity(name, line.span).intent = "inout" if which == "inout" else "in" if which == "in" else "out"


def external(table: Table, text: str, line: Line) -> None:
    for name in _names(text):
        table.entity(name, line.span)
        table.externals.add(name)


def intrinsic(table: Table, text: str, line: Line) -> None:
    for name in _names(text):
        table.entity(name, line.span)
        table.intrinsics.add(name)


def parameter(table: Table, text: str, line: Line) -> None:
    """``parameter (n = 3, m = 2*n)``, also without parentheses."""
    if text.startswith("("):
        text, _ = parentheses(text)
    for part in split_top(text):
        at = top_equals(masked(part))
        if at <= 0:
            raise DeclarationError(f"`{part}` is no name with a value")
        entity = table.entity(_names(part[:at])[0], line.span)
        entity.init = part[at + 1 :].strip()
        entity.flags.add("parameter")


def data(table: Table, text: str, line: Line) -> None:
    table.data.append(line)


def data_targets(text: str) -> tuple[str, ...]:
    """The variables a DATA statement (its text after ``data``) initialises, as designators and implied DOs."""
    mask = masked(text)
    targets: list[str] = []
    at, depth, start, inside = 0, 0, 0, False
    for at, char in enumerate(mask):
        depth += (char == "(") - (char == ")")
        if char == "/" and depth == 0:
            if not inside:
                targets += [part for part in split_top(text[start:at].strip().removeprefix(",")) if part]
            inside, start = not inside, at + 1
    if inside:
        raise DeclarationError("a list of values has no closing `/`")
    return tuple(targets)


def common(table: Table, text: str, line: Line) -> None:
    """``common /a/ x, y(3) /b/ z, // w``; several statements continue a block."""
    at, block = 0, ""
    mask = masked(text)
    while at < len(text):
        found = _BLOCK.match(mask, at)
        if found is not None:
            block, at = found[1] or "", found.end()
        elif mask[at] == "/":
            raise DeclarationError("the name of a COMMON block has no closing `/`")
        stop = mask.find("/", at)
        stop = len(text) if stop < 0 else stop
        for declarator in declarators(text[at:stop].strip().rstrip(",")):
            entity = table.entity(declarator.name, line.span)
            entity.dims = declarator.dims if declarator.dims is not None else entity.dims
            table.commons.append((block, declarator.name, line.span))
        at = stop


def equivalence(table: Table, text: str, line: Line) -> None:
    for group in split_top(text):
        inner, _ = parentheses(group)
        table.equivalences.append((inner, line.span))
        for member in split_top(inner):
            found = _NAME.match(member)
            if found is None:
                raise DeclarationError(f"`{member}` is not a variable")
            table.entity(found[0], line.span)


def namelist(table: Table, text: str, line: Line) -> None:
    at = 0
    while (found := _BLOCK.match(text, at)) is not None:
        stop = text.find("/", found.end())
        stop = len(text) if stop < 0 else stop
        members = tuple(name for name in split_top(text[found.end() : stop].strip().rstrip(",")) if name)
        table.namelists[found[1] or ""] = (*table.namelists.get(found[1] or "", ()), *members)
        at = stop
    if at < len(text):
        raise DeclarationError(f"`{text[at:]}` is no group")


def implicit(table: Table, text: str, line: Line) -> None:
    """``implicit none`` or ``implicit real(8) (a-h, o-z), integer (i-n)``"""
    if text.startswith("none"):
        table.implicit_none = "type" in text or "(" not in text
        return
    for part in split_top(text):
        if part.endswith(")"):
            opening = max(at for at, char in enumerate(part) if char == "(" and closing(part, at) == len(part) - 1)
            typed = type_spec(part[:opening].strip())
            if typed is not None and not typed[1]:
                for letters in split_top(part[opening + 1 : -1]):
                    first, _, last = letters.replace(" ", "").partition("-")
                    table.implicit.append((typed[0], first, last or first))
                continue
        raise DeclarationError(f"`{part}` is no IMPLICIT rule")


def enumerator(table: Table, text: str, line: Line) -> None:
    """``enumerator :: red, green = 4``: integer constants, each one more than the last."""
    for declarator in declarators(text.strip().removeprefix("::").strip()):
        entity = table.entity(declarator.name, line.span)
        entity.type = TypeSpec("integer")
        entity.flags.add("parameter")
        entity.init = declarator.init or (f"{table.enumerator}+1" if table.enumerator else "0")
        table.enumerator = declarator.name


def access(table: Table, text: str, line: Line) -> None:
    """``private`` alone, or ``public :: a, operator(+)``"""
    word = "private" if text.startswith("private") else "public"
    names = text[len(word) :].strip().removeprefix("::").strip()
    if not names:
        table.private = word == "private"
    for name in split_top(names):
        table.access[generic_name(name)] = word


def use(table: Table, text: str, line: Line) -> None:
    """``use m``, ``use, intrinsic :: m, only: a, b => c``, ``use m, d => e``"""
    found = _USE.match(text)
    if found is None:
        raise DeclarationError("no module name found")
    rest = (found[2] or "").strip()
    only = _ONLY.match(rest)
    pairs: list[tuple[str, str]] = []
    for part in split_top(only[1] if only is not None else rest):
        local, _, remote = (generic_name(piece) for piece in part.partition("=>"))
        pairs.append((local, remote or local))
    if only is not None:
        table.uses.append(Use(found[1], line.span, only=tuple(pairs)))
    else:
        table.uses.append(Use(found[1], line.span, renames=tuple(pairs)))
