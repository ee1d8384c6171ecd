"""What a procedure's statements can depend on of all that is declared in other procedures.

The words of its text say which procedures it can name, by name, rename or generic name; of each it knows the header,
the dummy arguments and the result. Other variables are nobody else's business, unless they are initialised, saved, or
in a COMMON block, or stand in the bounds of those that are. What is in COMMON blocks, the types and the interfaces
that a procedure declares are everybody's, as what modules declare is. Where procedures are reached in ways no word
shows (type-bound ones, ENTRY points), every procedure may name all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line, Unit
from snapset.frontend.persistence.fingerprint import digest
from snapset.frontend.resolution.lowering_context import ProgramContext
from snapset.frontend.symbols.symbol_table import Scope

_KEPT = ("entry", "namelist", "data")
_PLAIN = pattern_of(r"(?:integer|real|logical|complex|double ?precision|double ?complex|character|byte|"
                    r"type ?\(|class ?\()(?: ?\* ?\d+)?")  # fmt: skip
_TYPE_OR_INTERFACE = pattern_of(r"(?:abstract )?interface\b|type(?! ?\()\b")
_WORD = pattern_of(r"[a-z_]\w*")


class DeclarationHashes:
    """The declarations of a program, by hashes. ``words``: the names in a unit's text."""

    def __init__(self, world: ProgramContext, modules: bytes, words: Callable[[Unit], set[str]]) -> None:
        """``modules``: the hash of all text outside of procedures."""
        self.world = world
        self.words = words
        scopes = world.scopes.scopes.values()
        everybodys = [everything(scope) for scope in scopes if _declares_types(scope) or _lines(scope, ("namelist",))]
        everybodys += [interface(scope) for scope in scopes if _lines(scope, ("common",))]
        self.shared = digest(modules, *everybodys)
        self._open = bool(world.entries) or any(t.bindings or t.generic for t in world.scopes.types.values())
        self._by_name: dict[str, list[str]] = {}
        for scope in scopes:
            self._by_name.setdefault(scope.name, []).append(scope.key)
        self._interfaces: dict[str, bytes] = {}
        self._all: bytes | None = None

    def seen_by(self, scope: Scope) -> bytes:
        """The hash of all declarations outside of its host that a procedure's statements can depend on."""
        if not self._open:
            return digest(self.shared, *self._each(self._named(scope)))
        if self._all is None:  # the same for every procedure
            self._all = digest(self.shared, *self._each(set(self.world.scopes.scopes)))
        return self._all

    def _each(self, keys: set[str]) -> Iterator[str | bytes]:
        for key in sorted(keys):
            yield key
            yield self._of(key)

    def _named(self, scope: Scope) -> set[str]:
        """The keys of the procedures that a procedure can name, with source or not."""
        words = self.words(scope.unit)
        found = {key for word in words & scope.procedures.keys() if (key := scope.procedures[word]) is not None}
        found.update(key for word in words & self._by_name.keys() for key in self._by_name[word])
        for name, keys in scope.generics.items():
            if name in words or "(" in name:  # an operator or assignment stands in no word
                found.update(keys)
        return found

    def _of(self, key: str) -> bytes:
        if key not in self._interfaces:
            scope = self.world.scopes.scopes.get(key)
            self._interfaces[key] = b"" if scope is None else interface(scope)
        return self._interfaces[key]


def everything(scope: Scope) -> bytes:
    """The hash of all that a procedure declares, and no places."""
    return digest(*_known(scope), "\n".join(_texts(scope)))


def interface(scope: Scope) -> bytes:
    """The hash of what other procedures can know of this one: nothing of its statements, and no places."""
    if _declares_types(scope):
        return everything(scope)
    texts = list(_texts(scope))
    names = {scope.name, *scope.formals, scope.result or ""}
    names.update(v.name for v in scope.variables.values() if v.area.kind in ("saved", "common"))
    own: list[tuple[int, set[str]]] = []
    kept: set[int] = set()
    for at, text in enumerate(texts):
        start = _PLAIN.match(text)
        _, colons, right = text.partition("::")
        declared = right if colons else text[start.end() if start is not None else 0 :]
        words = set(_WORD.findall(declared))
        if start is None or "=" in declared:
            kept.add(at)
            names |= words
        else:
            own.append((at, words))
    grown = True
    while grown:
        more = {at for at, words in own if at not in kept and words & names}
        names.update(*(words for at, words in own if at in more))
        kept |= more
        grown = bool(more)
    return digest(*_known(scope), "\n".join(texts[at] for at in sorted(kept)))


def _known(scope: Scope) -> Iterator[str]:
    """Header and dummy arguments, with the types that the executable part may have a say in (IMPLICIT, EXTERNAL)."""
    yield scope.key
    yield scope.unit.header.text if scope.unit.header is not None else ""
    yield " ".join((*sorted(scope.dummies), "optional", *scope.absent))
    for name in (*scope.formals, scope.result or ""):
        variable = scope.variables.get(name)
        if variable is not None:
            yield f"{name} {variable.type} {variable.shape.kind} {variable.shape.rank} {variable.optional}"


def _texts(scope: Scope) -> Iterator[str]:
    """The statements that declare something: all but the executable ones, which are the last and keep their order."""
    executable, found = list(scope.executable), list[str]()
    for item in reversed(scope.unit.items):
        runs = bool(executable) and executable[-1] == item
        if runs:
            executable.pop()
        if isinstance(item, Line) and (not runs or item.text.startswith(_KEPT)):
            found.append(item.text)
    yield from reversed(found)


def _declares_types(scope: Scope) -> bool:
    """Are there declarations that are not this procedure's variables: of components, of other procedures' arguments?"""
    return any(_TYPE_OR_INTERFACE.match(text) for text in _texts(scope))


def _lines(scope: Scope, starts: tuple[str, ...]) -> bool:
    return any(text.startswith(starts) for text in _texts(scope))
