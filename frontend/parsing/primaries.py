"""Operands of expressions: references, constants, parentheses, constructors, read in one linear walk.

``combine`` (given by :mod:`snapset.frontend.parsing.expression_parser`) makes one tree of operands and operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from snapset.frontend.parsing.lexer import Token, WallError
from snapset.frontend.parsing.syntax_tree import (
    Arg,
    Complex,
    Constructor,
    Implied,
    Name,
    NameLink,
    Number,
    Raw,
    TextPiece,
    Triplet,
    UnaryOp,
)

Combine: TypeAlias = Callable[[Sequence[Raw | Token]], Raw]

_TOO_DEEP = 100
_END = Token("punct", "")


@dataclass(slots=True)
class _Reader:
    """A place in a list of tokens. ``depth`` counts open parentheses."""

    tokens: Sequence[Token]
    combine: Combine
    at: int = 0
    depth: int = 0

    @property
    def now(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def is_(self, text: str, ahead: int = 0) -> bool:
        """Whether the token here (or ``ahead`` of here) is this punctuation."""
        place = self.at + ahead
        if place >= len(self.tokens):
            return text == ""
        token = self.tokens[place]
        return token.text == text and token.sort == "punct"

    def take(self, text: str) -> bool:
        if self.is_(text):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.take(text):
            what = f"`{self.now.text}`" if self.now is not _END else "the end"
            raise WallError(f"`{text}` expected before {what}" if text else f"nothing expected before {what}")


def whole(tokens: Sequence[Token], combine: Combine) -> Raw:
    """All of ``tokens`` as one expression."""
    if len(tokens) == 1 and tokens[0].sort == "name":
        return Name((NameLink(tokens[0].text),))
    reader = _Reader(tokens, combine)
    raw = _expression(reader)
    reader.expect("")
    return raw


def several(tokens: Sequence[Token], combine: Combine) -> tuple[Raw, ...]:
    """All of ``tokens`` as expressions between commas."""
    reader = _Reader(tokens, combine)
    items: list[Raw] = []
    while not reader.is_(""):
        items.append(_expression(reader))
        if not reader.take(","):
            break
    reader.expect("")
    return tuple(items)


def arguments(tokens: Sequence[Token], combine: Combine) -> tuple[Arg, ...]:
    """All of ``tokens`` as an argument or subscript list."""
    reader = _Reader([*tokens, Token("punct", ")")], combine)
    found = _arguments(reader)
    reader.expect("")
    return found


def _expression(reader: _Reader) -> Raw:
    """Operands and operators up to a comma, a closing bracket or another delimiter."""
    items: list[Raw | Token] = []
    while True:
        token = reader.now
        if token.sort == "op":
            items.append(token)
            reader.at += 1
            continue
        if token.sort == "punct" and token.text not in ("(", "[", "%"):
            break
        if items and not isinstance(items[-1], Token):
            raise WallError(f"an operator is missing before `{token.text}`")
        items.append(_operand(reader))
    if not items or isinstance(items[-1], Token):
        what = f"`{reader.now.text}`" if reader.now is not _END else "the end"
        raise WallError(f"an operand is missing before {what}")
    return items[0] if len(items) == 1 and not isinstance(items[0], Token) else reader.combine(items)


def _operand(reader: _Reader) -> Raw:
    token = reader.now
    if token.sort == "name":
        return _reference(reader)
    if token.sort != "punct":
        reader.at += 1
        found = constant(token)
        return _piece(reader, found) if token.sort == "string" and reader.take("(") else found
    if token.text == "%":
        return _by_value(reader)
    if reader.depth >= _TOO_DEEP:
        raise WallError(f"parentheses are nested over {_TOO_DEEP} deep")
    reader.depth += 1
    reader.at += 1
    raw = _parenthesised(reader) if token.text == "(" else _constructor(reader)
    reader.depth -= 1
    return raw


def _by_value(reader: _Reader) -> Raw:
    """``%val(x)``, ``%ref(x)``, ``%loc(x)``: how an argument is passed; VAL passes a copy."""
    reader.at += 1
    reference = _reference(reader)
    link = reference.links[0]
    if link.name in ("val", "ref", "descr") and len(reference.links) == 1 and link.args is not None:
        values = [arg.value for arg in link.args if not isinstance(arg.value, Triplet)]
        if len(values) == 1:
            return UnaryOp("+", values[0]) if link.name == "val" else values[0]
    if link.name == "loc":
        return reference
    raise WallError(f"cannot read `%{link.name}`")


def _reference(reader: _Reader) -> Name:
    """``a(i)%b(j)(k:l)``"""
    links: list[NameLink] = []
    while True:
        token = reader.now
        if token.sort != "name":
            raise WallError(f"a name is expected before `{token.text}`")
        reader.at += 1
        lists: list[tuple[Arg, ...]] = []
        while reader.is_("("):
            if len(lists) == 2:
                raise WallError(f"`{token.text}` has three argument lists")
            if reader.depth >= _TOO_DEEP:
                raise WallError(f"parentheses are nested over {_TOO_DEEP} deep")
            reader.at += 1
            reader.depth += 1
            lists.append(_arguments(reader))
            reader.depth -= 1
        if reader.is_("["):
            raise WallError(f"`{token.text}` is on another image: coarrays are not supported")
        links.append(NameLink(token.text, *lists))
        if not reader.take("%"):
            return Name(tuple(links))


def _arguments(reader: _Reader) -> tuple[Arg, ...]:
    """What follows ``(``, through its ``)``."""
    if reader.take(")"):
        return ()
    found = [_argument(reader)]
    while reader.take(","):
        found.append(_argument(reader))
    reader.expect(")")
    return tuple(found)


def _piece(reader: _Reader, text: Number) -> TextPiece:
    """What follows ``'abc'(``."""
    found = _arguments(reader)
    ends = found[0].value if len(found) == 1 else None
    if not isinstance(ends, Triplet):
        raise WallError("a substring is `(first:last)`")
    return TextPiece(text, ends)


def _argument(reader: _Reader) -> Arg:
    keyword = None
    if reader.now.sort == "name" and reader.is_("=", 1):
        keyword = reader.now.text
        reader.at += 2
    if reader.is_(":") or reader.is_("::"):
        return Arg(_triplet(reader, None), keyword)
    start = reader.at
    raw = _expression(reader)
    if reader.is_(":") or reader.is_("::"):
        return Arg(_triplet(reader, raw), keyword)
    if isinstance(raw, Name) and reader.tokens[start].text == "(":
        raw = UnaryOp("+", raw)  # f((x)): a value, which the procedure cannot write to
    return Arg(raw, keyword)


def _triplet(reader: _Reader, lower: Raw | None) -> Triplet:
    """What follows ``lower``: ``:upper:step``, each part optional."""
    upper = None
    if reader.take("::"):
        return Triplet(lower, None, _expression(reader))
    reader.expect(":")
    if not (reader.is_(",") or reader.is_(")") or reader.is_(":")):
        upper = _expression(reader)
    step = _expression(reader) if reader.take(":") else None
    return Triplet(lower, upper, step)


def _parenthesised(reader: _Reader) -> Raw:
    """What follows ``(``: an expression, a complex constant or an implied DO."""
    items: list[Raw] = []
    while True:
        if items and reader.now.sort == "name" and reader.is_("=", 1):
            return _implied(reader, tuple(items))
        items.append(_expression(reader))
        if not reader.take(","):
            break
    reader.expect(")")
    if len(items) == 1:
        return items[0]
    if len(items) == 2:
        return Complex(items[0], items[1])
    raise WallError(f"{len(items)} values in parentheses are no expression")


def _implied(reader: _Reader, items: tuple[Raw, ...]) -> Implied:
    var = reader.now.text
    reader.at += 2
    bounds = [_expression(reader)]
    while reader.take(","):
        bounds.append(_expression(reader))
    reader.expect(")")
    if not 2 <= len(bounds) <= 3:
        raise WallError(f"an implied DO over `{var}` needs two or three bounds")
    return Implied(items, var, bounds[0], bounds[1], bounds[2] if len(bounds) == 3 else None)


def _constructor(reader: _Reader) -> Constructor:
    """What follows ``[`` or ``(/``, through its end."""
    type_text = _type_spec(reader)
    items: list[Raw] = []
    while not reader.take("]"):
        items.append(_expression(reader))
        if not reader.take(",") and not reader.is_("]"):
            raise WallError(f"`,` or `]` expected before `{reader.now.text}`")
    return Constructor(tuple(items), type_text)


def _type_spec(reader: _Reader) -> str | None:
    """The text before ``::`` at the constructor's own depth, if there is one."""
    depth = 0
    words: list[str] = []
    for place in range(reader.at, len(reader.tokens)):
        token = reader.tokens[place]
        if token.sort == "punct":
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            if depth < 0 or (depth == 0 and token.text == ","):
                return None
            if depth == 0 and token.text == "::":
                reader.at = place + 1
                joint = " ".join(words)
                return joint.replace(" ( ", "(").replace(" )", ")").replace(" = ", "=").replace("( ", "(")
        words.append(token.text)
    return None


# ---------------------------------------------------------------- constants


def constant(token: Token) -> Number:
    """A literal constant. BOZ and Hollerith have no value here."""
    text = token.text
    if token.sort == "number":
        return _number(text)
    if token.sort == "logical":
        return Number(text.startswith(".t"), kind=text.partition("_")[2] or None)
    if token.sort == "string":
        quote = text[-1]
        prefix, _, rest = text.partition(quote)
        return Number(rest[:-1].replace(quote * 2, quote), kind=prefix.rstrip("_") or None)
    return Number(None)


def _number(text: str) -> Number:
    digits, _, kind = text.partition("_")
    if digits.isdecimal():
        return Number(int(digits) if len(digits) < 4000 else None, kind or None)
    if "q" in digits:
        return Number(float(digits.replace("q", "e")), kind or "16")
    return Number(float(digits.replace("d", "e")), kind or None, double="d" in digits)
