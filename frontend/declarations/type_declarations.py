"""Reading the pieces of declarations: type specifications, entity lists, procedure headers."""

from __future__ import annotations

from functools import lru_cache

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_scan import closing, keyword, masked, split_top
from snapset.frontend.declarations.table import Header, TypeSpec

_BASE = pattern_of(r"(integer|real|complex|logical|character|byte|double\s*precision|double\s*complex|type|class)\b\s*")
_STAR = pattern_of(r"\*\s*(\d+)\s*")
_NAME = pattern_of(r"[a-z_$][\w$]*")
_ENTITY = pattern_of(r"([a-z_$][\w$]*)\s*")
_SUFFIX = pattern_of(r"result\s*\(\s*([a-z_]\w*)\s*\)")
_PROCEDURE = pattern_of(r"\b(function|subroutine)\s+([a-z_]\w*)\s*")
_PREFIXES = ("recursive", "non_recursive", "pure", "impure", "elemental", "module")


class DeclarationError(ValueError):
    """A declaration that cannot be read; ``str(error)`` says what is wrong."""


@lru_cache(maxsize=512)
def type_spec(text: str) -> tuple[TypeSpec, str] | None:
    """The type specification ``text`` begins with and the text after it; None where it begins with none."""
    found = _BASE.match(text)
    if found is None:
        return None
    base = "".join(found[1].split())
    rest = text[found.end() :]
    if base in ("type", "class"):
        return _derived(base, rest)
    if base in ("doubleprecision", "doublecomplex"):
        return TypeSpec("real" if base == "doubleprecision" else "complex", star=8 if base[6] == "p" else 16), rest
    if base == "byte":
        return TypeSpec("integer", star=1), rest
    star = _STAR.match(rest)
    if star is not None:
        rest = rest[star.end() :]
        if base == "character":
            return TypeSpec(base, length=star[1]), rest.removeprefix(",") if "::" not in rest else rest
        return TypeSpec(base, star=int(star[1])), rest
    if base == "character" and rest.startswith("*"):
        inner, rest = parentheses(rest[1:].lstrip())
        return TypeSpec(base, length=inner), rest
    if not rest.startswith("("):
        return TypeSpec(base, length="1" if base == "character" else None), rest
    inner, rest = parentheses(rest)
    return _selected(base, inner), rest


def parentheses(text: str) -> tuple[str, str]:
    """What is in the parentheses ``text`` begins with, and what follows them."""
    close = closing(masked(text), 0) if text.startswith("(") else -1
    if close < 0:
        raise DeclarationError(f"`(` expected before `{text[:20]}`")
    return text[1:close].strip(), text[close + 1 :].lstrip()


def _derived(base: str, rest: str) -> tuple[TypeSpec, str] | None:
    if not rest.startswith("("):
        return None
    inner, rest = parentheses(rest)
    if inner == "*":
        return TypeSpec("any", polymorphic=base == "class"), rest
    intrinsic = type_spec(inner)
    if base == "type" and intrinsic is not None and not intrinsic[1]:
        return intrinsic[0], rest
    name = _NAME.match(inner)
    if name is None:
        raise DeclarationError(f"`{inner}` is not a type")
    return TypeSpec("derived", name=name[0], polymorphic=base == "class"), rest


def _selected(base: str, inner: str) -> TypeSpec:
    values = {"kind": None, "len": None} if base == "character" else {"kind": None}
    order = ["len", "kind"] if base == "character" else ["kind"]
    found: dict[str, str | None] = dict(values)
    for place, part in enumerate(split_top(inner)):
        key, value = keyword(part)
        if key is None:
            if place >= len(order):
                raise DeclarationError(f"`{inner}` is not a kind")
            key = order[place]
        found[key] = value.strip()
    length = found.get("len")
    if base == "character" and length is None:
        length = "1"
    return TypeSpec(base, kind=found.get("kind"), length=length)


@frozen(quick=True)
class Declarator:
    """``name(dims)*length = init``; ``coarray`` where it has square brackets. An old ``/values/`` is an init."""

    name: str
    dims: str | None = None
    length: str | None = None
    init: str | None = None
    coarray: bool = False


