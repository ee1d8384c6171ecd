"""Procedures without source whose effects are known: from the project file, the library, or an interface body.

A declaration has one word for each argument, in order: ``in`` (read), ``out`` (perhaps overwritten, not read),
``inout``, ``none`` (neither), ``sent``, ``received`` and ``exchanged`` (read, overwritten, both, for what travels to
and from other processes: it counts as useful and varied whatever becomes of it here). ``globals`` behind them: it may
also read and write everything global; ``skippable``: an adjoint need not run it where it needs none of its arguments.
The derivatives are the AD tool's or the user's, so whatever may be written is taken to depend on all that is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.external.library_effects import LIBRARY
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import places

READ = frozenset(("in", "inout", "sent", "exchanged"))
WRITTEN = frozenset(("out", "inout", "received", "exchanged"))
SENT = frozenset(("sent", "exchanged"))
RECEIVED = frozenset(("received", "exchanged"))
WORDS = READ | WRITTEN | {"none"}
ENDS = frozenset(("globals", "skippable"))


@frozen
class DeclaredEffects:
    """``accesses``: a word for each argument. ``formals``: the names of the dummy arguments, where known.

    ``everything_global``: it may also touch what no argument shows. ``repeatable``: a second run does the same.
    ``skippable``: what runs later depends on it through its arguments only.
    """

    accesses: tuple[str, ...]
    formals: tuple[str, ...] = ()
    everything_global: bool = False
    repeatable: bool = True
    skippable: bool = False

    def of(self, args: tuple[ir.Argument, ...]) -> tuple[str, ...] | None:
        """The word for each actual argument; None where they do not fit."""
        found: list[str] = []
        for place, argument in zip(places(args, self.formals), args, strict=True):
            at = place
            if argument.keyword is not None:
                if argument.keyword not in self.formals:
                    return None
                at = self.formals.index(argument.keyword)
            if at >= len(self.accesses):
                return None
            found.append(self.accesses[at])
        return tuple(found)


class Declarations:
    """What is declared of procedures without source: by the user, else by the library, else by an interface.

    Raises:
        InputError: a declaration of the user's with an unknown word.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = {name.lower(): parse(name, text) for name, text in given.items()}

    def find(self, call: ir.Call) -> DeclaredEffects | None:
        """What is known of a call that has no target with source; None: nothing."""
        if call.intrinsic or call.targets:
            return None
        if call.via == "name":
            found = self._given.get(call.name) or from_library(call.name)
            if found is not None and found.of(call.args) is not None:
                return found
        found = None if call.signature is None else from_interface(call.signature)
        return found if found is not None and found.of(call.args) is not None else None


def parse(name: str, text: str) -> DeclaredEffects:
    """A declaration of the project file."""
    words = text.lower().replace(",", " ").split()
    ends = set()
    while words and words[-1] in ENDS:
        ends.add(words.pop())
    wrong = [word for word in words if word not in WORDS]
    if wrong:
        known = ", ".join(sorted(WORDS))
        raise InputError(f"effects: {name}: '{wrong[0]}' says nothing of an argument; known are {known}, and globals "
                         "or skippable as the last word")
    skippable = "skippable" in ends and "globals" not in ends and SENT.isdisjoint(words) and RECEIVED.isdisjoint(words)
    return DeclaredEffects(tuple(words), everything_global="globals" in ends, skippable=skippable)


def from_library(name: str) -> DeclaredEffects | None:
    words = LIBRARY.get(name)
    return None if words is None else DeclaredEffects(words)


def from_interface(signature: ir.Signature) -> DeclaredEffects:
    """An interface body: intents are promises, but only PURE says that nothing else is touched."""
    words = tuple(intent or "inout" for _, intent in signature.formals)
    names = tuple(name for name, _ in signature.formals)
    return DeclaredEffects(words, names, not signature.pure, signature.pure)
