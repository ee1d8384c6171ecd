"""Which program units some names can reach: the rest need never be parsed.

A scan of words (:mod:`snapset.frontend.interprocedural.name_scan`), not of grammar. It errs on the side of reaching: a
procedure is reached as soon as its name stands anywhere in what is reached, whatever it means there, but one of a
module only if the module is: somebody must USE it. With a procedure come its host and the modules above it; with a
module its declarations, but not its procedures. An object may have a type that extends its declared one, so where
CLASS stands, all extensions are reached. BLOCK DATA always is.

What text cannot tell is who is called by a procedure without source, or through a dummy procedure or a procedure
pointer: :mod:`snapset.frontend.load` looks at what was lowered, and takes everything where such a call is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.memo import Memo
from snapset.frontend.base.source_model import Unit
from snapset.frontend.interprocedural.name_scan import Mentions, entry_names, mentions, targets_of
from snapset.frontend.reading.unit_order import owner, parent
from snapset.frontend.reading.unreadable_units import refuse, refuse_unreadable, unusable, usable


@frozen
class Roots:
    """Where reaching begins: procedures of these names, and those that stand on these lines (file, first, last)."""

    names: frozenset[str]
    places: tuple[tuple[str, int, int], ...] = ()


@dataclass(slots=True)
class _Node:
    """A procedure with all it contains, or a module without its procedures. ``above``: the module it is in."""

    unit: Unit
    above: int | None
    mentions: Mentions
    reached: bool = False
    waiting: list[int] = field(default_factory=list)  # a module's: procedures that are named, if only it is used


@dataclass(slots=True)
class _Graph:
    nodes: list[_Node] = field(default_factory=list)
    by_name: dict[str, list[int]] = field(default_factory=dict)
    modules: dict[str, int] = field(default_factory=dict)

    def add(self, unit: Unit, above: int | None) -> int:
        module = unit.kind in ("module", "submodule")
        at = len(self.nodes)
        self.nodes.append(_Node(unit, above, mentions(unit, not module)))
        if unit.kind not in ("submodule", "unread"):  # nobody can name those
            self.by_name.setdefault(unit.name, []).append(at)
        if module:
            self.modules[owner(unit)] = at
            for inner in unit.contains:
                self.add(inner, at)
        else:
            for name in entry_names(unit):
                self.by_name.setdefault(name, []).append(at)
        return at

    def add_unread(self) -> None:
        """What a file that could not be read seems to define, as far as no other one does."""
        for at, node in enumerate(self.nodes):
            names = node.unit.problem.names if node.unit.problem is not None else frozenset()
            for name in names:
                self.by_name.setdefault(name, [at])

    def up(self, at: int) -> int | None:
        """The module a procedure is in, the parent of a submodule."""
        node = self.nodes[at]
        return self.modules.get(parent(node.unit)) if node.unit.kind == "submodule" else node.above

    def module_of(self, at: int) -> int | None:
        """The module through which a procedure can be named, that of a submodule its ancestor's; None: by its name."""
        above = self.nodes[at].above
        while above is not None and self.nodes[above].unit.kind == "submodule":
            above = self.up(above)
        return above

    def named(self, at: int) -> Sequence[int]:
        """What naming a node reaches now: itself, unless it is in a module that nobody uses yet."""
        module = self.module_of(at)
        if module is None or self.nodes[module].reached:
            return (at,)
        self.nodes[module].waiting.append(at)
        return ()


@frozen
class ReachedUnits:
    """Units, and the words of each procedure's text. ``unread``: all with a problem. ``named``: of the files that could
    not be read those that may define something of this."""

    units: tuple[Unit, ...]
    _words: Memo[Unit, set[str]] = field(default_factory=Memo)
    unread: tuple[Unit, ...] = ()
    named: tuple[Unit, ...] = ()

    def words(self, unit: Unit) -> set[str]:
        """The names in a procedure's text, and in that of the procedures in it."""
        return self._words.get(unit, lambda one: mentions(one, True).words)


def reached(units: Sequence[Unit], roots: Roots) -> ReachedUnits:
    """The units that ``roots`` may reach, modules with only the procedures reached, in their order.

    All units where some name of ``roots`` is none of a procedure.
    Raises InputError where what is reached, or may be, could not be read.
    """
    graph = _Graph()
    tops = []
    for unit in units:
        try:
            tops.append(graph.add(unit, None))
        except InputError:  # a submodule without a module: whoever builds the units says so
            refuse_unreadable(units)
            return ReachedUnits(usable(units), unread=unusable(units))
    graph.add_unread()
    if not roots.names <= graph.by_name.keys():
        names = ", ".join(sorted(roots.names - graph.by_name.keys()))
        refuse([unit for unit in units if unit.kind == "unread"],
               f" ('{names}' is in none of the files that could be read)")
        return ReachedUnits(usable(units), unread=unusable(units))
    _spread(graph, roots)
    _refuse_heads(graph, roots)
    every = tuple(_kept(graph, units, tops))
    kept = tuple(unit for unit in every if unit.kind != "unread")
    refuse_unreadable(kept)
    words: Memo[Unit, set[str]] = Memo()
    for node in graph.nodes:
        if node.unit.kind not in ("module", "submodule"):  # of those not all was read
            words.put(node.unit, node.mentions.words)
    return ReachedUnits(kept, words, unusable(units), tuple(unit for unit in every if unit.kind == "unread"))


def _refuse_heads(graph: _Graph, roots: Roots) -> None:
    """Raises InputError for a file that could not be read and seems to define one of the roots."""
    refuse([unit for name in sorted(roots.names) for at in graph.by_name[name]
            if (unit := graph.nodes[at].unit).kind == "unread"])


def _spread(graph: _Graph, roots: Roots) -> None:
    aliases = targets_of(node.mentions for node in graph.nodes)
    extending = [at for at, node in enumerate(graph.nodes) if "extends" in node.mentions.words]
    seen: set[str] = set()
    words = list(roots.names)
    pending = [at for at, node in enumerate(graph.nodes) if node.unit.kind == "block data" or _stands(node, roots)]
    pending += [at for name in roots.names for at in graph.by_name[name]]
    while words or pending:
        while pending:
            node = graph.nodes[at := pending.pop()]
            if not node.reached:
                node.reached = True
                words.extend(node.mentions.words - seen)
                pending += node.waiting
                above = graph.up(at)
                if above is not None:
                    pending.append(above)
        for word in words:
            if word not in seen:
                seen.add(word)
                pending.extend(one for at in graph.by_name.get(word, ()) for one in graph.named(at))
                if word == "class":
                    pending.extend(extending)
        words = [target for word in words for target in aliases.get(word, ()) if target not in seen]


def _stands(node: _Node, roots: Roots) -> bool:
    """Is the procedure on some root's lines? Files are compared by their last part, so rather too many are."""
    unit = node.unit
    if unit.kind in ("module", "submodule") or not roots.places:
        return False
    first = (unit.header or unit.end).span
    low = first.line if unit.header is not None else 1
    return any(
        _base(file) == _base(first.file) and low <= end and begin <= unit.end.span.end_line
        for file, begin, end in roots.places
    )


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _kept(graph: _Graph, units: Sequence[Unit], tops: Sequence[int]) -> Iterable[Unit]:
    for unit, at in zip(units, tops, strict=True):
        if not graph.nodes[at].reached:
            continue
        if unit.kind not in ("module", "submodule"):
            yield unit
            continue
        inner = graph.nodes[at + 1 : at + 1 + len(unit.contains)]
        yield replace(unit, contains=tuple(node.unit for node in inner if node.reached))