def declarators(text: str) -> tuple[Declarator, ...]:
    """The entities of a declaration. Raises DeclarationError."""
    return tuple(_declarator(part) for part in _entity_parts(text))


def _entity_parts(text: str) -> list[str]:
    """Split at commas, but not between the slashes of an old initialiser ``i/1,2/``."""
    parts: list[str] = []
    pieces: list[str] = []
    inside = False
    for part in split_top(text):
        pieces.append(part)
        mask = masked(part)
        if "/" in mask and (inside or "=" not in mask):
            inside ^= _outside(mask).count("/") % 2 == 1
        if not inside:
            parts.append(",".join(pieces))
            pieces = []
    return parts + ([",".join(pieces)] if pieces else [])


def _outside(mask: str) -> str:
    """The characters outside parentheses."""
    depth, kept = 0, []
    for char in mask:
        depth += char == "("
        if depth == 0:
            kept.append(char)
        depth -= char == ")"
    return "".join(kept)


def _declarator(text: str) -> Declarator:
    found = _ENTITY.match(text)
    if found is None:
        raise DeclarationError(f"`{text}` is not a name")
    rest = text[found.end() :]
    dims = length = init = None
    coarray = False
    if rest.startswith("*"):
        length, rest = _length(rest)
    if rest.startswith("("):
        dims, rest = parentheses(rest)
    if rest.startswith("["):
        close = closing(masked(rest), 0)
        coarray, rest = True, rest[close + 1 :].lstrip()
    if rest.startswith("*"):
        length, rest = _length(rest)
    if rest.startswith(("=", "/")):
        init = rest.removeprefix("=").removeprefix(">").strip() if rest[0] == "=" else rest
        rest = ""
    if rest:
        raise DeclarationError(f"`{rest}` is not expected after `{found[1]}`")
    return Declarator(found[1], dims, length, init, coarray)


def _length(text: str) -> tuple[str, str]:
    """``*8`` or ``*(expression)`` and the rest."""
    star = _STAR.match(text)
    if star is not None:
        return star[1], text[star.end() :]
    return parentheses(text[1:].lstrip())


def attributes(text: str) -> tuple[tuple[str, ...], str]:
    """``, save, dimension(3) :: x`` to the attributes and the entities' text."""
    mask = masked(text)
    at = _double_colon(mask)
    if at < 0:
        return (), text.removeprefix(",").strip()
    return split_top(text[:at].strip().removeprefix(",")), text[at + 2 :].strip()


def _double_colon(mask: str) -> int:
    depth = 0
    for place, char in enumerate(mask):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and char == ":" and mask[place + 1 : place + 2] == ":":
            return place
    return -1


def procedure_header(text: str) -> Header | None:
    """``recursive real(8) function f(x) result(r)``; None where ``text`` is no procedure's header."""
    found = _PROCEDURE.search(masked(text))
    if found is None:
        return None
    prefixes: set[str] = set()
    kind: TypeSpec | None = None
    before = text[: found.start()].strip()
    while before:
        word = _NAME.match(before)
        typed = type_spec(before)
        if typed is not None:
            kind, before = typed[0], typed[1].strip()
        elif word is not None and word[0] in _PREFIXES:
            prefixes.add(word[0])
            before = before[word.end() :].strip()
        else:
            return None
    rest = text[found.end() :]
    inner, rest = parentheses(rest) if rest.startswith("(") else ("", rest)
    result = _SUFFIX.search(rest)
    formals = tuple("*" if part in ("*", "&") else part for part in split_top(inner))
    for formal in formals:
        if formal != "*" and not _NAME.fullmatch(formal):
            raise DeclarationError(f"`{formal}` is no dummy argument")
    own = result[1] if result is not None else found[2] if found[1] == "function" else None
    if found[1] == "function" and _STAR.match(rest):
        raise DeclarationError("a length after the function's name is not supported; put it after its type")
    return Header(found[1], found[2], formals, own, kind, frozenset(prefixes))
