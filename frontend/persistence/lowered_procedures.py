"""Lowered procedures in the cache: what their text becomes, by the hash of all it depends on.

What a procedure's statements become depends on its own text, its host's, and on what else is *declared* anywhere:
signatures, types, generics, namelists (:mod:`snapset.frontend.persistence.name_dependencies`). So an edit inside of a
body costs that body alone, one in what others can know of a procedure those that name it, one outside of procedures
everything. Places count from the line a procedure begins in, so that it may move, unless a name or a message is made
of a line's number.
Variables come from the scopes, which are always built anew, and are not stored but for those that the statements
themselves made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line, Unit
from snapset.frontend.interprocedural.lazy_procedures import BodyFacts, SourceHashes, remember_source, scan_body
from snapset.frontend.lowering.procedure import lower_procedure
from snapset.frontend.persistence.disk_cache import Cache
from snapset.frontend.persistence.fingerprint import digest, home_of, own_digest
from snapset.frontend.persistence.name_dependencies import DeclarationHashes
from snapset.frontend.resolution.lowering_context import ProgramContext
from snapset.frontend.symbols.symbol_table import Scope

Lowered: TypeAlias = tuple[ir.Procedure, tuple[Diagnostic, ...]]
_Stored: TypeAlias = tuple[BodyFacts, Mapping[str, ir.Variable], str | None, tuple[Diagnostic, ...]]
_BY_LINE = b"by line"
_NUMBERED = pattern_of(r"\bline \d")


class LoweredProcedures:
    """Lowers the procedures of one program, looking into the cache first."""

    def __init__(self, world: ProgramContext, modules: bytes, words: Callable[[Unit], set[str]], cache: Cache) -> None:
        """``modules``: the hash of all text outside of procedures. ``words``: the names in a unit's text."""
        self.world = world
        self.cache = cache
        self._declared = None if cache.path is None else DeclarationHashes(world, modules, words)

    def procedure(self, scope: Scope, inherited: Mapping[str, ir.Variable]) -> Lowered:
        """As :func:`snapset.frontend.lowering.procedure.lower_procedure`."""
        if self._declared is None or self.cache.path is None:
            return lower_procedure(self.world, scope, inherited)
        anywhere, home = self.key(scope), home_of(scope.unit)
        key, stored = anywhere, self._get(anywhere, home)
        if stored == _BY_LINE:
            key = _placed(anywhere, home)
            stored = self._get(key, home)
        if stored is not None and not isinstance(stored, bytes):
            return self._restored(key, scope, stored, inherited)
        procedure, said = lower_procedure(self.world, scope, inherited)
        made = {name: v for name, v in procedure.variables.items() if scope.variables.get(name) != v}
        found: _Stored = scan_body(procedure.body, procedure.opaque), made, procedure.opaque, said
        key = self._put(anywhere, scope, found, procedure.body)
        return remember_source(procedure, SourceHashes(key, self.shared, found[0])), said

    def _get(self, key: bytes, home: Span) -> _Stored | bytes | None:
        stored: _Stored | bytes | None = self.cache.get(key, home)
        return stored

    def _put(self, key: bytes, scope: Scope, found: _Stored, body: ir.Block) -> bytes:
        """Keep a procedure; the key it is found by."""
        home = home_of(scope.unit)
        if _has_line_numbers(scope, found):
            self.cache.put(key, _BY_LINE)
            key = _placed(key, home)
        self.cache.put(key, found, home)
        self.cache.put(digest("body", key), body, home)
        return key

    def _restored(self, key: bytes, scope: Scope, stored: _Stored, inherited: Mapping[str, ir.Variable]) -> Lowered:
        """The procedure without its body, which is read when somebody asks for it."""
        facts, made, opaque, said = stored

        def load() -> ir.Block:
            body: ir.Block | None = self.cache.get(digest("body", key), home_of(scope.unit))
            return lower_procedure(self.world, scope, inherited)[0].body if body is None else body

        procedure = _without_body(scope, {**scope.variables, **made}, opaque)
        return remember_source(procedure, SourceHashes(key, self.shared, facts), load), said

    def key(self, scope: Scope) -> bytes:
        """The host's text counts whole: what its statements declare by use, it shares."""
        host, home = self.world.scopes.scopes.get(scope.host or ""), home_of(scope.unit)
        above = () if host is None else (self.key(host), f"{home.line - home_of(host.unit).line}")
        seen = b"" if self._declared is None else self._declared.seen_by(scope)
        return digest("lowered", scope.key, seen, *above, own_digest(scope.unit))

    @property
    def shared(self) -> bytes:
        """The hash of what every procedure may depend on."""
        return b"" if self._declared is None else self._declared.shared


def _placed(key: bytes, home: Span) -> bytes:
    """The key of what is so only at this place."""
    return digest("placed", key, home.file, f"{home.line}")


def _has_line_numbers(scope: Scope, found: _Stored) -> bool:
    """Is a line's number part of a name, a label or a message?"""
    _, made, opaque, said = found
    entry = any(isinstance(item, Line) and item.text.startswith("entry") for item in scope.executable)
    messages = (opaque or "", *(one.message for one in said))
    return entry or any("@" in name for name in made) or any(_NUMBERED.search(text) for text in messages)


def _without_body(scope: Scope, variables: Mapping[str, ir.Variable], opaque: str | None) -> ir.Procedure:
    kind: Literal["subroutine", "function", "program"] = (
        "function" if scope.kind == "function" else "program" if scope.kind == "program" else "subroutine"
    )
    return ir.Procedure(
        key=scope.key, name=scope.name, kind=kind, formals=tuple(f for f in scope.formals if f != "*"),
        result=scope.result, variables=MappingProxyType(dict(variables)), body=(), span=home_of(scope.unit),
        module=scope.module, host=scope.host, opaque=opaque, elemental=scope.elemental, recursive=scope.recursive,
        alternates=scope.alternates, absent=scope.absent,
    )  # fmt: skip
