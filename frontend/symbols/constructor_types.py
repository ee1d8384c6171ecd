"""The type of an array constructor that says it: ``[real(8) :: 1, x]`` has real elements, whatever comes first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.declarations.type_declarations import DeclarationError, type_spec
from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.parsing import expression_parser, syntax_tree

KINDS: Final[Mapping[str, ir.Kind]] = MappingProxyType({
    "integer": "integer", "real": "real", "complex": "complex", "logical": "logical", "character": "character",
})


def constructor_type(text: str | None, types: Mapping[str, str], kinds: DefaultKinds,
                     meaning: Callable[[syntax_tree.Raw], ir.Expr]) -> ir.Type | None:
    """The type before ``::`` of a constructor, None where it has none (or one that is not understood).

    ``types``: the keys of derived types by their names here; ``meaning``: of a kind or length.
    """
    if text is None:
        return None
    if text in types:
        return ir.Type("derived", derived=types[text])
    try:
        found = type_spec(text)
    except DeclarationError:
        return None
    if found is None or found[0].base in ("derived", "any"):
        return None
    spec = found[0]

    def number(written: str | None) -> int | None:
        if written is None or written in ("*", ":"):
            return None
        return value_of(meaning(expression_parser.expression(written)))

    if spec.base == "character":
        return ir.Type("character", number(spec.length or "1"))
    base = KINDS[spec.base]
    if spec.star is not None:
        return ir.Type(base, spec.star)
    if spec.kind is None:
        return ir.Type(base, kinds.bytes_of(base))
    kind = number(spec.kind)
    return ir.Type(base, None if kind is None else storage(kind) * (2 if base == "complex" else 1))


def storage(kind: int) -> int:
    """The bytes a kind occupies: the kind itself but for the 80-bit one."""
    return 16 if kind == 10 else kind
