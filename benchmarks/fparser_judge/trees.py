"""What two readers can be compared by: a statement's class, and the trees of its expressions, as plain tuples.

``y = -x(1)**2 + f(z)`` is ``Read("assign", (name y, (+, (-, (**, x(1), 2)), f(z))))``. Parentheses only shape the
tree, but for a variable in parentheses that is a whole argument: ``f((x))`` passes a copy, ``(+ x)`` here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

Tree: TypeAlias = Any  # a tuple of strings, numbers, None and trees


@dataclass(frozen=True)
class Read:
    """One statement as a reader has it. ``inner``: the statement in ``if (...) statement`` and its like."""

    kind: str
    trees: tuple[Tree, ...] = ()
    inner: Read | None = None


def reference(links: tuple[tuple[str, Tree, Tree], ...]) -> Tree:
    """``a(i)%b``: of each link its name, its argument list and a second one (a substring), None where there is none."""
    return ("ref", *links)


def name(text: str) -> Tree:
    return reference(((text.lower(), None, None),))


def flat(tree: Tree) -> Tree:
    """Long sums are grouped in halves by our reader, equal but for rounding: chains of one operator are opened."""
    if not isinstance(tree, tuple):
        return tree
    found = tuple(flat(one) for one in tree)
    if len(found) == 4 and found[0] == "op" and found[1] in ("+", "*", ".and.", ".or.", "//"):
        return ("chain", found[1], *_terms(found, found[1]))
    return found


def _terms(tree: Tree, op: str) -> tuple[Tree, ...]:
    if isinstance(tree, tuple) and tree[:2] == ("chain", op):
        return tuple(tree[2:])
    if isinstance(tree, tuple) and tree[:2] == ("op", op) and len(tree) == 4:
        return (*_terms(tree[2], op), *_terms(tree[3], op))
    return (tree,)
